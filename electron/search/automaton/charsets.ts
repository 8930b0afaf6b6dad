/**
 * Asks V8 which characters one atom of an expression matches, with the expression's own flags. So case folding, `\s`
 * and `.` mean the same as in a `RegExp`.
 */

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
