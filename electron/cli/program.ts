/**
 * The command line: what can be given to it, and which file does it. Commands are loaded when they are run, so that
 * help, errors and small commands do not wait for the rest.
 */
import { ContentType, Kind, Status, StreamName } from '../../shared/artifact.ts';
import {
  DEFAULT_CONTEXT_LINES,
  DEFAULT_LIST_LIMIT,
  DEFAULT_MATCHES,
  DEFAULT_SHAPES,
  DEFAULT_VIEW_LINES,
  DEFAULT_WINDOW_BYTES,
  MAX_CONTEXT_LINES,
  MAX_LIST_LIMIT,
  MAX_MATCHES,
  MAX_SHAPES,
  MAX_VIEW_LINES,
  MAX_WINDOW_BYTES,
} from '../../shared/limits.ts';
import { ViewMode } from '../../shared/views.ts';
import type { CaptureOptions } from './capture.ts';
import type { CleanupOptions } from './cleanup.ts';
import { SpillwayCommand } from './command.ts';
import * as examples from './examples.ts';
import type { InspectOptions } from './inspect.ts';
import type { ListOptions } from './list.ts';
import type { McpOptions } from './mcp.ts';
import { hours, oneOf, wholeNumber } from './options.ts';
import type { PinOptions } from './pin.ts';
import type { ReadOptions } from './read.ts';
import type { RunOptions } from './run.ts';
import type { ServeOptions } from './serve.ts';
import type { Services } from './services.ts';
import type { TerminalCommandOptions } from './terminal.ts';

/** Runs one command line (without `node` and the file). Resolves with the exit status; throws SpillwayError for a person. */
export async function runProgram(args: readonly string[], services: Services): Promise<number> {
  let status = 0;
  const finish: Finish = async (running) => {
    status = await running;
  };
  const program = new SpillwayCommand('spillway')
    .description(
      'Reads the part that matters of output too long to read whole: of commands, tools and log files.',
    )
    .version(services.version, '--version', 'print the version')
    .helpOption('--help', 'say how it is used')
    .helpCommand('help [command]', 'say how a command is used')
    .enablePositionalOptions()
    .addHelpText('after', examples.TOP);
  declareRun(program, finish, services);
  declareCapture(program, finish, services);
  declareInspect(program, finish);
  declareRead(program, finish);
  declareList(program, finish);
  declareLifecycle(program, finish);
  declareTerminal(program, finish);
  declareOpen(program, finish, services);
  declareServe(program, finish, services);
  declareMcp(program, finish, services);
  declareDoctor(program, finish, services);
  await (program as SpillwayCommand).run(args);
  return status;
}

type Program = Pick<SpillwayCommand, 'command'>;
type Finish = (running: Promise<number>) => Promise<void>;

/** A timer of Node's holds no more, in milliseconds. */
const MAX_TIMEOUT = 2 ** 31 - 1;
const TARGET = 'an artifact id that `spillway list` shows, or any file';
const STREAMS = `${StreamName.options.join(', ')} (combined of a command, output of the rest)`;

function declareRun(program: Program, finish: Finish, services: Services): void {
  program
    .command('run')
    .summary('run a command and record what it prints')
    .description(
      'Runs a command as the shell would and records all it prints. Ends with its status; 124 when it timed out, 127 when there is none.',
    )
    .argument('[COMMAND...]', 'the command and its arguments, after --')
    // Of a command that is given without --, the options are its own, as behind `env` or `nice`.
    .passThroughOptions()
    .option('--session <S>', 'the session it is in ($SPILLWAY_SESSION, else default)')
    .option('--cwd <D>', 'the folder it runs in (this one)')
    .option(
      '--timeout <MS>',
      'end it, with all it started, after so many milliseconds',
      wholeNumber('--timeout', { min: 1, max: MAX_TIMEOUT }),
    )
    .option(
      '--max-bytes <N>',
      'bytes of each stream that are kept: the head, and the end; 0 keeps all (maxStreamBytes)',
      wholeNumber('--max-bytes', { min: 0 }),
    )
    .option('--pty', 'give it a terminal (so it is when this is one)')
    .option('--no-pty', 'give it two pipes')
    .option('--quiet', 'say nothing of its own beside what the command prints')
    .option('--json', 'print what was recorded as one JSON document, instead of what the command prints')
    .addHelpText('after', examples.RUN)
    .action((command: string[], options: RunOptions) =>
      finish(import('./run.ts').then(({ run }) => run(command, options, services))),
    );
}

function declareCapture(program: Program, finish: Finish, services: Services): void {
  const types = ContentType.exclude(['unknown']).options;
  program
    .command('capture')
    .summary('record standard input')
    .description(
      'Records standard input to its end, then prints it when it is short, else its head and its tail.',
    )
    .option('--source <NAME>', 'where it comes from, in a word (stdin)')
    .option('--session <S>', 'the session it is in ($SPILLWAY_SESSION, else default)')
    .option('--type <T>', `what it is: ${types.join(', ')} (found out)`, oneOf('--type', 'types', types))
    .option('--tee', 'pass everything through as it comes, instead')
    .option('--json', 'print what was recorded as one JSON document')
    .addHelpText('after', examples.CAPTURE)
    .action((options: CaptureOptions) =>
      finish(import('./capture.ts').then(({ capture }) => capture(options, services))),
    );
}

