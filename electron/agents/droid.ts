/**
 * Droid. Its terminals and background commands stream to the temporary folder, and the files stay there. A list of
 * processes tells their commands while it runs; it empties that list when it ends, and its transcripts stay.
 */

import { basename, join } from 'node:path';
import { type Agent, onPaths } from './agent.ts';
import { described, field, list, startedIn, text, timeMs } from './facts/calls.ts';
import type { AgentFile, FileDescription } from './facts/described.ts';
import { type CallReader, type FactFiles, factsOf } from './facts/fact-files.ts';

/** Projects, and sessions of each, that are searched for a command. */
const MAX_PROJECTS = 32;
const MAX_SESSIONS = 4;

export const droid: Agent = {
  id: 'droid',
  captures: {
    locate: ({ temporary }) => [temporary],
    includes: onPaths([/^droid-terminal-/, /^[0-9a-f-]{36}\.log$/], [/^droid-bg-\d+\.out$/]),
    describe: ({ names }) =>
      names.length === 2
        ? { session: names[0]!.replace('droid-terminal-', '') }
        : startedIn(/^droid-bg-(\d+)\.out$/, names.at(-1)!),
    detail,
  },
};

async function detail({ path }: AgentFile, facts: FactFiles): Promise<FileDescription> {
  const folder = join(facts.user.home, '.factory');
  const listed = await facts.json(join(folder, 'background-processes.json'));
  const all = field(listed, 'processes') ?? listed;
  const entries = typeof all === 'object' && all !== null ? Object.values(all) : [];
  const own = entries.find(
    (entry) =>
      typeof entry === 'object' &&
      entry !== null &&
      Object.values(entry).some((value) => typeof value === 'string' && basename(value) === basename(path)),
  );
  return own === undefined ? inTranscripts(basename(path), join(folder, 'sessions'), facts) : factsOf(own);
}

async function inTranscripts(name: string, sessions: string, facts: FactFiles): Promise<FileDescription> {
  for (const project of (await facts.names(sessions)).slice(0, MAX_PROJECTS)) {
    for (const transcript of await facts.newest(join(sessions, project), '.jsonl', MAX_SESSIONS)) {
      const call = (await facts.calls(transcript, reader))?.of(name);
      if (call) return { ...described(call), session: basename(transcript, '.jsonl') };
    }
  }
  return {};
}

/** Before what the answer to a background command names: the file of its output. */
const OUTPUT = /^Output: (.+)$/m;

const reader: CallReader = {
  marks: ['"session_start"', '"tool_use"', 'Output: '],
  take(value, calls) {
    if (field(value, 'type') === 'session_start') calls.cwd = text(field(value, 'cwd'));
    for (const part of list(field(value, 'message', 'content'))) {
      const command = text(field(part, 'input', 'command'));
      const id = text(field(part, 'id'));
      if (id !== null && command !== null)
        calls.note(id, { command, startedMs: timeMs(field(value, 'timestamp')) });
      const asked = text(field(part, 'tool_use_id'));
      const output = OUTPUT.exec(text(field(part, 'content')) ?? '')?.[1];
      if (asked !== null && output !== undefined) calls.attach(basename(output), asked);
    }
  },
};
