/** Which arguments of a view mean something in which mode: one that would do nothing is an error, not a surprise. */
import { SpillwayError } from './errors.ts';
import type { InspectParams, ViewMode } from './views.ts';

type ModeArgument = 'lines' | 'start_line' | 'end_line' | 'max_shapes' | 'raw';

const MEANS_SOMETHING_IN: Record<ModeArgument, readonly ViewMode[]> = {
  lines: ['head', 'tail', 'range'],
  start_line: ['range'],
  end_line: ['range'],
  max_shapes: ['summary'],
  raw: ['head', 'tail', 'range'],
};

/**
 * The mode that was asked for; without one, `range` where a start or an end line is given, else `head`.
 * `spell` says an argument's name as the asker writes it. Throws `usage` for an argument that the mode has no use for.
 */
export function viewMode(
  given: Partial<InspectParams>,
  spell: (argument: ModeArgument) => string = (argument) => `\`${argument}\``,
): ViewMode {
  const implied = given.start_line !== undefined || given.end_line !== undefined ? 'range' : 'head';
  const mode = given.mode ?? implied;
  for (const argument of Object.keys(MEANS_SOMETHING_IN) as ModeArgument[]) {
    const modes = MEANS_SOMETHING_IN[argument];
    if (given[argument] === undefined || given[argument] === false || modes.includes(mode)) continue;
    throw new SpillwayError(
      'usage',
      `${spell(argument)} means nothing in mode ${mode}`,
      `leave it out, or use mode ${modes.join(' or ')}`,
    );
  }
  return mode;
}
