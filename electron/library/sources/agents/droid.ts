/** Droid. Its terminals and background commands stream to the temporary folder, and the files stay there. */

import { basename, join } from 'node:path';
import { field, startedIn } from '../facts/calls.ts';
import type { FactFiles } from '../facts/fact-files.ts';
import type { FileDescription } from '../facts/file-description.ts';
import { factsOf } from '../facts/json-facts.ts';
import { onPaths } from '../facts/paths.ts';
import { type AgentFile, agentFolder, type SourceKind } from '../source.ts';

export const droid: SourceKind = {
  ...agentFolder('droid'),
  locate: ({ temporary }) => [temporary],
  includes: onPaths([/^droid-terminal-/, /^[0-9a-f-]{36}\.log$/], [/^droid-bg-\d+\.out$/]),
  describe: ({ names }) =>
    names.length === 2
      ? { session: names[0]!.replace('droid-terminal-', '') }
      : startedIn(/^droid-bg-(\d+)\.out$/, names.at(-1)!),
  detail,
};

async function detail({ path }: AgentFile, facts: FactFiles): Promise<FileDescription> {
  const listed = await facts.json(join(facts.user.home, '.factory', 'background-processes.json'));
  const all = field(listed, 'processes') ?? listed;
  const entries = typeof all === 'object' && all !== null ? Object.values(all) : [];
  const own = entries.find(
    (entry) =>
      typeof entry === 'object' &&
      entry !== null &&
      Object.values(entry).some((value) => typeof value === 'string' && basename(value) === basename(path)),
  );
  return factsOf(own);
}
