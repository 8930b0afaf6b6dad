/**
 * Infers the mode of a view from its arguments, and the arguments that each mode uses. The command line refuses an
 * argument that its mode does not use; MCP drops it and says so, as models tend to fill in every argument.
 */
import { SpillwayError } from '../errors.ts';
import type { Arguments, ViewMode } from './argument.ts';
import { INSPECT_ARGUMENTS } from './views.ts';

type InspectArgument = keyof typeof INSPECT_ARGUMENTS;
type Given = { readonly [Name in InspectArgument]?: unknown };

const TABLE: Arguments = INSPECT_ARGUMENTS;

/**
 * Returns the named or implied mode. `spell` returns an argument's name as the caller writes it. Throws `usage` for an
 * argument that the mode does not use.
 */
export function viewMode(
  given: Given & { mode?: ViewMode | undefined },
  spell: (name: InspectArgument) => string,
): ViewMode {
  const mode = given.mode ?? impliedMode(given);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === false || isUsedIn(mode, name)) continue;
    throw new SpillwayError(
      'usage',
      `${spell(name as InspectArgument)} means nothing in mode ${mode}`,
      `leave it out, or use mode ${modesOf(name)}`,
    );
  }
  return mode;
}

/** Without a mode, a pattern or conditions mean grep, a field a summary, and a start, an end or `around` a range. */
export function impliedMode(given: Given): ViewMode {
  if (given.pattern !== undefined || given.where !== undefined) return 'grep';
  if (given.field !== undefined) return 'summary';
  const isRange = [given.start_line, given.end_line, given.around].some((one) => one !== undefined);
  return isRange ? 'range' : 'head';
}

/** Drops the arguments that the mode does not use. */
export function withoutUnused<T extends object>(given: T, mode: ViewMode): T {
  return Object.fromEntries(Object.entries(given).filter(([name]) => isUsedIn(mode, name))) as T;
}

/**
 * Returns a sentence for each argument that `withoutUnused` drops, if it may be meant: models fill in zeros, false and
 * defaults without need.
 */
export function ignoredArguments(given: object, mode: ViewMode): string[] {
  return Object.entries(given)
    .filter(([name, value]) => !isUsedIn(mode, name) && Boolean(value) && value !== TABLE[name]?.default)
    .map(
      ([name]) =>
        `\`${name}\` means nothing in mode ${mode} and was ignored: for it, use mode ${modesOf(name)}`,
    );
}

function modesOf(name: string): string {
  return TABLE[name]?.modes?.join(' or ') ?? '';
}

/** Also true for arguments of all modes, and for names that are not in the table. */
function isUsedIn(mode: ViewMode, name: string): boolean {
  const modes = Object.hasOwn(TABLE, name) ? TABLE[name]?.modes : undefined;
  return modes === undefined || modes.includes(mode);
}
