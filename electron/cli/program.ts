/**
 * The command line: what can be given to it, and which file does it. Commands are loaded when they are run, so that
 * help, errors and small commands do not wait for the rest.
 */
import { Kind, Status, StreamName } from '../../shared/artifact.ts';
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
import { SpillwayCommand } from './command.ts';
import * as examples from './examples.ts';
import type { InspectOptions } from './inspect.ts';
import type { ListOptions } from './list.ts';
import { oneOf, wholeNumber } from './options.ts';
import type { ReadOptions } from './read.ts';
import type { ServeOptions } from './serve.ts';
import type { Services } from './services.ts';

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
    .addHelpText('after', examples.TOP);
  declareInspect(program, finish);
  declareRead(program, finish);
  declareList(program, finish);
  declareOpen(program, finish, services);
  declareServe(program, finish, services);
  declareMcp(program, finish, services);
  declareDoctor(program, finish, services);
  await (program as SpillwayCommand).run(args);
  return status;
}

type Program = Pick<SpillwayCommand, 'command'>;
type Finish = (running: Promise<number>) => Promise<void>;

const TARGET = 'an artifact id that `spillway list` shows, or any file';
const STREAMS = `${StreamName.options.join(', ')} (combined of a command, output of the rest)`;

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
    .addHelpText('after', examples.MCP)
    .action(() => finish(import('./mcp.ts').then(({ mcp }) => mcp(services))));
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
