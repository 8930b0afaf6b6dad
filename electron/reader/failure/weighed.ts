/** A line with what speaks for its being the cause. */
import type { ColumnSigns } from './close/columns.ts';
import type { Kinship } from './close/kin.ts';
import type { Evidence } from './evidence.ts';
import type { CountedPlace } from './gather.ts';
import type { LogLine } from './log-lines.ts';

export interface Weighed {
  readonly line: LogLine;
  readonly evidence: Evidence;
  shape: number;
  novelty: number;
  oddness: number;
  /** 0 to 1: how much it stands out among lines that say the same about other things. */
  peer: number;
  /** How much it has to do with what the end says. */
  link: number;
  /** 0 to 0.3: share of its evidence that is added, since it precedes a consequence or follows an opening. */
  followed: number;
  /** How much its place suggests an explanation. */
  beside: number;
  /** How it differs from lines that are built alike. */
  columns: ColumnSigns;
  /** Rare words shared with the last lines. */
  kin: Kinship;
  score: number;
  /** How likely it explains the failure (chance.ts). */
  chance: number;
  /** How likely it explains the failure best (chance.ts). */
  naming: number;
  /** The line with its rare words masked, so that lines printed by one statement have the same pattern. */
  pattern: string;
}

/** Returns the lines with the highest scores first. */
export function byScore(weighed: ReadonlyMap<number, Weighed>): Weighed[] {
  return [...weighed.values()].sort((a, b) => b.score - a.score);
}

/** Weighs a line once; later calls return the same result. */
export type WeighLine = (line: LogLine | undefined, from?: Partial<CountedPlace>) => Weighed | undefined;

/** Evidence of less is none. */
const LEAST_WEIGHT = 0.35;

/** Whether a line has no word for a failure. */
export const isSilent = ({ evidence }: Weighed): boolean => evidence.weight < LEAST_WEIGHT;
