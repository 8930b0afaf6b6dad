/**
 * Codex. It writes no capture: a session's rollout, one JSON value a line, holds its commands with up to 65,536
 * characters of output each. The rollout itself is listed.
 */

import { join } from 'node:path';
import { isoTime } from '../../../store/format/iso-time.ts';
import { described, field, list, text, timeMs } from '../facts/calls.ts';
import type { CallReader, FactFiles } from '../facts/fact-files.ts';
import type { FileDescription } from '../facts/file-description.ts';
import { onPaths } from '../facts/paths.ts';
import { type AgentFile, agentFolder, type SourceKind } from '../source.ts';

const ROLLOUT = /^rollout-.*?([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\.jsonl$/;

export const codex: SourceKind = {
  ...agentFolder('codex'),
  locate: ({ home, env }) => [join(env.CODEX_HOME ?? join(home, '.codex'), 'sessions')],
  includes: onPaths([/^\d{4}$/, /^\d{2}$/, /^\d{2}$/, /^rollout-.*\.jsonl$/]),
  describe: ({ names }) => ({
    label: 'Codex session',
    session: ROLLOUT.exec(names.at(-1) ?? '')?.[1] ?? null,
  }),
  detail,
};

async function detail({ path }: AgentFile, facts: FactFiles): Promise<FileDescription> {
  const calls = await facts.calls(path, reader);
  const { cwd = null } = described(calls?.of(LAST));
  const project = calls?.cwd ?? cwd;
  const count = calls?.count ?? 0;
  const label = count === 0 ? 'Codex session' : `Codex session, ${count} command${count === 1 ? '' : 's'}`;
  const started = calls?.startedMs ?? null;
  return {
    label,
    ...(project === null ? {} : { cwd: project, project }),
    ...(started === null ? {} : { started_at: isoTime(started) }),
  };
}

const LAST = 'last';

const reader: CallReader = {
  marks: ['"session_meta"', '"CommandExecution"'],
  take(value, calls) {
    const payload = field(value, 'payload');
    if (field(value, 'type') === 'session_meta') {
      calls.cwd = text(field(payload, 'cwd'));
      calls.startedMs = timeMs(field(payload, 'timestamp')) ?? timeMs(field(value, 'timestamp'));
    }
    const item = field(payload, 'item');
    const id = text(field(item, 'id'));
    if (field(item, 'type') !== 'CommandExecution' || id === null) return;
    const exit = field(item, 'exit_code');
    calls.note(id, {
      command: text(list(field(item, 'command')).at(-1)),
      startedMs: timeMs(field(payload, 'started_at_ms')),
      endedMs: timeMs(field(payload, 'completed_at_ms')),
      exitCode: typeof exit === 'number' ? exit : null,
    });
    calls.attach(LAST, id);
  },
};
