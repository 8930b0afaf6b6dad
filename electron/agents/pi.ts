/** pi. Output over 50 KB or 2,000 lines is written to the temporary folder and kept; sessions tell the commands. */

import { join } from 'node:path';
import { type Agent, onPaths } from './agent.ts';
import { described, field, list, text, timeMs } from './facts/calls.ts';
import type { AgentFile, FileDescription } from './facts/described.ts';
import type { CallReader, FactFiles } from './facts/fact-files.ts';

/** Projects, and sessions of each, that are searched for a command. */
const MAX_PROJECTS = 32;
const MAX_SESSIONS = 4;

export const pi: Agent = {
  id: 'pi',
  captures: {
    locate: ({ temporary }) => [temporary],
    includes: onPaths([/^pi-bash-[0-9a-f]+\.log$/]),
    describe: () => ({ truncated: false }),
    detail,
  },
};

async function detail({ names }: AgentFile, facts: FactFiles): Promise<FileDescription> {
  const root = join(facts.user.home, '.pi', 'agent', 'sessions');
  for (const project of (await facts.names(root)).slice(0, MAX_PROJECTS)) {
    for (const path of await facts.last(join(root, project), MAX_SESSIONS)) {
      const calls = await facts.calls(path, reader);
      const call = calls?.of(names.at(-1)!);
      if (!call) continue;
      const session = /_([0-9a-f-]{36})\.jsonl$/.exec(path)?.[1] ?? null;
      return { ...described(call), session };
    }
  }
  return {};
}

const reader: CallReader = {
  marks: ['"session"', '"toolCall"', '"toolResult"'],
  take(value, calls) {
    if (field(value, 'type') === 'session') calls.cwd = text(field(value, 'cwd'));
    const message = field(value, 'message');
    const at = timeMs(field(message, 'timestamp')) ?? timeMs(field(value, 'timestamp'));
    for (const part of list(field(message, 'content'))) {
      const id = text(field(part, 'id'));
      const command = text(field(part, 'arguments', 'command'));
      if (field(part, 'type') === 'toolCall' && id !== null)
        calls.note(id, { command, startedMs: at, cwd: calls.cwd });
    }
    const id = text(field(message, 'toolCallId'));
    if (field(message, 'role') !== 'toolResult' || id === null) return;
    const content = text(field(list(field(message, 'content')).at(-1), 'text')) ?? '';
    const path =
      text(field(message, 'details', 'fullOutputPath')) ??
      /Full output: (.+?)\]/.exec(content.slice(-2000))?.[1];
    if (path) calls.attach(path.replace(/^.*[\\/]/, ''), id);
    const exit = /Command exited with code (-?\d+)\s*$/.exec(content)?.[1];
    calls.note(id, {
      endedMs: at,
      exitCode: exit !== undefined ? Number(exit) : field(message, 'isError') === false ? 0 : null,
    });
  },
};
