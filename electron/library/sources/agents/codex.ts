/**
 * Codex. It writes no capture: a session's rollout, one JSON value a line, holds its commands with up to 65,536
 * characters of output each. The rollout itself is listed.
 */

import { join } from 'node:path';
import { isoTime } from '../../../store/format/iso-time.ts';
import {
  type Calls,
  type Conversation,
  described,
  field,
  list,
  MAX_CONVERSATIONS,
  parsed,
  text,
  timeMs,
} from '../facts/calls.ts';
import type { CallReader, FactFiles } from '../facts/fact-files.ts';
import type { FileDescription } from '../facts/file-description.ts';
import { onPaths } from '../facts/paths.ts';
import { type AgentFile, agentFolder, type SourceKind } from '../source.ts';
import type { UserFolders } from '../user-folders.ts';

const ROLLOUT = /^rollout-.*?([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\.jsonl$/;

export const codex: SourceKind = {
  ...agentFolder('codex'),
  locate: (user) => [sessionsFolder(user)],
  includes: onPaths([/^\d{4}$/, /^\d{2}$/, /^\d{2}$/, /^rollout-.*\.jsonl$/]),
  describe: ({ names }) => ({
    label: 'Codex session',
    session: ROLLOUT.exec(names.at(-1) ?? '')?.[1] ?? null,
  }),
  detail,
  conversations,
};

function sessionsFolder({ home, env }: UserFolders): string {
  return join(env.CODEX_HOME ?? join(home, '.codex'), 'sessions');
}

async function* conversations(facts: FactFiles): AsyncIterable<Conversation> {
  let day = sessionsFolder(facts.user);
  for (const digits of [4, 2, 2]) {
    const names = (await facts.names(day)).filter((name) => name.length === digits && /^\d+$/.test(name));
    const last = names.sort().at(-1);
    if (last === undefined) return;
    day = join(day, last);
  }
  for (const path of await facts.newest(day, '.jsonl', MAX_CONVERSATIONS)) {
    const calls = await facts.calls(path, reader);
    if (calls) yield { session: calls.session, startedMs: calls.startedMs, calls: calls.all };
  }
}

async function detail({ path }: AgentFile, facts: FactFiles): Promise<FileDescription> {
  const calls = await facts.calls(path, reader);
  const { cwd = null } = described(calls?.of(LAST));
  const project = calls?.cwd ?? cwd;
  const count = calls?.all.filter(({ exitCode }) => exitCode !== null).length ?? 0;
  const label = count === 0 ? 'Codex session' : `Codex session, ${count} command${count === 1 ? '' : 's'}`;
  const started = calls?.startedMs ?? null;
  return {
    label,
    ...(project === null ? {} : { cwd: project, project }),
    ...(started === null ? {} : { started_at: isoTime(started) }),
  };
}

const LAST = 'last';

const EXITED = /^(?:.*\n){0,3}Process exited with code (-?\d+)\n/;

/** Sources of commands that its model did not start. */
const OTHERS = new Set(['unified_exec_interaction', 'user_shell']);

const reader: CallReader = {
  marks: [
    ...['"session_meta"', '"turn_context"', '"CommandExecution"', '"exec_command"'],
    '"function_call_output"',
  ],
  take(value, calls) {
    const payload = field(value, 'payload');
    if (field(value, 'type') === 'session_meta') {
      calls.cwd = text(field(payload, 'cwd'));
      calls.startedMs = timeMs(field(payload, 'timestamp')) ?? timeMs(field(value, 'timestamp'));
      calls.session = text(field(payload, 'session_id')) ?? text(field(payload, 'id'));
    }
    if (field(value, 'type') === 'turn_context') {
      const isReadOnly = field(field(payload, 'sandbox_policy'), 'type') === 'read-only';
      calls.obstacle = isReadOnly ? 'its sandbox lets nothing be written' : null;
    }
    if (field(payload, 'name') === 'exec_command')
      takeCall(payload, timeMs(field(value, 'timestamp')), calls);
    if (field(payload, 'type') === 'function_call_output') takeOutput(payload, calls);
    const item = field(payload, 'item');
    const id = text(field(item, 'id'));
    if (field(item, 'type') !== 'CommandExecution' || id === null) return;
    const exit = field(item, 'exit_code');
    calls.note(id, {
      command: text(list(field(item, 'command')).at(-1)),
      startedMs: timeMs(field(payload, 'started_at_ms')),
      endedMs: timeMs(field(payload, 'completed_at_ms')),
      exitCode: typeof exit === 'number' ? exit : null,
      isShell: !OTHERS.has(text(field(item, 'source')) ?? ''),
    });
    calls.attach(LAST, id);
  },
};

/** Only the model's call says whether the command gets a terminal. */
function takeCall(payload: unknown, startedMs: number | null, calls: Calls): void {
  const id = text(field(payload, 'call_id'));
  const given = parsed(field(payload, 'arguments'));
  const command = text(field(given, 'cmd'));
  if (id === null || command === null) return;
  calls.note(id, {
    ...{ command, isShell: true },
    ...(startedMs === null ? {} : { startedMs }),
    ...(field(given, 'tty') === true ? { obstacle: 'it had a terminal' } : {}),
  });
}

/** A command that its sandbox stopped is told of in no other way. */
function takeOutput(payload: unknown, calls: Calls): void {
  const id = text(field(payload, 'call_id'));
  const exit = EXITED.exec(text(field(payload, 'output')) ?? '');
  if (id !== null && exit && calls.has(id)) calls.note(id, { exitCode: Number(exit[1]) });
}
