/** Tests comparing a line with those built alike. */
import { expect, test } from 'vitest';
import { type ColumnSigns, compareColumns, NO_SIGNS } from '../../../../electron/reader/failure/columns.ts';
import { LogLines } from '../../../../electron/reader/failure/log-lines.ts';
import { textOf } from '../../../fixtures/reader/failures.ts';

const linesOf = (lines: readonly string[]) =>
  new LogLines(textOf(Buffer.from(lines.map((line) => `${line}\n`).join(''))), lines.length);

const many = (count: number, line: (i: number) => string) => Array.from({ length: count }, (_, i) => line(i));

const signsOf = (lines: readonly string[]) => compareColumns(linesOf(lines).ends(1e6, 0));

const signsAt = (lines: readonly string[], index: number): ColumnSigns =>
  signsOf(lines).get(index + 1) ?? NO_SIGNS;

test('a value that others do not have is rare, however often the lines come', () => {
  const lines = many(200, (i) => `changes: ${i === 77 ? 0 : 1}   total: ${i % 3}`);
  expect(signsAt(lines, 77).rare).toBeGreaterThan(0.7);
  expect(signsAt(lines, 77).departs).toBeGreaterThan(0.7);
  expect(signsAt(lines, 76).rare).toBeLessThan(0.3);
});

test('a value that differs in every line is not rare; one that comes twice stands out', () => {
  const lines = many(60, (i) => `insert key R${i === 33 ? 32 : i} done`);
  expect(signsAt(lines, 20).rare).toBeLessThan(0.01);
  expect(signsAt(lines, 20).twice).toBe(0);
  expect(signsAt(lines, 33).twice).toBe(1);
});

test.each([
  ['times', (i: number) => `08:${10 + (i % 50)}:07 ping done`],
  ['ids', (i: number) => `ping ${(i * 7919 + 0xabcdef12).toString(16)} done`],
])('%s are not compared', (_, line) => {
  expect([...signsOf(many(100, line)).values()].every(({ rare }) => rare === 0)).toBe(true);
});

test.each([
  ['port', 'proxy_pass http://127.0.0.1:7610;'],
  ['host', 'proxy_pass http://127.0.0.9:7601;'],
])('another %s of an address is rare, though addresses have as many digits as times', (_, odd) => {
  const lines = many(80, (i) => (i === 41 ? odd : 'proxy_pass http://127.0.0.1:7601;'));
  expect(signsAt(lines, 41).rare).toBeGreaterThan(0.6);
  expect(signsAt(lines, 41).departs).toBeGreaterThan(0.6);
});

test('a file of another folder is rare', () => {
  const lines = many(80, (i) => `read /usr/lib/part/f${i}.a done`);
  lines[41] = 'read /srv/old/unit.a done';
  expect(signsAt(lines, 41).rare).toBeGreaterThan(0.4);
});

test('a traced line from a file that few lines come from begins unlike the others', () => {
  const lines = many(300, (i) => `/usr/share/mod${i % 4}.txt(${i}):  set(A${i} x)`);
  lines[3] = '/srv/app/ci.txt(2):  set(TLS OFF CACHE BOOL)';
  expect(signsAt(lines, 3).lead).toBeGreaterThan(0.6);
});

test('colours and redrawn text do not count', () => {
  const plain = many(30, (i) => `node ${i} state ${i === 9 ? 'idle' : 'busy'}`);
  const coloured = plain.map((line) => `\x1b[32mold\r${line.replace('node', '\x1b[1mnode\x1b[0m')}`);
  expect(signsOf(coloured)).toEqual(signsOf(plain));
});

test('the beginning and the end of a long text are compared, each line with its number', () => {
  const lines = many(20_000, (i) => `line ${String(i + 1).padStart(6, '0')} of a long text`);
  const ends = [...linesOf(lines).ends(96 * 1024, 160 * 1024)];
  expect(ends.length).toBeLessThan(10_000);
  for (const number of [1, 500, 19_990, 20_000]) {
    const line = ends.find((one) => one.number === number)!;
    expect([line.text, line.offset]).toEqual([lines[number - 1], (number - 1) * (lines[0]!.length + 1)]);
  }
  expect(ends.some(({ number }) => number === 10_000)).toBe(false);
});

test('a last line without a line end counts', () => {
  const lines = new LogLines(textOf(Buffer.from('a b c\nd e f')), 2);
  expect([...lines.ends(96, 160)].map(({ text }) => text)).toEqual(['a b c', 'd e f']);
});

test('an empty text has no columns to compare', () => {
  expect(signsOf([]).size).toBe(0);
});
