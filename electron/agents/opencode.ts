/**
 * opencode, and its fork Kilo CLI. Output over 50 KB or 2,000 lines is appended to a file as it arrives; the commands
 * are in an SQLite database.
 */

import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { AgentId } from '../../shared/agent-names.ts';
import { type Agent, type Captures, onPaths } from './agent.ts';
import { SERVER_NAME, spillwayShellPath } from './client.ts';
import {
  type Call,
  Calls,
  type Conversation,
  described,
  field,
  MAX_CONVERSATIONS,
  parsed,
  text,
  timeMs,
} from './facts/calls.ts';
import type { AgentFile, FileDescription, UserFolders } from './facts/described.ts';
import type { FactFiles } from './facts/fact-files.ts';
import type { StoreReader } from './facts/stores.ts';
import { jsonFormat } from './formats/json.ts';

export const opencode: Agent = {
  id: 'opencode',
  captures: madeFromOpencode('opencode'),
  client: {
    // One file, with or without comments. Its `shell` setting names the shell that runs commands.
    command: 'opencode',
    traces: ({ folder, env }) => [configFolder(folder, env)],
    files: ({ folder, env }, { server, env: serverEnv, home, record }) => {
      const own = configFolder(folder, env);
      const names = ['opencode.jsonc', 'opencode.json'].map((name) => join(own, name));
      const environment = Object.keys(serverEnv).length > 0 ? { environment: serverEnv } : {};
      return [
        {
          path: names.find((path) => existsSync(path)) ?? names[0]!,
          format: jsonFormat({ comments: true, trailingCommas: true }),
          settings: [
            {
              path: ['mcp', SERVER_NAME],
              value: { type: 'local', command: [...server], ...environment, enabled: true },
            },
            ...(record === null
              ? []
              : [{ path: ['shell'], value: spillwayShellPath(home), keeps: 'a shell of your own' }]),
          ],
          servers: { at: () => [['mcp']], form: 'list' },
        },
      ];
    },
    recording: { way: { shell: 'opencode' } },
  },
  passes: { whole: 51_200, head: 0, tail: 51_200, lines: 2000 },
  replies: { client: /opencode/i, mostBytes: 51_200, shows: 'text' },
};

export const kilo: Agent = { id: 'kilo', captures: madeFromOpencode('kilo') };

/** Kilo CLI is made from it. */
function madeFromOpencode(name: AgentId): Captures {
  return {
    locate: (user) => [join(dataFolder(user), name, 'tool-output')],
    includes: onPaths([/^tool_[0-9A-Za-z]+$/]),
    describe: () => ({ truncated: false }),
    detail,
    conversations: (facts) => conversations(join(dataFolder(facts.user), name), facts),
  };
}

function dataFolder({ home, env }: UserFolders): string {
  return env.XDG_DATA_HOME ?? join(home, '.local', 'share');
}

/** Databases that are searched for a command: each release channel has its own. */
const MAX_DATABASES = 4;

async function* conversations(folder: string, facts: FactFiles): AsyncIterable<Conversation> {
  const found: { calls: Call[]; startedMs: number; lastMs: number }[] = [];
  for (const known of await readStores(folder, facts))
    for (const ids of known.commands.values()) {
      const calls = [...ids];
      const times = calls.flatMap(({ startedMs }) => startedMs ?? []);
      found.push({ calls, startedMs: Math.min(...times), lastMs: Math.max(...times) });
    }
  found.sort((a, b) => b.lastMs - a.lastMs);
  // Its commands do not get the conversation's name.
  for (const { calls, startedMs } of found.slice(0, MAX_CONVERSATIONS))
    yield { session: null, startedMs, calls };
}

async function readStores(folder: string, facts: FactFiles): Promise<SessionCommands[]> {
  const names = (await facts.names(folder)).filter((name) => name.endsWith('.db')).slice(0, MAX_DATABASES);
  const known = await Promise.all(names.map((name) => facts.stores.read(join(folder, name), store)));
  return known.filter((one) => one !== null);
}

async function detail({ path }: AgentFile, facts: FactFiles): Promise<FileDescription> {
  for (const known of await readStores(dirname(dirname(path)), facts)) {
    const call = known.calls.of(basename(path));
    if (!call) continue;
    const session = known.sessions.get(basename(path)) ?? null;
    const cwd = call.cwd ?? (session === null ? undefined : known.folders.get(session)) ?? null;
    return { ...described({ ...call, cwd }), session };
  }
  return {};
}

interface SessionCommands {
  readonly calls: Calls;
  /** Sessions by name of file, and their folders. */
  readonly sessions: Map<string, string>;
  readonly folders: Map<string, string>;
  /** Commands of its shell tool by session. */
  readonly commands: Map<string, Set<Call>>;
}

const store: StoreReader<SessionCommands> = {
  empty: () => ({ calls: new Calls(), sessions: new Map(), folders: new Map(), commands: new Map() }),
  tables: [
    {
      name: 'session',
      mark: '',
      take(row, { folders }) {
        const [id, folder] = [row.get('id'), row.get('directory')];
        if (typeof id === 'string' && typeof folder === 'string') folders.set(id, folder);
      },
    },
    {
      name: 'part',
      mark: '"type":"tool"',
      take(row, known) {
        const part = parsed(row.get('data'));
        const state = field(part, 'state');
        const path = text(field(state, 'metadata', 'outputPath'));
        const [id, session] = [row.get('id'), row.get('session_id')];
        const isShell = field(part, 'tool') === 'bash';
        if ((path === null && !isShell) || typeof id !== 'string') return;
        const call = known.calls.note(id, { ...callOf(state), isShell });
        if (typeof session !== 'string') return;
        if (isShell && call.startedMs !== null) commandsOf(known, session).add(call);
        if (path === null) return;
        const name = path.replace(/^.*[\\/]/, '');
        known.calls.attach(name, id);
        known.sessions.set(name, session);
      },
    },
  ],
};

function commandsOf({ commands }: SessionCommands, session: string): Set<Call> {
  const known = commands.get(session) ?? new Set();
  commands.set(session, known);
  return known;
}

function callOf(state: unknown) {
  const exit = field(state, 'metadata', 'exit');
  const isOver = field(state, 'status') !== 'running';
  return {
    command: text(field(state, 'input', 'command')) ?? text(field(state, 'title')),
    cwd: text(field(state, 'input', 'workdir')),
    startedMs: timeMs(field(state, 'time', 'start')),
    endedMs: timeMs(field(state, 'time', 'end')),
    exitCode: typeof exit === 'number' ? exit : null,
    status: isOver ? stoppedBy(text(field(state, 'output')) ?? '') : ('running' as const),
  };
}

/** Without an exit status, it says at the end of the output why it stopped the command. */
function stoppedBy(output: string) {
  const metadata = /<(\w+_metadata)>\s*([^<]*)<\/\1>\s*$/.exec(output.slice(-2000))?.[2] ?? '';
  if (/exceeding timeout/i.test(metadata)) return 'timed_out' as const;
  return /abort/i.test(metadata) ? ('cancelled' as const) : null;
}

function configFolder(folder: string, env: NodeJS.ProcessEnv): string {
  return join(env.XDG_CONFIG_HOME ?? join(folder, '.config'), 'opencode');
}
