/**
 * Which arguments of a view mean something in which mode, and which mode is meant when none is named. The command line
 * refuses an argument that would do nothing; over MCP it is left out, since models fill in whatever there is.
 */
import { SpillwayError } from './errors.ts';
import type { InspectParams, ViewMode } from './views.ts';

const MEANS_SOMETHING_IN = {
  lines: ['head', 'tail', 'range'],
  start_line: ['range'],
  end_line: ['range'],
  pattern: ['grep'],
  context_lines: ['grep'],
  max_matches: ['grep'],
  cursor: ['grep'],
  case_sensitive: ['grep'],
  fixed: ['grep'],
  invert: ['grep'],
  max_shapes: ['summary'],
  raw: ['head', 'tail', 'range', 'grep'],
} as const satisfies Partial<Record<keyof InspectParams, readonly ViewMode[]>>;

export type ModeArgument = keyof typeof MEANS_SOMETHING_IN;
const MODE_ARGUMENTS = Object.keys(MEANS_SOMETHING_IN) as ModeArgument[];

type Given = { readonly [Argument in ModeArgument | 'mode']?: unknown };

/**
 * The mode that was asked for. `spell` says an argument's name as the asker writes it. Throws `usage` for an argument
 * that the mode has no use for.
 */
export function viewMode(
  given: Given & { mode?: ViewMode | undefined },
  spell: (argument: ModeArgument) => string,
): ViewMode {
  const mode = given.mode ?? impliedMode(given);
  for (const argument of MODE_ARGUMENTS) {
    if (given[argument] === undefined || given[argument] === false || isOf(argument, mode)) continue;
    throw new SpillwayError(
      'usage',
      `${spell(argument)} means nothing in mode ${mode}`,
      `leave it out, or use mode ${MEANS_SOMETHING_IN[argument].join(' or ')}`,
    );
  }
  return mode;
}

/** Without a mode, a pattern means grep, and a start or an end line a range. */
export function impliedMode(given: Given): ViewMode {
  if (given.pattern !== undefined) return 'grep';
  return given.start_line !== undefined || given.end_line !== undefined ? 'range' : 'head';
}

/** What was given, without the arguments that the mode has no use for. */
export function withoutMeaningless<T extends Given>(given: T, mode: ViewMode): T {
  const kept = Object.entries(given).filter(([name]) => !isModeArgument(name) || isOf(name, mode));
  return Object.fromEntries(kept) as T;
}

function isModeArgument(name: string): name is ModeArgument {
  return Object.hasOwn(MEANS_SOMETHING_IN, name);
}

function isOf(argument: ModeArgument, mode: ViewMode): boolean {
  return (MEANS_SOMETHING_IN[argument] as readonly ViewMode[]).includes(mode);
}
