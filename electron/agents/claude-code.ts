/**
 * Claude Code. Every command of its shell tool streams to
 * `<temporary>/claude-<uid>/<project>/<session>/tasks/b*.output` and is unlinked when it ends; one that
 * succeeded with much output is copied to `tool-results`. Output of background commands stays, and gets a footer.
 * The commands are in the session's transcript.
 *
 * `a*.output` are links to transcripts of sub-agents, never captures.
 */

import { readFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { isProgram } from '../reader/disks/entries.ts';
import { type Agent, commandIn, type Envelope, onPaths, UUID } from './agent.ts';
import {
  bashEntryPath,
  homeOfBashEntry,
  type Machine,
  ONLY_BASH,
  plainServer,
  SERVER_NAME,
} from './client.ts';
import {
  type Call,
  type Calls,
  type Conversation,
  described,
  field,
  list,
  MAX_CONVERSATIONS,
  printedStart,
  text,
  timeMs,
} from './facts/calls.ts';
import {
  type AgentFile,
  type FileDescription,
  type FileEnds,
  footerOf,
  outcome,
  type TextFrame,
  UNFRAMED,
  type UserFolders,
} from './facts/described.ts';
import { type CallReader, type FactFiles, processExists, wordsOfWriter } from './facts/fact-files.ts';
import { type Path, valueAt } from './formats/format.ts';
import { jsonFormat } from './formats/json.ts';

/** Claude Code rejects either file as corrupted if it has a comment. */
const strict = jsonFormat({ comments: false, trailingCommas: false });
/** What it puts around a command. */
const ENVELOPE: Envelope = {
  head: /^(?:[\s\S]*?&& )?eval /,
  tails: [' < /dev/null && pwd -P >| ', ' \\< /dev/null && pwd -P >| ', ' && pwd -P >| '],
  isQuoted: true,
};

/** More than the transcript and the file's birth differ by. */
const SKEW_MS = 250;
/** Projects whose transcripts are looked at for the newest. */
const MAX_PROJECTS = 16;
/** Transcripts of sub-agents that are searched for a command. */
const MAX_SUBAGENTS = 16;

export const claudeCode: Agent = {
  id: 'claude-code',
  captures: {
    locate: (user) => [
      user.env.CLAUDE_CODE_TMPDIR ?? (user.platform === 'win32' ? user.temporary : '/tmp'),
      user.temporary,
      join(configFolder(user), 'projects'),
    ],
    includes: onPaths(
      [/^claude(-\d+)?$/, /^[^.]/, UUID, 'tasks', /^b\w+\.output$/],
      // A project's folder is named after its absolute path. Any other name would have all of /tmp read, too.
      [/^(-|[A-Za-z]-)/, UUID, 'tool-results', /^[^.].*\.(txt|json)$/],
    ),
    describe: ({ names }) => {
      const [project, session] = names.slice(-4, -2);
      return { project: project ?? null, session: session ?? null };
    },
    frame: (ends, name) => (name.endsWith('.output') ? framed(ends) : UNFRAMED),
    detail,
    conversations,
  },
  client: {
    // Servers in `.claude.json`, which it rewrites itself; its shell's environment in `settings.json`.
    command: 'claude',
    traces: ({ folder, env }) => [
      env.CLAUDE_CONFIG_DIR ?? join(folder, '.claude'),
      join(folder, '.claude.json'),
    ],
    files: ({ folder, env }, wanted) => {
      const own = env.CLAUDE_CONFIG_DIR;
      const settings = [
        {
          path: ['env', 'BASH_ENV'],
          value: bashEntryPath(wanted.home, 'claude-code'),
          keeps: 'a start-up file of bash',
        },
        // Without it bash ignores BASH_ENV when standard input is a socket.
        { path: ['env', 'SHLVL'], value: '2' },
      ];
      return [
        {
          path: join(own ?? folder, '.claude.json'),
          format: strict,
          settings: [{ path: ['mcpServers', SERVER_NAME], value: { type: 'stdio', ...plainServer(wanted) } }],
          servers: { at: serverTables, form: 'plain' },
        },
        {
          path: join(own ?? join(folder, '.claude'), 'settings.json'),
          format: strict,
          settings: wanted.record === null ? [] : settings,
        },
      ];
    },
    recording: { way: { bashEnv: 'claude-code' }, obstacle, obstacleIn },
  },
  shell: {
    marker: 'CLAUDE_CODE_CHILD_SESSION',
    output: /\/claude-\d+\/.*\/tasks\//,
    envelope: ENVELOPE,
  },
  // A failure begins with its exit code.
  passes: {
    whole: 30_000,
    head: 2000,
    tail: 0,
    failed: { whole: 9980, head: 4980, tail: 5000, kept: 30_000 },
  },
  replies: { client: /claude/i, mostBytes: 50_000, shows: 'structured', showsOfError: 'text' },
};

function configFolder({ home, env }: UserFolders): string {
  return env.CLAUDE_CONFIG_DIR ?? join(home, '.claude');
}

function framed(ends: FileEnds): TextFrame {
  // The dying process may write a line after the footer; then the footer stays in the text.
  const footer = footerOf(ends, /\n\[(?:exited with code (-?\d+)|(killed))\]\n(?=[^\n]*\n?$)/);
  if (!footer) return UNFRAMED;
  const { match, at } = footer;
  const facts: FileDescription = match[2] ? { status: 'cancelled' } : outcome(Number(match[1]));
  const isLast = at + match[0].length === ends.size;
  return { start: 0, end: isLast ? at : null, facts };
}

async function* conversations(facts: FactFiles): AsyncIterable<Conversation> {
  const projects = await facts.newest(join(configFolder(facts.user), 'projects'), '', MAX_PROJECTS);
  const newest = await Promise.all(projects.map((path) => facts.newest(path, '.jsonl', MAX_CONVERSATIONS)));
  const own = newest.flat().filter((path) => UUID.test(stemOf(path)));
  for (const path of await facts.lastWritten(own, MAX_CONVERSATIONS)) {
    const parts = await Promise.all(
      (await transcripts(path.replace(/\.jsonl$/, ''), facts)).map((part) => facts.calls(part, reader)),
    );
    const calls = parts.flatMap((part) => part?.all ?? []);
    yield { session: stemOf(path), startedMs: parts[0]?.startedMs ?? null, calls };
  }
}

async function detail(file: AgentFile, facts: FactFiles, known: FileDescription): Promise<FileDescription> {
  const { names, stats } = file;
  const [project, session, folder, name] = names.slice(-4);
  if (!project || !session || !name) return {};
  const transcript = join(configFolder(facts.user), 'projects', project, session);
  const id = name.replace(/\.[^.]*$/, '');
  const isTask = folder === 'tasks';
  const live = await liveSession(session, facts);
  let call: Call | undefined;
  let unsure: FileDescription = {};
  let folderOfProject: string | null = null;
  for (const path of await transcripts(transcript, facts)) {
    const calls = await facts.calls(path, reader);
    folderOfProject ??= calls?.cwd ?? null;
    call = calls?.of(id);
    // The transcript names a command's file only when the command has ended, or has gone to the background.
    if (!call && calls && isTask && (live !== false || file.printed !== undefined)) {
      const open = await candidates(file, calls);
      if (haveOneOutcome(open)) call = open[0];
      else unsure = undecided(open);
    }
    if (call) break;
  }
  const reported = {
    ...(folderOfProject === null ? {} : { project: folderOfProject }),
    // Not what was said before the command was known.
    ...(call ? { ...described(call), warnings: [] } : unsure),
  };
  if (!isTask) return { ...reported, ...(call ? {} : { status: 'succeeded' }), truncated: isCut(stats.size) };
  if (known.status !== undefined) return { ...reported, ...known };
  if (reported.exit_code !== undefined) return reported;
  return { ...reported, ...(live === null ? {} : { status: live ? 'running' : 'interrupted' }) };
}

/**
 * Returns the commands that may print into a task's file. By the transcript, the commands of one turn all begin at the
 * same time. The process that writes to the file tells them apart, or later the output.
 */
async function candidates({ path, stats, command, printed }: AgentFile, calls: Calls): Promise<Call[]> {
  const open = calls.openAt(stats.birthtimeMs, SKEW_MS);
  if (open.length < 2) return open;
  const known = command ?? commandOf(await wordsOfWriter(path));
  const same = known === null ? open : open.filter((call) => call.command === known);
  if (same.length < 2 || printed === undefined) return same;
  const start = printedStart(printed);
  return same.filter((call) => call.printed === start);
}

function commandOf(words: string[] | null): string | null {
  const line = words?.find((word) => word.includes('eval ')) ?? null;
  return line === null ? null : commandIn(ENVELOPE, line);
}

function haveOneOutcome([first, ...others]: readonly Call[]): boolean {
  return (
    first !== undefined &&
    others.every((call) => call.command === first.command && call.exitCode === first.exitCode)
  );
}

function undecided(calls: readonly Call[]): FileDescription {
  if (calls.length === 0) return {};
  const names = [...new Set(calls.map(({ command }) => JSON.stringify(command)))];
  return {
    warnings: [`which of ${names.length} commands printed this is not known: ${names.join(', ')}`],
    mayHaveFailed: calls.some(({ exitCode }) => exitCode !== 0),
  };
}

/** It keeps the first 64 MiB of a long output. */
function isCut(bytes: number): boolean {
  return bytes >= 64 * 1024 * 1024;
}

async function transcripts(session: string, facts: FactFiles): Promise<string[]> {
  return [`${session}.jsonl`, ...(await facts.last(join(session, 'subagents'), MAX_SUBAGENTS))].filter(
    (path) => path.endsWith('.jsonl'),
  );
}

/** Whether a process of the agent has the session open; null where it does not tell. */
async function liveSession(session: string, facts: FactFiles): Promise<boolean | null> {
  const folder = join(configFolder(facts.user), 'sessions');
  const names = (await facts.names(folder)).filter((name) => /^\d+\.json$/.test(name));
  for (const name of names) {
    const value = await facts.json(join(folder, name));
    if (field(value, 'sessionId') === session) return processExists(Number(name.slice(0, -'.json'.length)));
  }
  // An agent that has ended removed its file, unless this version keeps none.
  return (await facts.names(configFolder(facts.user))).includes('sessions') ? false : null;
}

const reader: CallReader = {
  marks: ['"tool_use"', '"tool_result"', 'task-notification'],
  take(value, calls) {
    calls.cwd = text(field(value, 'cwd')) ?? calls.cwd;
    const at = timeMs(field(value, 'timestamp'));
    calls.startedMs ??= at;
    const content = field(value, 'message', 'content');
    for (const part of list(content)) takePart(part, value, at, calls);
    takeNotice(text(field(value, 'content')) ?? text(content), at, calls);
  },
};

function takePart(part: unknown, line: unknown, at: number | null, calls: Calls): void {
  const result = field(line, 'toolUseResult');
  const type = field(part, 'type');
  const command = text(field(part, 'input', 'command'));
  const id = text(field(part, type === 'tool_use' ? 'id' : 'tool_use_id'));
  if (id === null) return;
  if (type === 'tool_use' && command !== null) {
    // Tools of servers may take a command, too.
    const isShell = !text(field(part, 'name'))?.startsWith('mcp__');
    calls.note(id, { command, startedMs: at, cwd: calls.cwd, isShell });
  }
  if (type !== 'tool_result') return;
  if (field(line, 'sandboxed') === true) calls.note(id, { obstacle: 'it ran in a sandbox' });
  const task = text(field(result, 'backgroundTaskId')) ?? text(field(result, 'taskId'));
  if (task !== null) {
    // It moved to the background: the transcript's next command is another one.
    calls.attach(task, id);
    calls.note(id, { endedMs: at });
    calls.note(id, { endedMs: null, status: 'running' });
    return;
  }
  const path = text(field(result, 'persistedOutputPath'));
  if (path !== null) calls.attach(stemOf(path), id);
  const content = text(field(part, 'content')) ?? '';
  const failed = /^Exit code (-?\d+)/.exec(content);
  const isError = field(part, 'is_error') === true;
  const printed = printedStart(content.slice(failed?.[0].length ?? 0));
  calls.note(id, { endedMs: at, exitCode: failed ? Number(failed[1]) : isError ? null : 0, printed });
}

/** Takes the message that something in the background has ended. */
function takeNotice(notice: string | null, at: number | null, calls: Calls): void {
  const task = /<task-id>([\w-]+)<\/task-id>/.exec(notice ?? '')?.[1];
  const status = /<status>(\w+)<\/status>/.exec(notice ?? '')?.[1];
  const call = task === undefined ? undefined : calls.of(task);
  if (!call || status === undefined) return;
  const exit = /exit code (-?\d+)/.exec(notice ?? '')?.[1];
  call.endedMs = at;
  call.status = status === 'killed' || status === 'stopped' ? 'cancelled' : 'finished';
  if (exit !== undefined) call.exitCode = Number(exit);
  else if (status === 'completed') call.exitCode = 0;
}

function stemOf(path: string): string {
  return path.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '');
}

