/** Shows how a text changed: removed and added lines, with a few unchanged ones around them. */

const AROUND_LINES = 3;

/** Returns lines that begin with `-`, `+` or a space, and `…` where unchanged lines are left out. */
export function diffLines(before: string, after: string): string[] {
  const [old, next] = [linesOf(before), linesOf(after)];
  return hunks(pairs(old, next));
}

type Line = { sign: ' ' | '-' | '+'; text: string };

/**
 * Returns all lines with their signs. Compares the middle, between the common beginning and end, by its longest
 * common subsequence.
 */
function pairs(old: readonly string[], next: readonly string[]): Line[] {
  let head = 0;
  while (head < old.length && old[head] === next[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, next.length) - head && old.at(-1 - tail) === next.at(-1 - tail))
    tail += 1;
  const same = (text: string): Line => ({ sign: ' ', text });
  const middle = common(old.slice(head, old.length - tail), next.slice(head, next.length - tail));
  return [...old.slice(0, head).map(same), ...middle, ...old.slice(old.length - tail).map(same)];
}

function common(old: readonly string[], next: readonly string[]): Line[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint32Array(next.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = next.length - 1; j >= 0; j -= 1)
      lengths[i]![j] =
        old[i] === next[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < next.length) {
    if (i < old.length && j < next.length && old[i] === next[j]) {
      lines.push({ sign: ' ', text: old[i]! });
      i += 1;
      j += 1;
    } else if (j >= next.length || (i < old.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) {
      lines.push({ sign: '-', text: old[i]! });
      i += 1;
    } else {
      lines.push({ sign: '+', text: next[j]! });
      j += 1;
    }
  }
  return lines;
}

function hunks(lines: readonly Line[]): string[] {
  const isShown = (at: number) =>
    lines.slice(Math.max(0, at - AROUND_LINES), at + AROUND_LINES + 1).some(({ sign }) => sign !== ' ');
  const shown: string[] = [];
  lines.forEach(({ sign, text }, at) => {
    if (isShown(at)) shown.push(`${sign} ${text}`);
    else if (at > 0 && isShown(at - 1) && lines.slice(at).some((line) => line.sign !== ' '))
      shown.push('  …');
  });
  return shown;
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
