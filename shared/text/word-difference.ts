/** Tells in which words two lines differ. */

export interface WordPart {
  /** In both lines, only in the old one, or only in the new one. */
  readonly of: 'both' | 'old' | 'new';
  readonly text: string;
}

/** Words between the equal beginnings and ends of two lines that are compared one by one. */
const MOST_WORDS = 200;
/** Lines of which the shorter has less than this share of its characters in common are two different lines. */
const COMMON_SHARE = 0.3;

/** Parts in order, an old one before the new one that stands for it; null if the lines have hardly a word in common. */
export function wordDifference(old: string, now: string): WordPart[] | null {
  const a = wordsOf(old);
  const b = wordsOf(now);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const parts: WordPart[] = [];
  const add = (of: WordPart['of'], words: readonly string[]) => {
    if (words.length > 0) parts.push({ of, text: words.join('') });
  };
  add('both', a.slice(0, start));
  const [middleA, middleB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  let [i, j] = [0, 0];
  for (const [nextA, nextB] of commonWords(middleA, middleB)) {
    add('old', middleA.slice(i, nextA));
    add('new', middleB.slice(j, nextB));
    add('both', [middleA[nextA]!]);
    [i, j] = [nextA + 1, nextB + 1];
  }
  add('old', middleA.slice(i));
  add('new', middleB.slice(j));
  add('both', a.slice(a.length - end));
  const joined = joinParts(parts);
  const common = joined.reduce((sum, { of, text }) => sum + (of === 'both' ? text.trim().length : 0), 0);
  return common < COMMON_SHARE * Math.min(old.length, now.length) ? null : joined;
}

/** A message that was never seen has less in common with another than this share: that one is not its past. */
const SHARE_OF_PAST = 0.5;

/** How the message differs from the nearest one of the baselines; null if there is none that it may have been. */
export function pastOf(
  kind: 'new' | 'changed' | 'gone' | 'order',
  was: string,
  now: string,
): WordPart[] | null {
  if (kind === 'gone' || kind === 'order' || was === now) return null;
  const parts = wordDifference(was, now);
  if (kind === 'changed')
    return (
      parts ?? [
        { of: 'old', text: was },
        { of: 'new', text: now },
      ]
    );
  const common = (parts ?? []).filter(({ of }) => of === 'both');
  const chars = common.reduce((sum, { text }) => sum + text.trim().length, 0);
  return chars >= SHARE_OF_PAST * Math.max(was.length, now.length) ? parts : null;
}

/** A version, an address or a time is one word. */
const wordsOf = (text: string): string[] =>
  text.match(/[\p{L}\p{N}_]+(?:[.:]\p{N}[\p{L}\p{N}_]*)*|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];

/** Places of a longest common subsequence, without blanks; none of long lines. */
function commonWords(a: readonly string[], b: readonly string[]): [number, number][] {
  if (a.length > MOST_WORDS || b.length > MOST_WORDS) return [];
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const isSame = a[i] === b[j] && a[i]!.trim() !== '';
      const below = lengths[(i + 1) * width + j]!;
      const beside = lengths[i * width + j + 1]!;
      lengths[i * width + j] = isSame ? lengths[(i + 1) * width + j + 1]! + 1 : Math.max(below, beside);
    }
  }
  const places: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const here = lengths[i * width + j]!;
    if (here === lengths[(i + 1) * width + j]) i++;
    else if (here === lengths[i * width + j + 1]) j++;
    else places.push([i++, j++]);
  }
  return places;
}

/** Joins neighbours of a kind, with the blanks between two that differ: two words are easier to read as one part. */
function joinParts(parts: readonly WordPart[]): WordPart[] {
  const joined: WordPart[] = [];
  let old = '';
  let now = '';
  const add = (of: WordPart['of'], text: string) => {
    const last = joined.at(-1);
    if (last?.of === of) joined[joined.length - 1] = { of, text: last.text + text };
    else if (text !== '') joined.push({ of, text });
  };
  const close = () => {
    // Leave out the blanks that both have around them.
    const before = sameOrNone(blanksBefore(old), blanksBefore(now));
    [old, now] = [old.slice(before.length), now.slice(before.length)];
    const after = sameOrNone(blanksBehind(old), blanksBehind(now));
    const end = after.length;
    add('both', before);
    add('old', old.slice(0, old.length - end));
    add('new', now.slice(0, now.length - end));
    add('both', after);
    old = now = '';
  };
  for (const { of, text } of parts) {
    if (of === 'old') old += text;
    else if (of === 'new') now += text;
    else {
      close();
      add('both', text);
    }
  }
  close();
  return joined;
}

const blanksBefore = (text: string) => text.slice(0, text.length - text.trimStart().length);
const blanksBehind = (text: string) => text.slice(text.trimEnd().length);
const sameOrNone = (a: string, b: string) => (a === b ? a : '');
