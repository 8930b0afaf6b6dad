/**
 * Gemini CLI. Long output is written when the command ends, between `<untrusted_context>` tags; what runs in the
 * background has a log named by its process. Commands stand in the session's chat.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Agent, ANY, onPaths } from './agent.ts';
import { bashEntryPath, type Machine, plainServer, SERVER_NAME, serversAt } from './client.ts';
import {
  type Call,
  type Conversation,
  described,
  field,
  list,
  MAX_CONVERSATIONS,
  text,
  timeMs,
} from './facts/calls.ts';
import {
  type AgentFile,
  exitCodeIn,
  type FileDescription,
  type FileEnds,
  FOOTER_LINE,
  footerOf,
  headerOf,
  outcome,
  signalIn,
  type TextFrame,
  UNFRAMED,
  type UserFolders,
} from './facts/described.ts';
import { type CallReader, type FactFiles, processExists } from './facts/fact-files.ts';
import { dotenvFormat } from './formats/format.ts';
import { jsonFormat } from './formats/json.ts';

/** Chats that are searched for a background command. */
const MAX_CHATS = 4;
const MAX_PROJECTS = 16;

export const gemini: Agent = {
  id: 'gemini',
  captures: {
    locate: (user) => [temporaryFolder(user)],
    includes: onPaths(
      [ANY, 'tool-outputs', /^session-/, /^[^.].*\.txt$/],
      ['background-processes', /^background-\d+\.log$/],
    ),
    describe: ({ names }) => {
      const pid = /^background-(\d+)\.log$/.exec(names.at(-1) ?? '')?.[1];
      if (pid !== undefined) return { pid: Number(pid) };
      return { project: names[0] ?? null, session: names[2]?.replace(/^session-/, '') ?? null };
    },
    frame: (ends, name) => (name.endsWith('.txt') ? framed(ends) : UNFRAMED),
    detail,
    conversations,
  },
  client: {
    // Servers in `settings.json`; its shell's environment in `.env` beside it.
    command: 'gemini',
    traces: (machine) => [ownFolder(machine)],
    files: (machine, wanted) => {
      const settings = [
        { path: ['BASH_ENV'], value: bashEntryPath(wanted.home, 'gemini'), keeps: 'a start-up file of bash' },
        { path: ['SHLVL'], value: '2' },
      ];
      return [
        {
          path: join(ownFolder(machine), 'settings.json'),
          format: jsonFormat({ comments: true, trailingCommas: false, mark: false }),
          settings: [{ path: ['mcpServers', SERVER_NAME], value: plainServer(wanted) }],
          servers: serversAt('mcpServers'),
        },
        {
          path: join(ownFolder(machine), '.env'),
          format: dotenvFormat,
          settings: wanted.record === null ? [] : settings,
        },
      ];
    },
    recording: {
      way: { bashEnv: 'gemini' },
      obstacleIn: (folder) => {
        const found = ['.gemini/.env', '.env'].find((name) => existsSync(join(folder, name)));
        return found === undefined
          ? null
          : `${found} takes the place of the one in your home folder: add the lines with BASH_ENV and SHLVL there`;
      },
      limit: () =>
        'unless it gives them a terminal, as its screen does (tools.shell.enableInteractiveShell), or the .env of a project takes the place of its own',
    },
  },
  shell: {
    marker: 'GEMINI_CLI',
    envelope: {
      head: /^shopt -u [^\n]*\n\(\n +trap [^\n]*? EXIT\n/,
      tails: ['\n)\n__code=$?\n'],
    },
  },
  passes: { whole: 39_900, head: 7980, tail: 31_900 },
  replies: { client: /gemini/i, mostBytes: 40_000, shows: 'text', showsOfError: 'both' },
};

function temporaryFolder({ home, env }: UserFolders): string {
  return join(env.GEMINI_CLI_HOME ?? home, '.gemini', 'tmp');
}

const FOOTER = new RegExp(`\\n((?:${FOOTER_LINE})*)</untrusted_context>\\s*$`);

function framed(ends: FileEnds): TextFrame {
  const header = headerOf(ends, /^<untrusted_context>\n(?:Output: )?/);
  if (!header) return UNFRAMED;
  const footer = footerOf(ends, FOOTER);
  const ending = footer?.match[1] ?? '';
  const pid = /^Process Group PGID: (\d+)$/m.exec(ending)?.[1];
  return {
    start: header[0].length,
    end: footer ? Math.max(header[0].length, footer.at) : null,
    facts: {
      // It names an exit status only if that is not 0.
      ...(footer ? outcome(exitCodeIn(ending) ?? 0) : {}),
      ...(signalIn(ending) ? { status: 'cancelled' as const } : {}),
      ...(pid === undefined ? {} : { pid: Number(pid) }),
      ...(footer ? { truncated: false } : {}),
    },
  };
}

async function* conversations(facts: FactFiles): AsyncIterable<Conversation> {
  const projects = await facts.newest(temporaryFolder(facts.user), '', MAX_PROJECTS);
  const newest = await Promise.all(
    projects.map((path) => facts.newest(join(path, 'chats'), '.jsonl', MAX_CONVERSATIONS)),
  );
  for (const path of await facts.lastWritten(newest.flat(), MAX_CONVERSATIONS)) {
    const calls = await facts.calls(path, reader);
    // Its commands do not get the conversation's name.
    if (calls) yield { session: null, startedMs: calls.startedMs, calls: calls.all };
  }
}

async function detail(
  { names }: AgentFile,
  facts: FactFiles,
  known: FileDescription,
): Promise<FileDescription> {
  const root = temporaryFolder(facts.user);
  const name = names.at(-1)!;
  const pid = /^background-(\d+)\.log$/.exec(name)?.[1];
  if (pid !== undefined) {
    const found = await backgroundCall(root, `pid ${pid}`, facts);
    const status = processExists(Number(pid)) ? ('running' as const) : ('finished' as const);
    return { ...described(found?.call), ...found?.at, status };
  }
  const [project, , folder] = names;
  const session = folder?.replace(/^session-/, '') ?? '';
  const chats = join(root, project!, 'chats');
  const chat = (await facts.names(chats)).find((one) => one.endsWith(`-${session.slice(0, 8)}.jsonl`));
  const calls = chat === undefined ? null : await facts.calls(join(chats, chat), reader);
  // A second file of one call has a further suffix.
  const id = name.replace(/\.txt$/, '');
  const call = calls?.of(id) ?? calls?.of(id.replace(/_[^_]*$/, ''));
  const { exit_code: _, ...reported } = described(call);
  return { ...reported, ...known, ...(await place(root, project!, facts)) };
}

async function place(root: string, project: string, facts: FactFiles): Promise<FileDescription> {
  const folder =
    (await facts.text(join(root, project, '.project_root')))?.trim() ||
    (await listedFolder(root, project, facts));
  return folder ? { cwd: folder, project: folder } : {};
}

async function listedFolder(root: string, project: string, facts: FactFiles): Promise<string | undefined> {
  const projects = field(await facts.json(join(root, '..', 'projects.json')), 'projects');
  const all = typeof projects === 'object' && projects !== null ? Object.entries(projects) : [];
  return all.find(([, name]) => name === project)?.[0];
}

async function backgroundCall(
  root: string,
  file: string,
  facts: FactFiles,
): Promise<{ call: Call; at: FileDescription } | null> {
  const projects = (await facts.names(root)).filter((name) => !name.startsWith('.'));
  for (const project of projects.slice(0, MAX_PROJECTS)) {
    for (const chat of await facts.last(join(root, project, 'chats'), MAX_CHATS)) {
      const call = (await facts.calls(chat, reader))?.of(file);
      if (call) return { call, at: await place(root, project, facts) };
    }
  }
  return null;
}

const reader: CallReader = {
  marks: ['"toolCalls"', '"startTime"'],
  take(value, calls) {
    calls.startedMs ??= timeMs(field(value, 'startTime'));
    for (const one of list(field(value, 'toolCalls'))) {
      const id = text(field(one, 'id'));
      const command = text(field(one, 'args', 'command'));
      if (id === null || command === null) continue;
      const pid = /\(PID: (\d+)\)/.exec(text(field(one, 'resultDisplay')) ?? '')?.[1];
      const ended = timeMs(field(one, 'timestamp'));
      calls.note(id, {
        ...{ command, startedMs: timeMs(field(value, 'timestamp')), endedMs: pid ? null : ended },
        isShell: field(one, 'name') === 'run_shell_command',
        // It keeps the screen of a terminal as lines of cells, other output as text.
        obstacle: Array.isArray(field(one, 'resultDisplay')) ? 'it had a terminal' : null,
        // A call that was refused, or failed before it ran, has another status.
        status: field(one, 'status') !== 'success' ? null : pid ? 'running' : 'finished',
      });
      calls.attach(pid === undefined ? id : `pid ${pid}`, id);
    }
  },
};

function ownFolder({ folder, env }: Machine): string {
  return join(env.GEMINI_CLI_HOME || folder, '.gemini');
}
