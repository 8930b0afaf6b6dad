/** The stored form of a text's view. */
import * as z from 'zod';
import type { ViewState } from '../../viewer/view-state.ts';

const line = z.number().int().min(1);
/** `end` stands for the end of a line, as JSON has no infinity. */
const column = z.union([z.number(), z.literal('end').transform(() => Number.POSITIVE_INFINITY)]);
const columns = z.object({ anchor: column, focus: column });
export const StoredView = z.object({
  line: line.nullable(),
  px: z.number(),
  range: z.object({ start: line, end: line }).nullable(),
  selection: z
    .union([z.object({ anchor: line, focus: line, columns }), z.object({ anchor: line, focus: line })])
    .nullable(),
  selectedAt: z.number().optional(),
  following: z.enum(['off', 'on', 'paused']).catch('off'),
  current: line.nullable(),
});

/** Returns the view without what only the present window knows. */
export function lastingView({ from: _, ...lasting }: ViewState): Omit<ViewState, 'from'> {
  return lasting;
}

export function viewsAsJson(value: unknown): string {
  return JSON.stringify(value, (_, each) => (each === Number.POSITIVE_INFINITY ? 'end' : each));
}
