/**
 * Declares the command line. `declare/` has each command's options and names the file that runs it. That file is
 * loaded only when the command runs, so help and errors are fast.
 */

import { Option } from 'commander';
import {
  INSPECT_ARGUMENTS,
  LIST_ARGUMENTS,
  READ_ARGUMENTS,
  SEARCH_ARGUMENTS,
  STREAM_ARGUMENTS,
} from '../../shared/arguments/views.ts';
import { ContentType } from '../../shared/artifact.ts';
import { SpillwayError } from '../../shared/errors.ts';
import type { ArchiveFilter } from '../host/archive/reader.ts';
import { SHELLS, type Shell, SpillwayCommand } from './command.ts';
import type { CaptureOptions } from './commands/capture.ts';
import type { CleanupOptions, PinOptions } from './commands/cleanup.ts';
import type { ConnectCommandOptions } from './commands/connect.ts';
import type { McpOptions } from './commands/mcp.ts';
import type { ProxyCommandOptions } from './commands/proxy.ts';
import type { RunOptions } from './commands/run.ts';
import type { ServeOptions } from './commands/serve.ts';
import type { SourcesOptions } from './commands/sources.ts';
import type { TerminalCommandOptions } from './commands/terminal.ts';
import * as examples from './declare/examples.ts';
import {
  addOptions,
  type Finish,
  givenIn,
  hours,
  oneOf,
  type Program,
  wholeNumber,
} from './declare/options.ts';
import { RUN_OPTIONS, TERMINAL_OPTIONS } from './declare/quick-options.ts';
import type { Services } from './services.ts';
import type { Look } from './with-host.ts';

/**
 * Runs one command line; `args` are without `node` and the file. Resolves with the exit status. Throws
 * SpillwayError.
 */
export async function runProgram(args: readonly string[], services: Services): Promise<number> {
  let status = 0;
  const finish: Finish = async (running) => {
    status = await running;
  };
  await declareProgram(finish, services).run(args);
  return status;
}

