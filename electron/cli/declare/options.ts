/** Parses option values. Errors say which values are valid. */
import { SpillwayError } from '../../../shared/errors.ts';
import { nearest } from '../../../shared/text/nearest.ts';
import type { SpillwayCommand } from '../command.ts';

/** Parses a whole number in decimal digits. */
export function wholeNumber(
  flag: string,
  { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {},
): (text: string) => number {
  return (text) => {
    const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
    throw new SpillwayError(
      'usage',
      `${flag} cannot be ${JSON.stringify(text)}`,
      `give a whole number${range(min, max)}`,
    );
  };
}

function range(min: number, max: number): string {
  if (max !== Number.MAX_SAFE_INTEGER) return ` from ${min} to ${max}`;
  return min === Number.MIN_SAFE_INTEGER ? '' : `, ${min} or more`;
}

/** Parses a number of hours, such as 24 or 0.5. */
export function hours(flag: string): (text: string) => number {
  return (text) => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isFinite(value)) return value;
    throw new SpillwayError(
      'usage',
      `${flag} cannot be ${JSON.stringify(text)}`,
      'give a number of hours, 0 or more',
    );
  };
}

/** Parses one of a few words. `noun` names them in the plural. */
export function oneOf<T extends string>(
  flag: string,
  noun: string,
  words: readonly T[],
): (text: string) => T {
  return (text) => {
    const word = words.find((candidate) => candidate === text);
    if (word !== undefined) return word;
    const [near] = nearest(text, words, 1);
    throw new SpillwayError(
      'usage',
      `${flag} cannot be ${JSON.stringify(text)}`,
      `${near ? `did you mean ${near}? The` : 'the'} ${noun} are ${words.join(', ')}`,
    );
  };
}

// Types for the declarations of commands.

export type Program = Pick<SpillwayCommand, 'command'>;
/** Receives the exit status of the command that ran. */
export type Finish = (running: Promise<number>) => Promise<void>;
