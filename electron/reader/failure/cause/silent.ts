/** Tells whether a line has no word for a failure. */
import type { Weighed } from '../weighed.ts';

/** Evidence of less is none. */
const LEAST_WEIGHT = 0.35;

export const isSilent = ({ evidence }: Weighed): boolean => evidence.weight < LEAST_WEIGHT;
