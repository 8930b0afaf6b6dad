/** Tests comparing a line with those built alike, and with the words of the last lines. */
import { expect, test } from 'vitest';
import { CloseLines } from '../../../../electron/reader/failure/close/close-lines.ts';
import { compareColumns } from '../../../../electron/reader/failure/close/columns.ts';
import { Kin } from '../../../../electron/reader/failure/close/kin.ts';
import { LogLines } from '../../../../electron/reader/failure/log-lines.ts';
import { FailureScanner } from '../../../../electron/reader/failure/scan/scanner.ts';
import { scanAll } from '../../../../electron/reader/failure/stored.ts';
import { weigh } from '../../../../electron/reader/failure/weigh.ts';

function closeOf(text: string, totalLines = text.split('\n').length - 1): CloseLines {
  const bytes = Buffer.from(text);
  const read = (into: Uint8Array, position: number) => bytes.copy(into, 0, position);
  return new CloseLines({ size: bytes.length, read }, totalLines);
}

const many = (count: number, line: (i: number) => string) => Array.from({ length: count }, (_, i) => line(i));
const textOf = (lines: string[]) => `${lines.join('\n')}\n`;

function signsAt(lines: string[], index: number) {
  return compareColumns(closeOf(textOf(lines)))[index]!;
}

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
  expect(compareColumns(closeOf(textOf(many(100, line)))).every(({ rare }) => rare === 0)).toBe(true);
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
  expect(compareColumns(closeOf(textOf(coloured)))).toEqual(compareColumns(closeOf(textOf(plain))));
});

test('a line is kin of the last ones by rare words, in any case and as parts of names', () => {
  const lines = many(400, (i) => `variable V${i} is plain`);
  lines[120] = 'MAX_SHARDS = 1';
  lines.push('plan: 120 units on one of the shards');
  const close = closeOf(textOf(lines));
  const kin = new Kin(close, []);
  expect(kin.ofClose(120).bits).toBeGreaterThan(0.1);
  expect(kin.ofClose(121)).toMatchObject({ bits: 0, share: 0 });
  expect(kin.ofText({ number: 120, text: 'maxShards' }).bits).toBeGreaterThan(0.1);
});

test('words with one stem count as one word, in the plural and with other endings', () => {
  const lines = many(400, (i) => `variable V${i} is plain`);
  lines[120] = 'port_limit: authenticated';
  lines.push('ports limited by authentication');
  const kin = new Kin(closeOf(textOf(lines)), []);
  expect(kin.ofClose(120).share).toBeGreaterThan(0.99);
  expect(kin.ofClose(120).end).toBeGreaterThan(0.5);
});

test('a line is kin of the last ones by rare numbers, which do not count as words', () => {
  const lines = many(400, (i) => `variable ${i % 7} is plain`);
  lines[120] = 'window 42';
  lines.push('only 42 of 300 came');
  const kin = new Kin(closeOf(textOf(lines)), []);
  expect(kin.ofClose(120)).toMatchObject({ bits: 0, share: 0 });
  expect(kin.ofClose(120).figures).toBeGreaterThan(0.4);
  expect(kin.ofClose(121).figures).toBe(0);
});

test('words of a strong line count, but not as words of the end', () => {
  const lines = many(400, (i) => `variable V${i} is plain`);
  lines[50] = 'quota of tenant north';
  lines[200] = 'error: tenant over quota';
  const kin = new Kin(closeOf(textOf(lines)), [{ number: 201, text: lines[200]! }]);
  expect(kin.ofClose(50).bits).toBeGreaterThan(0.1);
  expect(kin.ofClose(50).end).toBe(0);
});

test('a line that speaks of a failure leads to its kin, but not to itself', () => {
  const lines = many(400, (i) => `variable V${i} is plain`);
  lines[50] = 'quota of tenant north';
  lines[200] = 'error: tenant over quota';
  const close = closeOf(textOf(lines));
  const kin = new Kin(close, [{ number: 201, text: lines[200]! }]);
  expect(kin.ofClose(50).bits).toBeGreaterThan(0.1);
  expect(kin.ofClose(200).bits).toBe(0);
});

test('the beginning and the end of a long text are read, each line with its number', () => {
  const lines = many(20_000, (i) => `line ${String(i + 1).padStart(6, '0')} of a long text`);
  const close = closeOf(textOf(lines));
  expect(close.count).toBeLessThan(10_000);
  for (const number of [1, 500, 19_990, 20_000]) {
    const index = close.indexOf(number);
    expect(close.numbers[index]).toBe(number);
    expect(close.offsets[index]).toBe((number - 1) * (lines[0]!.length + 1));
  }
  expect(close.indexOf(10_000)).toBe(-1);
  expect(close.indexOf(20_001)).toBe(-1);
});

test('a last line without a line end counts', () => {
  const close = closeOf('a b c\nd e f', 2);
  expect([close.count, close.numbers.at(-1)]).toEqual([2, 2]);
});

test('an empty text has no columns to compare', () => {
  expect(compareColumns(closeOf('', 0))).toEqual([]);
});

test('the message before the first consequence leads to its kin, however much is printed afterwards', () => {
  const text = textOf([
    ...many(40, (i) => `LIMIT_${'abcdefghij'[i % 10]}${i} := ${i}`),
    'SHARDS := 1',
    ...many(100, (i) => `unit ${i}`),
    'plan: 120 units on 1 shards take long',
    'make: *** [Makefile:5: all] Error 3',
    ...many(600, (i) => `# implicit rule ${i} has no recipe`),
    ...many(8, (i) => `fatal error: ${'stuvwxyz'[i]}.h: ${'no'.repeat(i)} cannot open: permission denied`),
    ...many(40, (i) => `# rule ${i} has no recipe`),
  ]);
  const bytes = Buffer.from(text);
  const source = {
    size: bytes.length,
    read: (into: Uint8Array, position: number) => bytes.copy(into, 0, position),
  };
  const scanner = new FailureScanner(source.size);
  scanAll(scanner, source);
  const weighed = weigh(scanner, new LogLines(source, scanner.lines), []);
  expect([...weighed.values()].find(({ line }) => line.text === 'SHARDS := 1')?.kin.bits).toBeGreaterThan(
    0.1,
  );
});