function declareInspect(program: Program, finish: Finish): void {
  const modes = ViewMode.options;
  program
    .command('inspect')
    .summary('print the head, the tail, a range, the matching lines or a summary of an output')
    .description(
      'Prints part of an output: its first lines, its last, a range of them, those that match, or a summary.',
    )
    .argument('<ID|PATH>', TARGET)
    .option(
      '--mode <MODE>',
      `${modes.join(', ')} (head; grep when --pattern is given, range when --start or --end is)`,
      oneOf('--mode', 'modes', modes),
    )
    .option(
      '--lines <N>',
      `lines of head, tail or range (${DEFAULT_VIEW_LINES}, at most ${MAX_VIEW_LINES})`,
      wholeNumber('--lines', { min: 1 }),
    )
    .option('--start <N>', 'first line of a range, from 1', wholeNumber('--start'))
    .option('--end <N>', 'last line of a range, included', wholeNumber('--end'))
    .option('--pattern <RE>', 'for grep: a regular expression, matched line by line, ignoring case')
    .option(
      '--context <N>',
      `lines around each match (${DEFAULT_CONTEXT_LINES})`,
      wholeNumber('--context', { min: 0, max: MAX_CONTEXT_LINES }),
    )
    .option(
      '--max-matches <N>',
      `matching lines at most (${DEFAULT_MATCHES})`,
      wholeNumber('--max-matches', { min: 0, max: MAX_MATCHES }),
    )
    .option('--cursor <C>', 'where a grep that showed some of the matches goes on, as it said')
    .option('--case-sensitive', 'capital and small letters differ')
    .option('--fixed', 'the pattern is plain text')
    .option('--invert', 'the lines that do not match')
    .option(
      '--max-shapes <N>',
      `message shapes in a summary (${DEFAULT_SHAPES})`,
      wholeNumber('--max-shapes', { min: 0, max: MAX_SHAPES }),
    )
    .option('--stream <S>', STREAMS, oneOf('--stream', 'streams', StreamName.options))
    .option('--encoding <E>', 'text encoding, such as latin1 (found out by default)')
    .option('--as-text', 'show a binary file as text all the same')
    .option('--raw', 'lines as they were written, escape sequences and redraws included')
    .option('--json', 'print the view as one JSON document')
    .addHelpText('after', examples.INSPECT)
    .action((target: string, options: InspectOptions) =>
      finish(import('./inspect.ts').then(({ inspect }) => inspect(target, options))),
    );
}

function declareRead(program: Program, finish: Finish): void {
  program
    .command('read')
    .summary('print a stretch of an output by byte offset')
    .description(
      'Prints the bytes of an output from an offset on, as text, never splitting a character; or the lines that match from there on.',
    )
    .argument('<ID|PATH>', TARGET)
    .option('--offset <B>', 'bytes from the start (0)', wholeNumber('--offset'))
    .option(
      '--limit <B>',
      `bytes at most (${DEFAULT_WINDOW_BYTES}, at most ${MAX_WINDOW_BYTES})`,
      wholeNumber('--limit', { min: 1, max: MAX_WINDOW_BYTES }),
    )
    .option(
      '--search <RE>',
      'only the lines that match, numbered; plain text where it is no regular expression',
    )
    .option('--stream <S>', STREAMS, oneOf('--stream', 'streams', StreamName.options))
    .option('--encoding <E>', 'text encoding, such as latin1 (found out by default)')
    .option('--as-text', 'show a binary file as text all the same')
    .option('--json', 'print the window as one JSON document')
    .addHelpText('after', examples.READ)
    .action((target: string, options: ReadOptions) =>
      finish(import('./read.ts').then(({ read }) => read(target, options))),
    );
}

function declareList(program: Program, finish: Finish): void {
  program
    .command('list')
    .summary('list the outputs there are, newest first')
    .description(
      'Lists the outputs that are known here, newest first: captures, and files in watched directories.',
    )
    .option('--session <S>', 'only of this session')
    .option(
      '--kind <K>',
      `only of this kind: ${Kind.options.join(', ')}`,
      oneOf('--kind', 'kinds', Kind.options),
    )
    .option(
      '--status <S>',
      `only of this status: ${Status.options.join(', ')}`,
      oneOf('--status', 'statuses', Status.options),
    )
    .option(
      '--limit <N>',
      `at most so many (${DEFAULT_LIST_LIMIT})`,
      wholeNumber('--limit', { min: 1, max: MAX_LIST_LIMIT }),
    )
    .option('--json', 'print {outputs, next_cursor} as one JSON document')
    .addHelpText('after', examples.LIST)
    .action((options: ListOptions) => finish(import('./list.ts').then(({ list }) => list(options))));
}

