/** Tests which lines are weighed, and that lines printed by one statement have one pattern. */
import { expect, test } from 'vitest';
import { scanned } from '../../../../electron/reader/failure/explain.ts';
import { failedText } from '../../../../electron/reader/failure/scope.ts';
import { candidatesOf } from '../../../../electron/reader/failure/weigh.ts';

function candidatesIn(texts: readonly string[]) {
  const bytes = Buffer.from(`${texts.join('\n')}\n`);
  const source = {
    size: bytes.length,
    read: (into: Uint8Array, position: number) => bytes.copy(into, 0, position),
  };
  return candidatesOf(failedText(scanned(source), source));
}

const alike = (count: number) => Array.from({ length: count }, () => 'one plain line like all others');

test('every line of a short text may explain the failure, and few lines of a long one', () => {
  expect(candidatesIn(alike(700))).toHaveLength(700);
  expect(candidatesIn(alike(900)).length).toBeLessThan(100);
});

test('blank lines explain nothing', () => {
  expect(candidatesIn(['one', '', '   ', 'four'])).toHaveLength(2);
});

test('each name with a value is a statement of its own; lines with one frame are one statement', () => {
  const settings = candidatesIn(['shards = 1', 'colour = 3', 'window = 20', 'depth = 7']);
  expect(new Set(settings.map(({ pattern }) => pattern)).size).toBe(4);
  const said = candidatesIn(
    Array.from({ length: 6 }, (_, i) => `stored block ${'abcdef'[i]!.repeat(4)} twice`),
  );
  expect(new Set(said.map(({ pattern }) => pattern)).size).toBe(1);
});

test('what is listed under a warning is weighed with it, up to the end of the list', () => {
  const listed = [
    'Warning: not used by the project:',
    '',
    '    ORBIT_USE_DOUBLE',
    '    TABLE_DIR',
    'configured',
  ];
  const candidates = candidatesIn([...alike(300), ...listed, ...alike(9), 'all passed:', '    fine']);
  const besideOf = (text: string) => candidates.find(({ line }) => line.text.endsWith(text))!.beside;
  expect(['DOUBLE', 'DIR', 'configured', 'fine'].map(besideOf)).toEqual([1.2, 1.2, 0, 0]);
});
