/** Groups characters into classes: the expression treats all characters of a class alike. */

/** The characters that an expression tells apart. */
interface CharacterSets {
  readonly sets: readonly Ranges[];
  /** Word characters; null if the expression has no `\b`. */
  readonly word: Ranges | null;
}

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

/** Stands for a character of two UTF-16 units where a class is expected (`Alphabet.pair`). */
export const PAIR = 0xfffe;

/** Returns null if the expression distinguishes halves of surrogate pairs, which don't exist in UTF-8. */
export function alphabetOf(nfa: CharacterSets, unicode: boolean): Alphabet | null {
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

// Asks V8 which characters one atom of an expression matches, with the expression's own flags. So case folding, `\s`
// and `.` mean the same as in a `RegExp`.

/** Rising, disjoint ranges of numbers, as pairs: first and last. */
export type Ranges = readonly number[];

/** Characters passed to V8 at once; its greedy loop would need a large stack for more. */
const CHUNK_CHARS = 4096;
/** Cached answers: `\p{L}` takes V8 a tenth of a second. */
const KEPT_ANSWERS = 512;

const SURROGATES = { first: 0xd800, last: 0xdfff };
const LAST_UNIT = 0xffff;
const LAST_CODE_POINT = 0x10ffff;

const known = new Map<string, Ranges>();

/**
 * Returns the UTF-16 units that `atom`, an expression for one character, matches; in Unicode mode, the code points.
 * Lone surrogates are left out then: text decoded from UTF-8 has none.
 */
export function charsetOf(atom: string, flags: string): Ranges {
  const key = `${flags}/${atom}`;
  const before = known.get(key);
  if (before) return before;
  const asking = ask(atom, flags);
  for (;;) {
    const { done, value } = asking.next();
    if (!done) continue;
    known.set(key, value);
    if (known.size > KEPT_ANSWERS) known.delete(known.keys().next().value!);
    return value;
  }
}

/** Prepares the answer of `charsetOf`, in steps of a few milliseconds. */
export function* prepareCharset(atom: string, flags: string): Generator<void> {
  known.set(`${flags}/${atom}`, yield* ask(atom, flags));
}

/** Returns the same for one character, given as a unit or code point. */
export function charsetOfCharacter(value: number, flags: string): Ranges {
  const ignoreCase = flags.includes('i');
  const unicode = flags.includes('u');
  if (!ignoreCase) return [value, value];
  // Outside Unicode mode, no other character folds to ASCII.
  if (!unicode && value < 0x80) {
    const lower = value | 0x20;
    if (lower < 0x61 || lower > 0x7a) return [value, value];
    return [lower - 0x20, lower - 0x20, lower, lower];
  }
  const hex = value.toString(16);
  return charsetOf(unicode ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`, flags);
}

/** Returns the numbers in any of the sets. */
export function unionOf(sets: readonly Ranges[]): Ranges {
  const pairs = sets
    .flatMap((ranges) =>
      ranges.flatMap((first, i) => (i % 2 === 0 ? [[first, ranges[i + 1]!] as const] : [])),
    )
    .sort(([a], [b]) => a - b);
  const union: number[] = [];
  for (const [first, last] of pairs) {
    if (union.length > 0 && first <= union.at(-1)! + 1)
      union[union.length - 1] = Math.max(union.at(-1)!, last);
    else union.push(first, last);
  }
  return union;
}

/** Yields after each chunk. */
function* ask(atom: string, flags: string): Generator<void, Ranges> {
  const expression = new RegExp(`(?:${atom})+`, `${flags}g`);
  const unicode = flags.includes('u');
  const ranges: number[] = [];
  const add = (first: number, last: number) => {
    if (ranges.at(-1) === first - 1) ranges[ranges.length - 1] = last;
    else ranges.push(first, last);
  };
  const lookAt = (from: number, to: number) => {
    const text = textOf(from, to);
    const width = from > LAST_UNIT ? 2 : 1;
    for (const match of text.matchAll(expression)) {
      const first = from + match.index / width;
      add(first, first + match[0].length / width - 1);
    }
  };
  for (let from = 0; from <= (unicode ? LAST_CODE_POINT : LAST_UNIT); from += CHUNK_CHARS) {
    // Surrogates begin and end at a multiple of the chunk's length, so no chunk mixes them with others.
    if (unicode && from >= SURROGATES.first && from <= SURROGATES.last) continue;
    lookAt(from, from + CHUNK_CHARS - 1);
    yield;
  }
  return ranges;
}

function textOf(from: number, to: number): string {
  const wide = from > LAST_UNIT;
  const units = new Uint16Array((to - from + 1) * (wide ? 2 : 1));
  for (let character = from, at = 0; character <= to; character += 1) {
    if (wide) {
      units[at++] = SURROGATES.first + ((character - 0x1_0000) >> 10);
      units[at++] = 0xdc00 + (character & 0x3ff);
    } else units[at++] = character;
  }
  return Buffer.from(units.buffer).toString('utf16le');
}