/** Its commands run in bash or zsh, whichever is named or, for another SHELL, found first. */
function obstacle(machine: Machine, read: (path: string) => string | null): string | null {
  const { env, folder } = machine;
  const settings = join(env.CLAUDE_CONFIG_DIR ?? join(folder, '.claude'), 'settings.json');
  const set =
    valueAt(strict.parse(read(settings) ?? ''), ['env', 'CLAUDE_CODE_SHELL']) ?? env.CLAUDE_CODE_SHELL;
  const named = [set, env.SHELL].filter((path) => typeof path === 'string' && /bash|zsh/.test(path));
  const folders = [
    ...(env.PATH ?? '').split(delimiter),
    '/bin',
    '/usr/bin',
    '/usr/local/bin',
    '/opt/homebrew/bin',
  ];
  const found = ['zsh', 'bash'].flatMap((name) => folders.map((path) => join(path, name)));
  const shell = ([...named, ...found] as string[]).find(isProgram) ?? '';
  return /zsh/.test(basename(shell))
    ? `its commands run in ${shell}, ${ONLY_BASH}: CLAUDE_CODE_SHELL in \`env\` of ${settings} names another`
    : null;
}

function obstacleIn(folder: string): string | null {
  const found = ['.claude/settings.json', '.claude/settings.local.json'].find((name) =>
    setsBashEnv(join(folder, name)),
  );
  return found === undefined ? null : `${found} sets another BASH_ENV: remove it there`;
}

function setsBashEnv(path: string): boolean {
  try {
    const { env } = JSON.parse(readFileSync(path, 'utf8')) as { env?: { BASH_ENV?: unknown } };
    return env?.BASH_ENV !== undefined && homeOfBashEntry(env.BASH_ENV) === null;
  } catch {
    return false;
  }
}

/** It has servers for all projects, and others for one project each. */
function serverTables(root: unknown): Path[] {
  const projects = Object.keys(Object(valueAt(root, ['projects'])));
  return [['mcpServers'], ...projects.map((folder) => ['projects', folder, 'mcpServers'])];
}
