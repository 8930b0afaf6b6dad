/**
 * Codex. It writes no capture: a session's rollout, one JSON value a line, holds its commands with up to 65,536
 * characters of output each. The rollout itself is listed.
 */

import { basename, join } from 'node:path';
import { sandboxFolder } from '../store/format/places.ts';
import { isoTime } from '../store/format/times.ts';
import { type Agent, onPaths } from './agent.ts';
import {
  bashEntryPath,
  type Machine,
  ONLY_BASH,
  plainServer,
  SERVER_NAME,
  type Setting,
  serversAt,
} from './client.ts';
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
} from './facts/calls.ts';
import type { AgentFile, FileDescription, UserFolders } from './facts/described.ts';
import type { CallReader, FactFiles } from './facts/fact-files.ts';
import { valueAt } from './formats/format.ts';
import { tomlFormat } from './formats/toml.ts';

const ROLLOUT = /^rollout-.*?([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\.jsonl$/;

export const codex: Agent = {
  id: 'codex',
  captures: {
    locate: (user) => [sessionsFolder(user)],
    includes: onPaths([/^\d{4}$/, /^\d{2}$/, /^\d{2}$/, /^rollout-.*\.jsonl$/]),
    describe: ({ names }) => ({
      label: 'Codex session',
      session: ROLLOUT.exec(names.at(-1) ?? '')?.[1] ?? null,
    }),
    detail,
    conversations,
  },
  client: {
    // One TOML file. It starts servers with almost no environment, and lets commands write only to certain folders.
    command: 'codex',
    traces: ({ folder, env }) => [env.CODEX_HOME ?? join(folder, '.codex')],
    files: ({ folder, env }, wanted) => {
      const recording: Setting[] = [
        {
          path: ['shell_environment_policy', 'set', 'BASH_ENV'],
          value: bashEntryPath(wanted.home, 'codex'),
          keeps: 'a start-up file of bash',
        },
        { path: ['shell_environment_policy', 'set', 'SHLVL'], value: '2' },
        {
          path: ['sandbox_workspace_write', 'writable_roots'],
          value: sandboxFolder(wanted.home, 'codex'),
          isItem: true,
          // Commands in the sandbox could change what runs outside it.
          former: wanted.home,
        },
      ];
      return [
        {
          path: configPath({ folder, env }),
          format: tomlFormat,
          settings: [
            {
              path: ['mcp_servers', SERVER_NAME],
              value: {
                ...plainServer({ ...wanted, env: {} }),
                env: { ...wanted.env, SPILLWAY_HOME: wanted.home },
              },
            },
            ...(wanted.record === null ? [] : recording),
          ],
          servers: serversAt('mcp_servers'),
        },
      ];
    },
    recording: {
      ...{ way: { bashEnv: 'codex' }, obstacle, isSandboxed: true },
      limit: () =>
        'unless its sandbox lets nothing be written (read-only), or it gives them a terminal or another shell than bash',
    },
  },
  shell: { marker: 'CODEX_THREAD_ID', parents: 'codex', skipped: '*__CODEX_SNAPSHOT*' },
  // With models that it does not know; with others more.
  passes: { whole: 10_000, head: 5000, tail: 5000 },
  // 12,000 bytes with models that it does not know. Its own first line counts: `Wall time: 0.1 seconds`, `Output:`.
  replies: { client: /codex/i, mostBytes: 47_900, usualBytes: 11_900, shows: 'structured' },
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
    const words = list(field(item, 'command'));
    calls.note(id, {
      ...otherShell(text(words[0])),
      command: text(words.at(-1)),
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
    ...otherShell(text(field(given, 'shell'))),
    ...(startedMs === null ? {} : { startedMs }),
    ...(field(given, 'tty') === true ? { obstacle: 'it had a terminal' } : {}),
  });
}

/** Only bash reads what leads its commands to Spillway. */
function otherShell(path: string | null): { obstacle?: string } {
  const name = path === null ? '' : basename(path);
  return name === '' || name === 'bash' ? {} : { obstacle: `it ran in ${name}, not in bash` };
}

/** A command that its sandbox stopped is told of in no other way. */
function takeOutput(payload: unknown, calls: Calls): void {
  const id = text(field(payload, 'call_id'));
  const exit = EXITED.exec(text(field(payload, 'output')) ?? '');
  if (id !== null && exit && calls.has(id)) calls.note(id, { exitCode: Number(exit[1]) });
}

function configPath({ folder, env }: Pick<Machine, 'folder' | 'env'>): string {
  return join(env.CODEX_HOME ?? join(folder, '.codex'), 'config.toml');
}

/**
 * Codex 0.169 applies `include_only` to the variables of `set`, too; `inherit` and `exclude` it applies before them.
 * An empty list filters nothing. Names are compared without case, `*` and `?` are wildcards.
 */
function obstacle(machine: Machine, read: (path: string) => string | null): string | null {
  const shell = shellOf(machine);
  if (shell !== 'bash') return `its commands run in ${shell}, the shell of your account, ${ONLY_BASH}`;
  const path = configPath(machine);
  const root = tomlFormat.parse(read(path) ?? '');
  const only = valueAt(root, ['shell_environment_policy', 'include_only']);
  if (!Array.isArray(only) || only.length === 0) return null;
  const names = ['BASH_ENV', 'SHLVL'].filter((name) => !only.some((one) => isMatch(String(one), name)));
  if (names.length === 0) return null;
  return `shell_environment_policy.include_only in ${path} leaves out ${names.join(' and ')}`;
}

/** It knows these shells, and takes the system's usual one for others. */
function shellOf({ loginShell, platform }: Machine): string {
  const name = basename(loginShell ?? '');
  if (['bash', 'zsh', 'sh', 'pwsh'].includes(name)) return name;
  return platform === 'darwin' ? 'zsh' : 'bash';
}

function isMatch(pattern: string, name: string): boolean {
  const plain = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${plain.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'i').test(name);
}
