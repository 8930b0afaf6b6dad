/** Tests comparing a line with those built alike. */
import { expect, test } from 'vitest';
import { rareValues } from '../../../../electron/reader/failure/columns.ts';
import { LogLines } from '../../../../electron/reader/failure/log-lines.ts';
import { textOf } from '../../../fixtures/reader/failures.ts';

const linesOf = (lines: readonly string[]) =>
  new LogLines(textOf(Buffer.from(lines.map((line) => `${line}\n`).join(''))), lines.length);

const many = (count: number, line: (i: number) => string) => Array.from({ length: count }, (_, i) => line(i));

const rareIn = (lines: readonly string[]) => rareValues(linesOf(lines).ends(1e6, 0));

const rareAt = (lines: readonly string[], index: number) => rareIn(lines).get(index + 1) ?? 0;

test('a value that others do not have is rare, however often the lines come', () => {
  const lines = many(200, (i) => `changes: ${i === 77 ? 0 : 1}   total: ${i % 3}`);
  expect(rareAt(lines, 77)).toBeGreaterThan(0.7);
  expect(rareAt(lines, 76)).toBeLessThan(0.3);
});

test('a value that differs in every line is not rare', () => {
  const lines = many(60, (i) => `insert key R${i} done`);
  expect(rareAt(lines, 20)).toBeLessThan(0.01);
});

test.each([
  ['times', (i: number) => `08:${10 + (i % 50)}:07 ping done`],
  ['ids', (i: number) => `ping ${(i * 7919 + 0xabcdef12).toString(16)} done`],
])('%s are not compared', (_, line) => {
  expect([...rareIn(many(100, line)).values()].every((rare) => rare === 0)).toBe(true);
});

test.each([
  ['port', 'proxy_pass http://127.0.0.1:7610;'],
  ['host', 'proxy_pass http://127.0.0.9:7601;'],
])('another %s of an address is rare, though addresses have as many digits as times', (_, odd) => {
  const lines = many(80, (i) => (i === 41 ? odd : 'proxy_pass http://127.0.0.1:7601;'));
  expect(rareAt(lines, 41)).toBeGreaterThan(0.6);
});

test('a file of another folder is rare', () => {
  const lines = many(80, (i) => `read /usr/lib/part/f${i}.a done`);
  lines[41] = 'read /srv/old/unit.a done';
  expect(rareAt(lines, 41)).toBeGreaterThan(0.4);
});

test('colours and redrawn text do not count', () => {
  const plain = many(30, (i) => `node ${i} state ${i === 9 ? 'idle' : 'busy'}`);
  const coloured = plain.map((line) => `\x1b[32mold\r${line.replace('node', '\x1b[1mnode\x1b[0m')}`);
  expect(rareIn(coloured)).toEqual(rareIn(plain));
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
  expect(rareIn([]).size).toBe(0);
});
