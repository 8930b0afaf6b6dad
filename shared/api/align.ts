/** Declares which lines of two texts say the same, so that they can be read side by side. */
import * as z from 'zod';
import { DocumentRef } from './rows.ts';

const line = z.number().int().min(1);

export const AlignParams = z.object({ first: DocumentRef, second: DocumentRef });
export type AlignParams = z.infer<typeof AlignParams>;

/** From the first line to the last. */
const Lines = z.tuple([line, line]);

export const Alignment = z.object({
  /** `[line of the first text, line of the second, number of lines]`: neighbours that say the same. Rising in both. */
  blocks: z.array(z.tuple([line, line, line])),
  /** Lines of messages that the other text does not have at all; what only moved is not among them. */
  only_first: z.array(Lines),
  only_second: z.array(Lines),
  /** Says what was not aligned, and why. */
  note: z.string().optional(),
});
export type Alignment = z.infer<typeof Alignment>;
