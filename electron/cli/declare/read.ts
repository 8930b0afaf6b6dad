/** Declares the commands that read what was recorded, and other files: inspect, read, list. */
import { Kind, Status, StreamName } from '../../../shared/artifact.ts';
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
} from '../../../shared/limits.ts';
import { ViewMode } from '../../../shared/views.ts';
import * as examples from '../examples.ts';
import type { InspectOptions } from '../inspect.ts';
import type { ListOptions } from '../list.ts';
import { oneOf, wholeNumber } from '../options.ts';
import type { ReadOptions } from '../read.ts';
import type { Finish, Program } from './declaring.ts';

const TARGET = 'an artifact id that `spillway list` shows, or any file';
const STREAMS = `${StreamName.options.join(', ')} (combined of a command, output of the rest)`;

export function declareInspect(program: Program, finish: Finish): void {
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
      finish(import('../inspect.ts').then(({ inspect }) => inspect(target, options))),
    );
}

export function declareRead(program: Program, finish: Finish): void {
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
      finish(import('../read.ts').then(({ read }) => read(target, options))),
    );
}

export function declareList(program: Program, finish: Finish): void {
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
    .action((options: ListOptions) => finish(import('../list.ts').then(({ list }) => list(options))));
}
