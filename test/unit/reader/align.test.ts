/** Which lines of two outputs say the same. */
import { expect, test } from 'vitest';
import { aligning } from '../../../electron/reader/compare/align.ts';
import { lastOf } from '../../../electron/reader/failure/explanation.ts';

function textOf(lines: readonly string[]) {
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  return {
    size: bytes.length,
    read: (target: Uint8Array, position: number) => bytes.copy(target, 0, position),
  };
}

const align = (first: readonly string[], second: readonly string[]) =>
  lastOf(aligning(textOf(first), textOf(second)));

const steps = (from: number, to: number, seconds: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `ok test ${from + i} in ${seconds + i} ms`);

test('lines that differ in times alone are aligned, around lines that only one text has', () => {
  const passed = [
    'start of the build',
    '',
    ...steps(1, 5, 20),
    'wrote report.xml',
    ...steps(6, 9, 20),
    'done',
  ];
  const failed = [
    'start of the build',
    '',
    ...steps(1, 5, 31),
    ...steps(6, 9, 44),
    'error: disk is full',
    'done',
  ];
  expect(align(failed, passed)).toMatchObject({
    blocks: [
      [1, 1, 7],
      [8, 9, 4],
      [13, 13, 1],
    ],
    onlyFirst: [[12, 12]],
    onlySecond: [[8, 8]],
    isPartial: false,
  });
});

test('what moved is in no block, and is not missing', () => {
  const one = ['alpha is ready', 'beta is ready', 'gamma is ready', 'delta is ready', 'omega is ready'];
  const other = ['omega is ready', 'alpha is ready', 'beta is ready', 'gamma is ready', 'delta is ready'];
  expect(align(one, other)).toMatchObject({ blocks: [[1, 2, 4]], onlyFirst: [], onlySecond: [] });
});

test('texts without a common line have no blocks, and an empty one aligns with nothing', () => {
  const [one, other] = [['one thing happened'], ['quite another story']];
  expect(align(one, other)).toMatchObject({ blocks: [], onlyFirst: [[1, 1]], onlySecond: [[1, 1]] });
  expect(align([], other)).toMatchObject({ blocks: [], onlyFirst: [], onlySecond: [[1, 1]] });
});

test('blocks rise in both texts, and cover only lines that say the same', () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  for (let round = 0; round < 200; round++) {
    const words = ['read', 'write', 'close', 'open', 'sync'];
    const lines = () => Array.from({ length: random(30) }, () => `${words[random(5)]} a file`);
    const [one, other] = [lines(), lines()];
    const { blocks } = align(one, other);
    let [lastA, lastB] = [0, 0];
    for (const [a, b, count] of blocks) {
      expect(a > lastA && b > lastB).toBe(true);
      expect(one.slice(a - 1, a - 1 + count)).toEqual(other.slice(b - 1, b - 1 + count));
      [lastA, lastB] = [a + count - 1, b + count - 1];
    }
  }
});

test.each([
  ['times and durations', (run: number) => `12:0${run}:07.${run}31 took ${run}4 ms`],
  ['sizes and shares', (run: number) => `${run}.5 MiB read, ${run}7 %`],
  ['hashes', (run: number) => `id ${run}f3a9c${run}e71`],
])('lines are anchors although their %s differ', (_, varying) => {
  // Each message is there six times: only its number tells which one it is.
  const lines = (run: number, numbers: readonly number[], around: string) =>
    [around, ...numbers.map((number) => `${varying(run)} for step ${number}`), around].join('\n');
  const one = lines(1, [1, 2, 3, 4, 5, 6], 'before');
  const other = lines(2, [3, 4, 5, 6, 1, 2], 'another run');
  expect(align(one.split('\n'), other.split('\n')).blocks).toEqual([[4, 2, 4]]);
});

test('of parts of two texts, blocks have the lines of the whole texts', () => {
  const [one, other] = [textOf(['alpha', 'beta']), textOf(['new here', 'alpha', 'beta'])];
  const { blocks } = lastOf(aligning({ ...one, firstLine: 7 }, { ...other, firstLine: 20 }));
  expect(blocks).toEqual([[7, 21, 2]]);
});

test('lines of one message are aligned by the numbers in them where these tell which line is which', () => {
  const without = (last: number) =>
    Array.from({ length: 300 }, (_, i) => i)
      .filter((i) => i % 20 !== last)
      .map((i) => `compiled module_${i} in ${(i * last * 37) % 900} ms`);
  const [one, other] = [without(3), without(13)];
  const { blocks } = align(one, other);
  const nameIn = (line: string | undefined) => line?.split(' ')[1];
  const pairs = blocks.flatMap(([a, b, count]) =>
    Array.from({ length: count }, (_, i) => [a + i, b + i] as const),
  );
  for (const [a, b] of pairs) expect(nameIn(one[a - 1])).toBe(nameIn(other[b - 1]));
  expect(pairs.length).toBe(270);
});

test('numbers that are equal by chance do not move lines of one message apart', () => {
  const requests = (seed: number) =>
    Array.from({ length: 300 }, (_, i) => `request ${((i + seed) * seed * 7919) % 1009} was served`);
  expect(align(requests(3), requests(11)).blocks).toEqual([[1, 1, 300]]);
});
