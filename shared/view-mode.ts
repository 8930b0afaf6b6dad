/**
 * The modes that the command line and the tools offer, and which arguments mean something in which: one that would do
 * nothing is an error, not a surprise.
 */
import * as z from 'zod';
import { SpillwayError } from './errors.ts';
import type { InspectParams } from './views.ts';

export const OfferedMode = z.enum(['head', 'tail', 'range', 'summary']);
export type OfferedMode = z.infer<typeof OfferedMode>;

type ModeArgument = 'lines' | 'start_line' | 'end_line' | 'max_shapes' | 'raw';

const MEANS_SOMETHING_IN: Record<ModeArgument, readonly OfferedMode[]> = {
  lines: ['head', 'tail', 'range'],
  start_line: ['range'],
  end_line: ['range'],
  max_shapes: ['summary'],
  raw: ['head', 'tail', 'range'],
};

type Given = { mode?: OfferedMode | undefined } & Pick<InspectParams, ModeArgument>;

/**
 * The mode that was asked for; without one, `range` where a start or an end line is given, else `head`.
 * `spell` says an argument's name as the asker writes it. Throws `usage` for an argument that the mode has no use for.
 */
export function viewMode(
  given: Given,
  spell: (argument: ModeArgument) => string = (argument) => `\`${argument}\``,
): OfferedMode {
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