function declareLifecycle(program: Program, finish: Finish): void {
  program
    .command('stats')
    .summary('say what is stored, and how long it stays')
    .description('Says what the outputs take, by source and by session, and how long captures are kept.')
    .option('--json', 'print the figures as one JSON document')
    .action((options: { json?: boolean }) =>
      finish(import('./stats.ts').then(({ stats }) => stats(options))),
    );
  program
    .command('cleanup')
    .summary('remove captures that are old enough, or all that are finished')
    .description(
      'Removes captures: without options those that the retention settings let go. Running and pinned ones stay, as do files that Spillway did not write.',
    )
    .option(
      '--older-than <HOURS>',
      'those that ended so long ago; 0 is everything finished and unpinned',
      hours('--older-than'),
    )
    .option('--session <S>', 'only of this session')
    .option(
      '--keep <ID>',
      'this one stays, and may be given often; with --session alone, everything else of the session goes',
      (id: string, before: string[] = []) => [...before, id],
    )
    .option('--dry-run', 'say what would go, and remove nothing')
    .option('--json', 'print what went and what stayed as one JSON document')
    .addHelpText('after', examples.CLEANUP)
    .action((options: CleanupOptions) =>
      finish(import('./cleanup.ts').then(({ cleanup }) => cleanup(options))),
    );
  for (const name of ['pin', 'unpin'] as const) {
    program
      .command(name)
      .summary(
        name === 'pin' ? 'keep a capture whatever is cleaned up' : 'let a pinned capture go with the others',
      )
      .description(
        name === 'pin'
          ? 'Keeps a capture from every cleanup, until it is unpinned.'
          : 'Lets a capture that was pinned be cleaned up like the others.',
      )
      .argument('<ID>', 'a capture, by the id that `spillway list` shows')
      .option('--json', 'print the result as one JSON document')
      .action((id: string, options: PinOptions) =>
        finish(import('./pin.ts').then((pins) => pins[name](id, options))),
      );
  }
}

function declareTerminal(program: Program, finish: Finish): void {
  program
    .command('terminal')
    .summary('a terminal that is recorded')
    .description(
      'Starts a shell in a terminal whose output is recorded as it comes, each command in it marked. Ends as the shell ends.',
    )
    .argument('[SHELL...]', 'the program and its arguments, after -- ($SHELL)')
    .option('--name <N>', 'what the list shows it as (the name of the program)')
    .option('--session <S>', 'the session it is in ($SPILLWAY_SESSION, else default)')
    .option('--no-integration', 'do not mark the commands that are typed (bash and zsh)')
    .addHelpText('after', examples.TERMINAL)
    .action((command: string[], options: TerminalCommandOptions) =>
      finish(import('./terminal.ts').then(({ terminal }) => terminal(command, options))),
    );
}

function declareOpen(program: Program, finish: Finish, services: Services): void {
  program
    .command('open')
    .summary('open an output in the inspector')
    .description(
      'Opens an output, a file or a directory in the running inspector, or starts one that serves the browser.',
    )
    .argument('[ID|PATH]', 'an artifact id, a file or a directory')
    .addHelpText('after', examples.OPEN)
    .action((target: string | undefined) =>
      finish(import('./open.ts').then(({ open }) => open(target, services))),
    );
}

function declareServe(program: Program, finish: Finish, services: Services): void {
  program
    .command('serve')
    .summary('serve the inspector to the browser, and the MCP socket, without a window')
    .description('Serves the interface on 127.0.0.1 and the MCP socket until it is ended (SIGTERM, Ctrl-C).')
    .argument('[PATH...]', 'files and directories to open')
    .option(
      '--port <N>',
      'port of the interface (any free one)',
      wholeNumber('--port', { min: 0, max: 65_535 }),
    )
    .option(
      '--mcp-http [PORT]',
      'serve MCP over HTTP, too (any free port); its bearer token is in run/mcp-http.token of the home',
      wholeNumber('--mcp-http', { min: 0, max: 65_535 }),
    )
    .option('--open', 'open the interface in the browser; where one is running, that one')
    .addHelpText('after', examples.SERVE)
    .action((paths: string[], options: ServeOptions) =>
      finish(import('./serve.ts').then(({ serve }) => serve(paths, options, services))),
    );
}

function declareMcp(program: Program, finish: Finish, services: Services): void {
  program
    .command('mcp')
    .summary('an MCP server on standard input and output')
    .description(
      'Serves MCP to the client that starts it, on standard input and output, until the input ends.',
    )
    .option('--session <S>', 'the session its captures belong to (one made for this connection)')
    .option('--ephemeral', 'its captures go when the input ends')
    .option('--no-run', 'offer no tools that run or stop commands')
    .addHelpText('after', examples.MCP)
    .action((options: McpOptions) => finish(import('./mcp.ts').then(({ mcp }) => mcp(options, services))));
}

function declareDoctor(program: Program, finish: Finish, services: Services): void {
  program
    .command('doctor')
    .summary('say what works here and what does not')
    .description(
      'Checks what Spillway needs on this machine, one line each. Ends with 1 when something fails.',
    )
    .option('--json', 'print the checks as one JSON document')
    .action((options: { json?: boolean }) =>
      finish(import('./doctor.ts').then(({ doctor }) => doctor(options, services))),
    );
}
