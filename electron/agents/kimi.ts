/**
 * Kimi Code. Long output, and what runs in the background, streams to a folder beside a file of JSON that tells
 * all.
 */

import { join } from 'node:path';
import { type Agent, ANY, onPaths } from './agent.ts';
import { field, text } from './facts/calls.ts';
import type { AgentFile, FileDescription } from './facts/described.ts';
import { type FactFiles, factsOf } from './facts/fact-files.ts';

export const kimi: Agent = {
  id: 'kimi',
  captures: {
    locate: ({ home }) => [join(home, '.kimi-code', 'sessions')],
    includes: onPaths([/^wd_/, /^session_/, 'agents', ANY, 'tasks', ANY, 'output.log']),
    describe: ({ names }) => ({
      label: names.at(-2) ?? 'output.log',
      truncated: false,
      project: names[0]?.replace(/^wd_/, '').replace(/_[0-9a-f]{12}$/, '') ?? null,
      session: names[1]?.replace(/^session_/, '') ?? null,
    }),
    detail,
  },
};

async function detail({ path, names }: AgentFile, facts: FactFiles): Promise<FileDescription> {
  const reported = factsOf(await facts.json(`${path.slice(0, -'/output.log'.length)}.json`));
  const workspaces = await facts.json(join(facts.user.home, '.kimi-code', 'workspaces.json'));
  const cwd = text(field(workspaces, 'workspaces', names[0]!, 'root'));
  return { ...reported, ...(cwd === null ? {} : { cwd, project: cwd }) };
}
