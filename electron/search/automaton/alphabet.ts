/** Groups characters into classes: the expression treats all characters of a class alike. */
import type { Ranges } from './charsets.ts';
import type { Nfa } from './nfa.ts';

export interface Alphabet {
  /** Number of classes, which are numbered from 0. */
  readonly size: number;
  /** Bounds between runs of one class, rising, from 0 to `END`. */
  readonly bounds: readonly number[];
  /** Class of the characters from each bound to the next. */
  readonly classes: readonly number[];
  /** For each character set of the automaton: a 1 for each class in it. */
  readonly members: readonly Uint8Array[];
  /** 1 for each class of word characters. */
  readonly word: Uint8Array;
  /** Outside Unicode mode, a character above U+FFFF is two units, of these classes; else null. */
  readonly pair: { readonly high: number; readonly low: number } | null;
}

/** The last code point, plus one. */
const END = 0x11_0000;
/** U+FFFD, which replaces invalid UTF-8. */
export const REPLACEMENT = 0xfffd;

const HIGH = 0xd800;
const LOW = 0xdc00;
const BEHIND_LOW = 0xe000;
const ASTRAL = 0x1_0000;
/** The C1 controls, which a line's text never holds. */
const C1 = [0x80, 0xa0];

/** Returns null if the expression distinguishes halves of surrogate pairs, which don't exist in UTF-8. */
export function alphabetOf(nfa: Nfa, unicode: boolean): Alphabet | null {
  const sets: Ranges[] = nfa.word ? [...nfa.sets, nfa.word] : [...nfa.sets];
  const bounds = boundsOf(sets);
  const signatures = new Map<string, number>();
  const members: number[][] = [];
  const at = sets.map(() => 0);
  const classes = bounds.slice(0, -1).map((bound) => {
    const signature = sets.map((ranges, i) => {
      while (at[i]! < ranges.length && ranges[at[i]! + 1]! < bound) at[i]! += 2;
      return at[i]! < ranges.length && ranges[at[i]!]! <= bound ? 1 : 0;
    });
    const key = signature.join('');
    const known = signatures.get(key);
    if (known !== undefined) return known;
    signatures.set(key, members.length);
    return members.push(signature) - 1;
  });
  const within = (first: number, behind: number) =>
    new Set(classes.filter((_, i) => bounds[i]! >= first && bounds[i]! < behind));
  const [high, low] = [within(HIGH, LOW), within(LOW, BEHIND_LOW)];
  if (!unicode && (high.size > 1 || low.size > 1)) return null;
  const column = (set: number) => Uint8Array.from(members, (member) => member[set]!);
  return {
    size: members.length,
    bounds,
    classes,
    members: nfa.sets.map((_, set) => column(set)),
    word: nfa.word ? column(nfa.sets.length) : new Uint8Array(members.length),
    pair: unicode ? null : { high: [...high][0]!, low: [...low][0]! },
  };
}

export function classOf({ bounds, classes }: Alphabet, character: number): number {
  return classes[intervalOf(bounds, character)]!;
}

/** Returns the class of each UTF-16 unit. */
export function classesOfUnits({ bounds, classes }: Alphabet): Uint16Array {
  const all = new Uint16Array(ASTRAL);
  for (const [i, symbol] of classes.entries()) {
    if (bounds[i]! < ASTRAL) all.fill(symbol, bounds[i]!, bounds[i + 1]!);
  }
  return all;
}

/** Returns the index of the bound at or before the character. */
export function intervalOf(bounds: readonly number[], character: number): number {
  let low = 0;
  let high = bounds.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (bounds[middle]! <= character) low = middle;
    else high = middle;
  }
  return low;
}

function boundsOf(sets: readonly Ranges[]): number[] {
  const bounds = new Set([0, ...C1, HIGH, LOW, BEHIND_LOW, REPLACEMENT, REPLACEMENT + 1, ASTRAL, END]);
  for (const ranges of sets) {
    for (let i = 0; i < ranges.length; i += 2) {
      bounds.add(ranges[i]!);
      bounds.add(ranges[i + 1]! + 1);
    }
  }
  return [...bounds].sort((a, b) => a - b);
}