/** Declares every command and option, in the order of `--help`. */
export function declareProgram(finish: Finish, services: Services): SpillwayCommand {
  const program = new SpillwayCommand('spillway')
    .description(
      'Keeps the whole output of commands and tools, and reads the part that matters: head, tail, matching lines, the cause of a failure.',
    )
    .version(services.version, '--version', 'print the version')
    .helpOption('--help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .enablePositionalOptions()
    .addNotes(examples.TOP);
  declareRun(program, finish, services);
  declareCapture(program, finish, services);
  declareInspect(program, finish);
  declareRead(program, finish);
  declareCompare(program, finish);
  declareSearch(program, finish);
  declareReport(program, finish);
  declareSeen(program, finish);
  declareList(program, finish);
  declareStorage(program, finish);
  declareArchive(program as SpillwayCommand, finish);
  declareTerminal(program, finish, services);
  declareOpen(program, finish, services);
  declareServe(program, finish, services);
  declareMcp(program, finish, services);
  declareProxy(program, finish, services);
  declareConnect(program, finish, services);
  declareCompletion(program, finish);
  declareDoctor(program, finish, services);
  return program as SpillwayCommand;
}

/** Declares the commands that record: run, capture, terminal. */
export function declareRun(program: Program, finish: Finish, services: Services): void {
  const command = program
    .command('run')
    .summary('run a command and record its output')
    .description(
      "Runs a command as the shell would and records its output. Exits with the command's status: 124 when it timed out, 127 when it was not found.",
    )
    .argument('[COMMAND...]', 'the command and its arguments, after --')
    // Even without --, options after the command's name belong to the command, as with `env` or `nice`.
    .passThroughOptions();
  for (const { flags, help, range } of RUN_OPTIONS) {
    if (range) command.option(flags, help, wholeNumber(flags.split(' ', 1)[0]!, range));
    else command.option(flags, help);
  }
  command
    .addNotes(examples.RUN)
    .action((words: string[], options: RunOptions) =>
      finish(import('./commands/run.ts').then(({ run }) => run(words, options, services))),
    );
}

export function declareCapture(program: Program, finish: Finish, services: Services): void {
  const types = ContentType.exclude(['unknown']).options;
  program
    .command('capture')
    .summary('record standard input')
    .description(
      'Records standard input to its end, then prints it: whole when short, else its head and tail.',
    )
    .option('--source <NAME>', 'what the input is from, in one word (default stdin)')
    .option('--session <S>', 'session of the capture (default $SPILLWAY_SESSION, else "default")')
    .option(
      '--type <T>',
      `type of the content: ${types.join(', ')} (default: detected)`,
      oneOf('--type', 'types', types),
    )
    .option('--tee', 'pass everything through as it arrives, like tee')
    .option('--json', 'print a JSON document about the capture')
    .addNotes(examples.CAPTURE)
    .action((options: CaptureOptions) =>
      finish(import('./commands/capture.ts').then(({ capture }) => capture(options, services))),
    );
}

export function declareTerminal(program: Program, finish: Finish, services: Services): void {
  const command = program
    .command('terminal')
    .summary('start a shell in a recorded terminal')
    .description(
      'Starts a shell in a recorded terminal and marks each command typed in it. Exits with the status of the shell.',
    )
    .argument('[SHELL...]', 'the program and its arguments, after -- (default $SHELL)');
  for (const { flags, help } of TERMINAL_OPTIONS) command.option(flags, help);
  command
    .addNotes(examples.TERMINAL)
    .action((words: string[], options: TerminalCommandOptions) =>
      finish(import('./commands/terminal.ts').then(({ terminal }) => terminal(words, options, services))),
    );
}

/** Declares the commands that manage storage: stats, cleanup, delete, sources, pin, unpin. */
export function declareStorage(program: Program, finish: Finish): void {
  program
    .command('stats')
    .summary('show what is stored and how long it is kept')
    .description('Shows the storage used by each source and session, and how long captures are kept.')
    .option('--json', 'print the figures as one JSON document')
    .action((options: { json?: boolean }) =>
      finish(import('./commands/cleanup.ts').then(({ stats }) => stats(options))),
    );
  program
    .command('cleanup')
    .summary('remove old captures, or all finished ones')
    .description(
      'Removes captures. Without options: those past the retention settings. Never removes running or pinned captures, nor files that Spillway did not write.',
    )
    .option(
      '--older-than <HOURS>',
      'captures that ended at least HOURS ago; 0 removes all finished, unpinned ones',
      hours('--older-than'),
    )
    .option('--session <S>', 'only captures of this session')
    .option(
      '--keep <ID>',
      'keep this capture (repeatable); with --session and no other option, removes the rest of the session',
      (id: string, before: string[] = []) => [...before, id],
    )
    .option('--dry-run', 'only show what would be removed')
    .option('--json', 'print the removed and kept captures as one JSON document')
    .addNotes(examples.CLEANUP)
    .action((options: CleanupOptions) =>
      finish(import('./commands/cleanup.ts').then(({ cleanup }) => cleanup(options))),
    );
  program
    .command('delete')
    .summary('remove captures by name, pinned or not')
    .description('Removes the named captures that have finished, pinned ones too. What runs stays.')
    .argument('<ID...>', 'ids of captures, from `spillway list`')
    .option('--json', 'print the removed and kept captures as one JSON document')
    .action((ids: string[], options: { json?: boolean }) =>
      finish(import('./commands/cleanup.ts').then(({ deleteNamed }) => deleteNamed(ids, options))),
    );
  program
    .command('sources')
    .summary('list the agents whose captures are shown, and switch them')
    .description(
      'Lists the agents that keep captures of their own on this machine, and their settings. With names, changes the settings of those.',
    )
    .argument('[NAME...]', 'names of sources, such as claude-code')
    .option('--on', 'list their captures')
    .option('--off', 'do not list their captures')
    .option('--mcp', 'let agents read their captures over MCP')
    .option('--no-mcp', 'do not let agents read them')
    .option('--rescue <WHAT>', 'keep what they delete: off, failed or all')
    .option('--json', 'print the sources as one JSON document')
    .addNotes(examples.SOURCES)
    .action((names: string[], options: SourcesOptions) =>
      finish(import('./commands/sources.ts').then(({ sources }) => sources(names, options))),
    );
  for (const name of ['pin', 'unpin'] as const) {
    program
      .command(name)
      .summary(name === 'pin' ? 'protect a capture from cleanup' : 'allow cleanup to remove a pinned capture')
      .description(
        name === 'pin'
          ? 'Protects a capture from cleanup until it is unpinned.'
          : 'Removes the pin: cleanup may remove the capture again.',
      )
      .argument('<ID>', 'id of a capture, from `spillway list`')
      .option('--json', 'print the result as one JSON document')
      .action((id: string, options: PinOptions) =>
        finish(import('./commands/cleanup.ts').then((pins) => pins[name](id, options))),
      );
  }
}

const TARGET = 'an id from `spillway list`, `last`, `last-failed`, or any file';
const INSPECT = { ...INSPECT_ARGUMENTS, ...STREAM_ARGUMENTS };
const READ = { ...READ_ARGUMENTS, ...STREAM_ARGUMENTS };

const REDACT_HELP = 'mask tokens, passwords and keys, as in replies to agents';

type Options = Record<string, unknown>;

function printedAs({ json, redact }: Options): Look {
  return { json: json === true, redact: redact === true };
}

/** Declares the commands that read captures and other files: inspect, read, compare, list. */
export function declareInspect(program: Program, finish: Finish): void {
  const command = program
    .command('inspect')
    .summary('print part of an output: head, tail, range, matches, summary, cause')
    .description(
      'Prints part of an output: its head, tail, a range of lines, the lines that match, a summary, or the lines that explain a failure.',
    )
    .argument('<ID|PATH>', TARGET);
  addOptions(command, INSPECT)
    .option('--redact', REDACT_HELP)
    .option('--json', 'print the view as one JSON document')
    .addNotes(examples.INSPECT)
    .action((target: string, options: Options) =>
      finish(
        import('./commands/inspect.ts').then(({ inspect }) =>
          inspect(target, givenIn(options, INSPECT), printedAs(options)),
        ),
      ),
    );
}

export function declareRead(program: Program, finish: Finish): void {
  const command = program
    .command('read')
    .summary('print bytes of an output from an offset')
    .description(
      'Prints the bytes of an output from an offset on, as text, in whole characters. With --search: only the matching lines from there on.',
    )
    .argument('<ID|PATH>', TARGET);
  addOptions(command, READ)
    .option('--redact', REDACT_HELP)
    .option('--json', 'print the window as one JSON document')
    .addNotes(examples.READ)
    .action((target: string, options: Options) =>
      finish(
        import('./commands/inspect.ts').then(({ read }) =>
          read(target, givenIn(options, READ), printedAs(options)),
        ),
      ),
    );
}

export function declareCompare(program: Program, finish: Finish): void {
  program
    .command('compare')
    .summary('print what is new since a command last passed')
    .description(
      'Compares an output with outputs of runs that passed, and prints what is new, changed, gone or in another order, the most telling first.',
    )
    .argument('[FAILED]', 'an id or a file; by default the command that failed last', 'last-failed')
    .argument('[PASSED...]', 'ids or files; by default the last five runs of the same command that passed')
    .option('--json', 'print the comparison as one JSON document')
    .addNotes(examples.COMPARE)
    .action((failed: string, passed: string[], options: Options) =>
      finish(
        import('./commands/inspect.ts').then(({ compare }) => compare(failed, passed, options.json === true)),
      ),
    );
}

export function declareSearch(program: Program, finish: Finish): void {
  const command = program
    .command('search')
    .summary('print the lines of all outputs that match')
    .description(
      'Searches all captures and files in watched folders, newest first. Prints each message once, with the places that have it.',
    )
    .argument('<PATTERN>', 'a regular expression, ignoring case');
  addOptions(command, SEARCH_ARGUMENTS)
    .option('--failed', 'only commands that failed')
    .option('--archive', 'the captures of all machines in the archive, of the last week unless --since says')
    .option('--host <H>', 'with --archive: only those of this machine')
    .option('--json', 'print {outputs, shapes, …} as one JSON document')
    .addNotes(examples.SEARCH)
    .action((pattern: string, options: Options) =>
      finish(
        import('./commands/search.ts').then(({ search }) =>
          search(
            { ...givenIn(options, SEARCH_ARGUMENTS), pattern, failed: options.failed === true },
            options.json === true,
            archiveFilter(options),
          ),
        ),
      ),
    );
}

/** Null without `--archive`, which `--host` needs. */
function archiveFilter(options: Options): ArchiveFilter | null {
  const { archive, failed, host, since } = options as Options & { host?: string; since?: string };
  if (archive === true) return { failed: failed === true, host, since };
  if (host === undefined) return null;
  throw new SpillwayError('usage', '--host needs --archive', 'add --archive, or leave it out');
}

export function declareReport(program: Program, finish: Finish): void {
  program
    .command('report')
    .summary('print a failure as one document to give away')
    .description(
      'Prints a report of a failure as one document: how the command ended, the cause, the lines that explain it, and what changed since it last passed. Secrets are masked.',
    )
    .argument('[ID|PATH]', 'an id or a file; by default the command that failed last', 'last-failed')
    .addOption(
      new Option('--html', 'one HTML file, without scripts, that loads nothing').conflicts('markdown'),
    )
    .option('--markdown', 'Markdown, for an issue or a chat: the default')
    .option('--no-redact', 'leave secrets as they are')
    .addNotes(examples.REPORT)
    .action((target: string, options: Options) => {
      const format = options.html === true ? 'html' : 'markdown';
      return finish(
        import('./commands/inspect.ts').then(({ report }) =>
          report(target, format, options.redact !== false),
        ),
      );
    });
}

export function declareSeen(program: Program, finish: Finish): void {
  program
    .command('seen')
    .summary('show which agents read which lines of an output')
    .description(
      'Shows which agents got which lines of an output in replies, in how many calls and about how many tokens; which lines were only searched, and which were never reached.',
    )
    .argument('<ID|PATH>', TARGET)
    .option('--json', 'print it as one JSON document')
    .action((target: string, options: Options) =>
      finish(import('./commands/seen.ts').then(({ seen }) => seen(target, options.json === true))),
    );
}

export function declareList(program: Program, finish: Finish): void {
  const command = program
    .command('list')
    .summary('list outputs, newest first')
    .description('Lists captures and files in watched folders, newest first.');
  addOptions(command, LIST_ARGUMENTS)
    .option('--unread', 'only outputs of which no agent got more than the preview')
    .option('--archive', 'the captures of all machines in the archive, of the last week unless --since says')
    .option('--failed', 'only commands that failed')
    .option('--host <H>', 'with --archive: only those of this machine')
    .option('--json', 'print {outputs, next_cursor} as one JSON document')
    .addNotes(examples.LIST)
    .action((options: Options) =>
      finish(
        import('./commands/list.ts').then(({ list }) =>
          list(
            { ...givenIn(options, LIST_ARGUMENTS), ...(options.failed === true ? { failed: true } : {}) },
            {
              json: options.json === true,
              unread: options.unread === true,
              archive: archiveFilter(options),
            },
          ),
        ),
      ),
    );
}

/** The actions of `spillway archive`. */
const ARCHIVE_PARTS = ['status', 'push', 'check'] as const;

export function declareArchive(program: SpillwayCommand, finish: Finish): void {
  program
    .command('archive')
    .summary('ship captures to a bucket, and show what waits')
    .description(
      'Works on the archive: a bucket of an S3-compatible store that `archive` in config.json names, to which finished captures are shipped. status: what is shipped, what waits, what went wrong; push: ship what waits; check: test the bucket, and print the least policies.',
    )
    .argument('<WHAT>', ARCHIVE_PARTS.join(', '), oneOf('archive', 'parts', ARCHIVE_PARTS))
    .option('--json', 'print it as one JSON document')
    .action((part: (typeof ARCHIVE_PARTS)[number], options: { json?: boolean }) =>
      finish(import('./commands/archive.ts').then(({ archive }) => archive[part](options))),
    );
  program.commands.at(-1)!.registeredArguments[0]!.argChoices = [...ARCHIVE_PARTS];
}

/** Declares the commands open, serve, mcp, proxy, completion and doctor. */
export function declareOpen(program: Program, finish: Finish, services: Services): void {
  program
    .command('open')
    .summary('open an output in the inspector')
    .description(
      'Opens an output, a file or a folder in the running inspector. Starts one that serves the browser if none runs; it exits after ten minutes without a page or an agent.',
    )
    .argument('[ID|PATH]', 'an artifact id, a file or a folder')
    .option('--agents', 'let agents read it over MCP, until you remove it from the list in the window')
    .addNotes(examples.OPEN)
    .action((target: string | undefined, options: { agents?: boolean }) =>
      finish(import('./commands/open.ts').then(({ open }) => open(target, options, services))),
    );
}

export function declareServe(program: Program, finish: Finish, services: Services): void {
  program
    .command('serve')
    .summary('serve the inspector to the browser, and the MCP socket')
    .description('Serves the interface on 127.0.0.1 and the MCP socket until SIGTERM or Ctrl-C.')
    .argument('[PATH...]', 'files and folders to open')
    .option(
      '--port <N>',
      'port of the interface; 0: any free one (default: the same one each time, if it is free)',
      wholeNumber('--port', { min: 0, max: 65_535 }),
    )
    .option(
      '--mcp-http [PORT]',
      'also serve MCP over HTTP (default: any free port); the bearer token is in run/mcp-http.token in SPILLWAY_HOME',
      wholeNumber('--mcp-http', { min: 0, max: 65_535 }),
    )
    .option(
      '--agents',
      'let agents read the files and folders over MCP, until you remove them from the list in the window',
    )
    .option('--open', 'open the interface in the browser, also if it already runs')
    .addOption(untilUnused())
    .addNotes(examples.SERVE)
    .action((paths: string[], options: ServeOptions) =>
      finish(import('./commands/serve.ts').then(({ serve }) => serve(paths, options, services))),
    );
}

/** Used by `spillway open`: the server it starts has no user to end it. */
function untilUnused(): Option {
  return new Option('--until-unused <MS>').argParser(wholeNumber('--until-unused', { min: 1 })).hideHelp();
}

export function declareMcp(program: Program, finish: Finish, services: Services): void {
  program
    .command('mcp')
    .summary('serve MCP on standard input and output')
    .description('Serves MCP on standard input and output until the input ends.')
    .option('--session <S>', 'session of its captures (default: a new one for this connection)')
    .option('--ephemeral', 'remove its captures when the input ends')
    .option('--no-run', 'offer no tools that run or stop commands')
    .addNotes(examples.MCP)
    .action((options: McpOptions) =>
      finish(import('./commands/mcp.ts').then(({ mcp }) => mcp(options, services))),
    );
}

export function declareProxy(program: Program, finish: Finish, services: Services): void {
  program
    .command('proxy')
    .summary('start an MCP server and capture its long responses')
    .description(
      'Starts an MCP server and forwards its standard input and output. Captures long text responses: the client gets a preview and a tool that reads the rest. Exits with the status of the server.',
    )
    .argument('[SERVER...]', 'the command that starts the server, and its arguments, after --')
    .passThroughOptions()
    .option(
      '--threshold <CHARS>',
      'capture responses with more characters of text (default: setting inlineThresholdChars)',
      wholeNumber('--threshold', { min: 0 }),
    )
    .addNotes(examples.PROXY)
    .action((server: string[], options: ProxyCommandOptions) =>
      finish(import('./commands/proxy.ts').then(({ proxy }) => proxy(server, options, services))),
    );
}

export function declareCompletion(program: SpillwayCommand, finish: Finish): void {
  program
    .command('completion')
    .summary('print a completion script for a shell')
    .description('Prints a script that makes a shell complete commands, options, values and ids.')
    .argument('<SHELL>', SHELLS.join(', '), oneOf('the shell', 'shells', SHELLS))
    .addNotes(examples.COMPLETION)
    .action((shell: Shell) =>
      finish(import('./commands/completion.ts').then(({ completion }) => completion(shell, program))),
    );
  program.commands.at(-1)!.registeredArguments[0]!.argChoices = [...SHELLS];
}

export function declareDoctor(program: Program, finish: Finish, services: Services): void {
  program
    .command('doctor')
    .summary('check what works on this machine')
    .description(
      'Checks what Spillway needs on this machine and prints a line for each check. Exits with 1 when a check fails.',
    )
    .option('--json', 'print the checks as one JSON document')
    .action((options: { json?: boolean }) =>
      finish(import('./commands/doctor.ts').then(({ doctor }) => doctor(options, services))),
    );
}

// Declares connect.

export function declareConnect(program: Program, finish: Finish, services: Services): void {
  program
    .command('connect')
    .summary('add Spillway to an agent, or remove it')
    .description(
      'Adds Spillway to the configuration of agents: as an MCP server and, with --record, as the recorder of their shell commands. Without arguments: lists the agents found here and their state.',
    )
    .argument('[CLIENT...]', 'agents, named as `spillway connect` lists them')
    .option(
      '--record [HOW]',
      'record the shell commands of the agent; with =preview, replace long output by a preview; with =redact, mask secrets before the agent sees them',
    )
    .option(
      '--proxy <SERVER>',
      'put an MCP server that the agent has behind `spillway proxy`; with --remove, take it out again',
      (name: string, before: string[] = []) => [...before, name],
    )
    .option('--print', 'only show the change')
    .option('--remove', 'remove Spillway and restore what was there before')
    .option('--json', 'print one JSON document')
    .addNotes(examples.CONNECT)
    .action((clients: string[], options: ConnectCommandOptions) =>
      finish(
        import('./commands/connect.ts').then(({ connectClients }) =>
          connectClients(clients, options, services),
        ),
      ),
    );
}
