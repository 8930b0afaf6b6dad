/** What changed since it last passed: findings, their order, and what is no difference. */
import { expect, it } from 'vitest';
import { type Comparison, comparing } from '../../../electron/reader/compare/compare.ts';
import { makingTable, packTable, unpackTable } from '../../../electron/reader/compare/table.ts';
import { explainStored } from '../../../electron/reader/failure/explain.ts';
import { lastOf } from '../../../electron/reader/failure/explanation.ts';
import type { FailureText } from '../../../electron/reader/failure/log-lines.ts';
import { compareCases, compareTexts } from '../../fixtures/reader/compare-cases.ts';

const textOf = (text: string | Buffer): FailureText => {
  const bytes = Buffer.from(text);
  return { size: bytes.length, read: (target, position) => bytes.copy(target, 0, position) };
};

const compared = (failed: string | Buffer, ...passes: (string | Buffer)[]): Comparison =>
  compareTexts(textOf(failed), passes.map(textOf));

const letters = (n: number) => n.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!);
const lines = (...all: string[]) => `${all.join('\n')}\n`;

it('finds the explaining line of made-up failures among the first three, with or without an error word', () => {
  const missed = compareCases().filter((one) => {
    const { findings } = compared(one.failed, ...one.passes);
    return !findings
      .slice(0, 3)
      .some(({ kind, text }) => one.explains.test(text) && (!one.isGone || kind === 'gone'));
  });
  expect(missed.map(({ id }) => id)).toEqual([]);
});

it('says nothing of nine in ten further runs that passed, and little of the others', () => {
  const said = compareCases().map((one) => compared(one.another, ...one.passes).findings.length);
  expect(said.filter((count) => count > 0).length).toBeLessThanOrEqual(said.length / 10);
  expect(Math.max(...said)).toBeLessThanOrEqual(2);
});

it('says nothing of the same output, whatever is in it', () => {
  for (const { failed } of compareCases()) {
    expect(compared(failed, failed)).toMatchObject({ findings: [], lines: [], totalFindings: 0 });
  }
});

it('sees no difference in times, process ids, ports, hashes, durations and temporary paths', () => {
  const run = (n: number) =>
    lines(
      `2026-03-0${n}T10:0${n}:11.12${n}Z [41${n}7] listening on 127.0.0.1:5${n}123`,
      `sha256:${String(n).repeat(12)}abcdef${n} built in ${n}.${n}s`,
      `written to /tmp/build-${n}x/out-${n}${n}${n}${n}${n}.bin`,
      `session 4f2a${n}b1c-1d2e-4f3a-9b${n}c-0a1b2c3d4e5f closed after ${n}21ms`,
    );
  expect(compared(run(3), run(1)).findings).toEqual([]);
  expect(compared(run(9), run(1), run(4), run(6)).findings).toEqual([]);
});

it('names the assertion of a test that reports in TAP', () => {
  const report = (...verdict: string[]) =>
    lines('TAP version 13', 'ok 1 - adds', '  ---', '  duration_ms: 1.5', '  ...', ...verdict, '1..2');
  const passed = report('ok 2 - price of a basket', '  ---', '  duration_ms: 2.1', '  ...');
  const failed = report(
    ...['not ok 2 - price of a basket', '  ---', '  duration_ms: 2.6', "  failureType: 'testCodeFailure'"],
    ...['  error: |-', '    Expected values to be strictly equal:', '    ', '    12 !== 10', '    '],
    ...["  code: 'ERR_ASSERTION'", '  expected: 10', '  actual: 12', '  ...'],
  );
  const { findings } = compared(failed, passed);
  expect(findings.map(({ text }) => text.trim())).toContain('Expected values to be strictly equal:');
});

it('names the nearest old message of a new one', () => {
  const [finding] = compared(
    lines('one', 'feature flags loaded from defaults', 'two'),
    lines('one', 'zero', 'feature flags loaded from server', 'two'),
  ).findings;
  expect(finding).toMatchObject({
    kind: 'new',
    line: 2,
    baselineText: 'feature flags loaded from server',
    baselineLine: 3,
  });
});

it('tells a value that all passes had in common, though digits are masked', () => {
  const run = (workers: number, port: number) =>
    lines('begin', `started ${workers} workers`, `metrics at port ${port}`, 'end');
  const passes = [41, 977, 63_001].map((port) => run(8, port));
  expect(compared(run(1, 512), ...passes).findings).toMatchObject([
    { kind: 'changed', line: 2, text: 'started 1 workers', baselineText: 'started 8 workers', count: 1 },
  ]);
});

it('takes a value that varies among the passes for noise', () => {
  const run = (host: string) => lines('begin', `leader is '${host}'`, 'end');
  expect(compared(run('delta'), run('alpha'), run('beta'), run('gamma')).findings).toEqual([]);
});

it('takes a word that varies among the passes for noise, as in the chunks of a bundler', () => {
  const run = (chunk: string) => lines('begin', `preloading chunk-${chunk}.js for home`, 'end');
  const passes = ['QWERTYUI', 'ZXCVBNMA', 'POIUYTRE'].map(run);
  expect(compared(run('LKJHGFDS'), ...passes).findings).toEqual([]);
});

it.each([
  ['in a bundled file', 'chunk-QWERTYUI.js', 'chunk-LKJHGFDS.js', 'chunk-Settings.js'],
  ['of a pod', 'pod api-kqzjw', 'pod api-xbvtr', 'pod api-other'],
  ['behind id=', 'id=dcaae', 'id=ffab', 'id=admin'],
  ['with digits in the pass', 'trace MFRfg2iPwRJUbcqW', 'trace KhyeElKQhzFGqIXc', 'trace nothing'],
])('sees no difference in an id that has no digit: %s', (_, was, now, word) => {
  const run = (id: string) => lines('begin', `sampled ${id} for the report`, 'end');
  expect(compared(run(now), run(was)).findings).toEqual([]);
  expect(compared(run(word), run(was)).findings).toMatchObject([{ line: 2 }]);
});

it('takes words for ids if many are others in each run, unless one tells of an error', () => {
  const run = (from: number, ...more: string[]) =>
    lines(...Array.from({ length: 40 }, (_, i) => `lease ${letters(from + 7919 * i)} was taken`), ...more);
  expect(compared(run(10_000), run(900_000)).findings).toEqual([]);
  expect(compared(run(10_000, 'lease corrupted was taken'), run(900_000)).findings).toMatchObject([
    { kind: 'new', text: 'lease corrupted was taken' },
  ]);
  expect(compared(run(10_000, 'lease abracadabra was taken'), run(10_000)).findings).toMatchObject([
    { kind: 'new', text: 'lease abracadabra was taken' },
  ]);
});

it('names the old line that a changed one is most like', () => {
  const request = (path: string, status: number) => `GET /api/${path} ${status} 12ms`;
  const pass = lines(request('users', 200), request('orders', 200), request('cart', 200));
  const failed = lines(request('users', 200), request('orders', 503), request('cart', 200));
  expect(compared(failed, pass).findings).toMatchObject([
    { kind: 'changed', line: 2, baselineText: request('orders', 200), baselineLine: 2 },
  ]);
});

it('names what is missing, and where it stood in the passes', () => {
  const pass = lines('begin', 'lock acquired', 'writing', 'end');
  expect(compared(lines('begin', 'writing', 'end'), pass, pass).findings).toMatchObject([
    { kind: 'gone', line: null, text: 'lock acquired', count: 1, baselineLine: 2 },
  ]);
});

it('ranks what is missing after an early stop below the message that stopped it', () => {
  const pass = lines('begin', ...Array.from('abcdef', (step) => `step ${step} of the plan is over`), 'end');
  const { findings } = compared(lines('begin', 'configuration is from staging'), pass, pass);
  expect(findings.map(({ kind, count }) => [kind, count])).toEqual([
    ['new', 1],
    ['gone', 7],
  ]);
});

it('tells a count far beyond those of the passes', () => {
  const run = (times: number) => lines('begin', ...Array(times).fill('the queue is being polled'), 'end');
  const [finding] = compared(run(40), run(4), run(6)).findings;
  expect(finding).toMatchObject({ kind: 'changed', count: 40, baselineCounts: [4, 6] });
  expect(compared(run(9), run(4), run(6)).findings).toEqual([]);
});

it('tells an order that all passes had in common, and none of parallel work', () => {
  const steps = ['open the store', 'read the index', 'close the store', 'sign the result', 'send the result'];
  const [a, b, c, d, e] = steps as [string, string, string, string, string];
  const pass = lines(...steps);
  expect(compared(lines(a, c, d, e, b), pass, pass).findings).toMatchObject([{ kind: 'order', count: 1 }]);
  expect(compared(lines(a, c, d, e, b), pass, lines(c, a, b, e, d)).findings).toEqual([]);
  expect(compared(lines(a, c, b, d, e), pass, pass).findings).toMatchObject([{ kind: 'order', count: 1 }]);
});

it('tells a stack trace, and the same message about other things, as one', () => {
  const pass = lines('begin', 'end');
  const { findings } = compared(
    lines(
      'begin',
      'java.io.IOException: disk quota reached',
      '\tat acme.Store.write(Store.java:41)',
      '\tat acme.Main.main(Main.java:7)',
      'record alpha was not written at all',
      'record beta was not written at all',
      'end',
    ),
    pass,
  );
  expect(findings.map(({ line, count }) => [line, count])).toEqual([
    [2, 3],
    [5, 2],
  ]);
});

it('tells as one what only went well, such as the other tests of a file that failed', () => {
  const pass = lines('begin', '✓ test/cart.ts (3 tests)', 'end');
  const failed = lines(
    'begin',
    '❯ test/cart.ts (3 tests | 1 failed)',
    '✓ adds an article',
    '✓ removes the last one',
    '× rounds a price: expected 3 to be 4',
    '✓ is empty at first',
    'end',
  );
  const calm = compared(failed, pass).findings.filter(({ text }) => text.startsWith('✓'));
  expect(calm).toMatchObject([{ kind: 'new', text: '✓ adds an article', count: 3 }]);
});

it('returns every new line in ranges, with blanks and rules between them', () => {
  const { lines: ranges } = compared(
    lines('begin', 'a new remark', '', '-----', 'another new remark', 'end', 'the last new remark'),
    lines('begin', 'end'),
  );
  expect(ranges).toEqual([
    [2, 5],
    [7, 7],
  ]);
});

it('sees an error where the same words were no error before', () => {
  const { findings } = compared(
    lines('[INFO] begin', '[ERROR] quota of the mirror'),
    lines('[INFO] begin', '[INFO] quota of the mirror'),
  );
  expect(findings).toMatchObject([{ kind: 'new', line: 2 }]);
});

it('tells only that it failed when nothing else differs', () => {
  const pass = lines('begin', 'end');
  expect(compared(lines('begin', 'end', 'exit status 1'), pass, pass).findings).toMatchObject([{ line: 3 }]);
});

it('keeps its memory and its answer bounded, and says so', () => {
  const distinct = (word: string, count: number) =>
    Array.from({ length: count }, (_, i) => `${word} ${letters(i)} ${letters(i * 7)}`);
  const many = compared(lines(...distinct('failed', 18_000)), lines(...distinct('passed', 18_000)));
  expect(many.isCut).toBe(true);
  expect(many.findings.length).toBeLessThanOrEqual(200);
  expect(many.notes.join()).toMatch(/more different messages/);
  // Beyond what is kept, identical lines are still no difference.
  const same = lines(...distinct('passed', 18_000));
  expect(compared(same, same).findings).toEqual([]);
});

it('keeps the last new message that tells of an error, after more than it keeps', () => {
  const many = Array.from({ length: 20_000 }, (_, i) => `the step ${letters(i)} went ${letters(i * 7)}`);
  const failed = lines('begin', ...many, 'the certificate of the mirror has expired', ...many.slice(9000));
  const { findings, isCut } = compared(failed, lines('begin', 'end'));
  expect(isCut).toBe(true);
  expect(findings.slice(0, 3)).toContainEqual(
    expect.objectContaining({ line: 20_002, text: 'the certificate of the mirror has expired' }),
  );
});

it('compares the beginnings of long lines', () => {
  const long = `start ${'x'.repeat(3_000_000)}`;
  expect(compared(lines('begin', long, 'oops, a new line'), lines('begin', long)).findings).toMatchObject([
    { line: 3 },
  ]);
  expect(compared(long, long).findings).toEqual([]);
});

/** As if all texts were long. */
const LONG = { wholeBytes: 1000, mostDecoded: 400_000 };
const filler = Array.from({ length: 5000 }, (_, i) => `request ${i} took ${i % 90} ms\n`).join('');

it('reads all of a long text, but not every line of a frequent message', () => {
  const failed = `${filler}a line in the middle\n${filler}${'the same remark\n'.repeat(700)}`;
  const pass = `${filler}${filler}${'the same remark\n'.repeat(200)}`;
  const { findings, lines: ranges, notes } = compareTexts(textOf(failed), [textOf(pass), textOf(pass)], LONG);
  expect(findings).toMatchObject([
    { kind: 'new', line: 5001, text: 'a line in the middle', count: 1 },
    { kind: 'changed', line: 10_002, count: 700, baselineCounts: [200, 200] },
  ]);
  expect(ranges).toEqual([[5001, 5001]]);
  expect(notes).toEqual([expect.stringMatching(/^of messages with many lines .* some lines were/)]);
  expect(compareTexts(textOf(pass), [textOf(pass)], LONG).findings).toEqual([]);
});

it('marks every line of a new message in a long text', () => {
  const failed = Array.from({ length: 4000 }, (_, i) => `request ${i}\nlost packet ${i}\n`).join('');
  const { findings, lines: ranges } = compareTexts(textOf(failed), [textOf(filler)], LONG);
  expect(findings.find(({ text }) => text.startsWith('lost'))).toMatchObject({ line: 2, count: 4000 });
  // Between two of its lines is one of another new message.
  expect(ranges).toEqual([[1, 8000]]);
});

it('says that it has not looked at all messages of a text with too many', () => {
  const distinct = (word: string) =>
    Array.from({ length: 3000 }, (_, i) => `${word} ${'abcdefghij'.repeat(1 + (i % 7))}${letters(i)}\n`).join(
      '',
    );
  const limits = { wholeBytes: 1000, mostDecoded: 500 };
  const { notes, findings } = compareTexts(textOf(distinct('failed')), [textOf(distinct('passed'))], limits);
  expect(notes.join()).toMatch(/the baselines have more different messages/);
  expect(notes.join()).toMatch(/the output has more different messages/);
  expect(findings).toEqual([]);
});

it('compares the lines that explain a failure, though it has not looked at all messages', () => {
  const distinct = Array.from({ length: 3000 }, (_, i) => `${'abcdefghij'.repeat(1 + (i % 7))}${letters(i)}`);
  const failed = lines(...distinct, 'error: the certificate of the mirror has expired');
  const limits = { wholeBytes: 1000, mostDecoded: 500 };
  const { findings, notes } = compareTexts(textOf(failed), [textOf(lines('begin'))], limits);
  expect(notes.join()).toContain('the output has more different messages');
  expect(findings[0]).toMatchObject({ line: 3001, text: expect.stringContaining('certificate') });
});

it('compares texts of any encoding', () => {
  const utf16 = (text: string) => ({ ...textOf(Buffer.from(text, 'utf16le')), encoding: 'utf-16le' });
  const failed = lines('begin', 'größer als zuvor', 'end');
  const { findings } = compareTexts(utf16(failed), [textOf(lines('begin', 'end'))]);
  expect(findings).toMatchObject([{ kind: 'new', line: 2, text: 'größer als zuvor' }]);
  expect(compareTexts(textOf(failed), [utf16(failed)]).findings).toEqual([]);
});

it('names the cause, but what the first difference is if the passes had that line, too', () => {
  const known = 'ERROR: cannot load the plugin for maps';
  const pass = lines('begin', known, 'mode: fast', 'end');
  const cause = (failed: string) => compared(failed, pass, pass).cause;
  expect(cause(lines('begin', known, 'mode: slow', 'end'))).toEqual({ line: 3, text: 'mode: slow' });
  const failed = lines('begin', known, 'mode: fast', 'ERROR: the disk is full', 'end');
  expect(cause(failed)).toMatchObject({ line: 4, text: 'ERROR: the disk is full' });
  expect(cause(pass)).toMatchObject({ line: 2 });
  const table = (text: string) => lastOf(makingTable(textOf(text)));
  const named = { cause: { line_number: 2, text: known, score: 0 }, ranked: [] };
  const byTable = { text: textOf(''), table: table(lines('begin', known, 'mode: slow', 'end')), named };
  expect(lastOf(comparing(byTable, [table(pass)])).cause).toEqual({ line: 3, text: 'mode: slow' });
});

it('finds the same with tables that were stored', () => {
  for (const { failed, passes } of compareCases()) {
    const stored = passes.map((pass) => {
      const table = lastOf(makingTable(textOf(pass)));
      const packed = packTable(table, 'a text')!;
      expect(packed.length).toBeLessThanOrEqual(64 * 1024);
      expect(unpackTable(packed, 'another text')).toBeNull();
      return unpackTable(packed, 'a text')!;
    });
    expect(lastOf(comparing({ text: textOf(failed) }, stored))).toEqual(compared(failed, ...passes));
  }
});

it('finds the same, but for lines, in a table of the output', () => {
  for (const { failed, passes } of compareCases()) {
    const tables = passes.map((pass) => lastOf(makingTable(textOf(pass))));
    const table = lastOf(makingTable(textOf(failed)));
    const explained = explainStored(textOf(failed), { from: 0, to: failed.length * 4, firstLine: 1 });
    const { findings } = lastOf(comparing({ text: textOf(failed), table, explained }, tables));
    expect(findings).toEqual(compared(failed, ...passes).findings);
  }
});

it('knows the passes to have a cause whose text joins several lines', () => {
  const pass = lines('begin', 'expected values to be equal:', '1 !== 2', 'end');
  const failed = lines('begin', 'expected values to be equal:', '1 !== 2', 'the disk is full', 'end');
  const table = lastOf(makingTable(textOf(failed)));
  const text = 'expected values to be equal: 1 !== 2';
  const named = { cause: { line_number: 2, text, score: 0 }, ranked: [] };
  const tables = [lastOf(makingTable(textOf(pass)))];
  expect(lastOf(comparing({ text: textOf(failed), table, named }, tables)).cause).toMatchObject({ line: 4 });
});

it('keeps of more messages than fit into a table what tells that they are not new', () => {
  const many = Array.from({ length: 9000 }, (_, i) => `the step ${letters(i)} went ${letters(i * 7)}`);
  const pass = lines('begin', ...many, ...Array(50).fill('the queue is being polled'), 'end');
  const packed = packTable(lastOf(makingTable(textOf(pass))), 'it')!;
  expect(packed.length).toBeLessThanOrEqual(64 * 1024);
  const table = unpackTable(packed, 'it')!;
  expect(lastOf(comparing({ text: textOf(pass) }, [table])).findings).toEqual([]);
  const failed = `${pass}the certificate of the mirror has expired\n`;
  expect(lastOf(comparing({ text: textOf(failed) }, [table])).findings).toMatchObject([
    { kind: 'new', line: 9053 },
  ]);
});

/** Lines with an id of letters alone, which is another one in each run, and with numbers. */
const withIds = (seed: number, ...more: string[]) => {
  const id = (i: number) =>
    Array.from({ length: 16 }, (_, part) => letters((i * i * 7919 * seed * (part + 1)) % 2_147_483_647)).join(
      '',
    );
  const taken = Array.from({ length: 800 }, (_, i) => `the lease ${id(i)} of queue ${i % 300} was taken`);
  return lines('begin', ...taken, ...more, 'end');
};
const stored = (text: string) => unpackTable(packTable(lastOf(makingTable(textOf(text))), 'it')!, 'it')!;
/** Compares by tables alone: reading the output fails. */
const comparedByTables = (failed: string, pass: string) => {
  const unread = { size: failed.length, read: () => expect.unreachable('the output is read') };
  const named = { cause: null, ranked: [] };
  return lastOf(comparing({ text: unread, table: stored(failed), named }, [stored(pass)]));
};

it('needs no text where what does not fit into tables are ids', () => {
  const { findings, notes } = comparedByTables(withIds(7, 'error: the certificate has expired'), withIds(11));
  expect(notes.join()).toContain('messages that differ from many others in one word were not all compared');
  expect(findings[0]).toMatchObject({ kind: 'new', text: 'error: the certificate has expired' });
  const inReverse = withIds(7).split('\n').reverse().join('\n');
  expect(comparedByTables(inReverse, withIds(7)).findings).toEqual([]);
});

it('reads the output if what does not fit into its table may be new', () => {
  const failed = withIds(7, 'the lease abracadabra of queue 7 was taken');
  expect(() => comparedByTables(failed, withIds(7))).toThrow('the output is read');
});

it('keeps few samples of a message with many values', () => {
  const text = lines(
    ...Array.from(
      { length: 5000 },
      (_, i) => `took ${i % 2 ? 1_000_000 + i : `a${i}b7c9d${i}`} of ${i * 3} apples`,
    ),
  );
  const table = lastOf(makingTable(textOf(text)));
  expect(table.samples.length).toBeLessThan(10);
  expect(table.samples.reduce((sum, [, count]) => sum + count, 0)).toBe(5000);
});

it('takes another one of many values for no difference, though a table has few of them', () => {
  const pass = lines(...Array.from({ length: 100 }, (_, i) => `the shard /srv/data/s${i}/a.log is ready`));
  const failed = `${pass}the shard /srv/data/other/a.log is ready\n`;
  const table = stored(pass);
  expect(table.samples.length).toBeLessThan(5);
  expect(lastOf(comparing({ text: textOf(failed) }, [table, table])).findings).toEqual([]);
});

it('takes no table that is damaged', () => {
  const packed = packTable(lastOf(makingTable(textOf(filler))), 'it')!;
  expect(unpackTable(packed, 'it')).toMatchObject({ lines: 5000 });
  for (const one of ['', 'no table', packed.slice(0, -9), packed.replace(/[a-m]/g, 'z')])
    expect(unpackTable(one, 'it')).toBeNull();
});

it('takes any bytes', () => {
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 7919) % 256));
  expect(() => compared(bytes, Buffer.from(bytes).reverse(), '', '\n\n')).not.toThrow();
  expect(compared('', '').findings).toEqual([]);
  expect(compared('\r\rnew text', 'old\x1b[31m text\x1b[0m\r\n').findings).not.toEqual([]);
});

it.each([
  ['5 tests failed', '3 tests failed'],
  ['finished with exit code 0', 'finished with exit code 3'],
  ['Tests: 2 failed, 40 passed', 'Tests: 4 failed, 40 passed'],
  ['the server said status=200', 'the server said status=500'],
])('with one pass, tells a number that says how it went: %s, %s', (was, now) => {
  expect(compared(lines('begin', now), lines('begin', was)).findings).toMatchObject([
    { kind: 'changed', line: 2, text: now, baselineText: was },
  ]);
});

it.each([
  ['listening on port 80', 'listening on port 81'],
  ['40 requests, 3 errors', '55 requests, 4 errors'],
  ['5 tests failed', '5 tests failed'],
])('with one pass, tells no other number: %s, %s', (was, now) => {
  expect(compared(lines('begin', now), lines('begin', was)).findings).toEqual([]);
});

const series = (...without: number[]) =>
  lines(
    ...Array.from({ length: 20 }, (_, i) => i)
      .filter((i) => !without.includes(i))
      .map((i) => `compile module_${i} ok`),
  );
const many = (count: number) =>
  lines(...Array.from({ length: count }, (_, i) => `ok test_${i} (2${i}ms)`), 'end of it');

it.each([
  ['one of a series', series(7), series(), { kind: 'gone', text: 'compile module_7 ok', count: 1 }],
  ['two of a series', series(0, 9), series(), { kind: 'gone', text: 'compile module_0 ok', count: 2 }],
  ['one of many', many(49), many(50), { kind: 'changed', count: 49, baselineCounts: [50, 50] }],
  [
    'three instead of one',
    'it is full\n'.repeat(3),
    'it is full\n',
    { kind: 'changed', baselineCounts: [1, 1] },
  ],
  ['a timeout', 'config timeout=3s retries=3', 'config timeout=30s retries=3', { kind: 'changed' }],
  ['a share', 'disk usage 100%', 'disk usage 45%', { kind: 'changed', text: 'disk usage 100%' }],
  ['a line of one letter', '', 'a\n', { kind: 'gone', text: 'a' }],
])('tells what all passes have in common: %s', (_, failed, pass, finding) => {
  const other = pass.replace('45%', '46%');
  expect(compared(failed, pass, other).findings).toMatchObject([finding]);
  expect(compared(pass, pass, other).findings).toEqual([]);
});

it('tells of no series that differs from pass to pass, nor of its end, and what is not compared', () => {
  expect(compared(series(7), series(), series(3)).findings).toEqual([]);
  expect(compared(series(18, 19), series()).findings).toEqual([]);
  expect(compared('share 60% of disk\n', 'share 50% of disk\n', 'share 45% of disk\n').findings).toEqual([]);
  const { findings, notes } = compared('built in 3.2s\n', 'built in 1.2s\n');
  expect(findings).toEqual([]);
  expect(notes).toEqual([expect.stringContaining('durations')]);
});

it('says that a long line differs behind its beginning, whatever its digits', () => {
  const long = (end: string) => lines('begin', `rows ${'abc xyz '.repeat(2000)}${end}`, 'end');
  const { findings, isCut, notes } = compared(long('of green 1'), long('of red 2'));
  expect({ findings, isCut }).toEqual({ findings: [], isCut: true });
  expect(notes.join()).toContain('line 2 differs behind the first 400 characters');
  expect(compared(long('of red 1'), long('of red 2'))).toMatchObject({ isCut: false, notes: [] });
  // From stored tables, too.
  const [own, pass] = [long('of green 1'), long('of red 2')].map((text) => {
    const table = lastOf(makingTable(textOf(text)));
    return unpackTable(packTable(table, 'x')!, 'x')!;
  });
  const found = lastOf(comparing({ text: textOf(long('of green 1')), table: own! }, [pass!]));
  expect(found.notes.join()).toContain('line 2 differs behind');
});

it('does not say that nothing differs where values in the middle of a long output were not read', () => {
  const run = (value: number) =>
    Array.from({ length: 5000 }, (_, i) => `row ${i === 2500 ? value : 7} is stored`).join('\n');
  const limits = { wholeBytes: 1024, mostDecoded: 400_000 };
  const { findings, isCut } = compareTexts(textOf(run(8)), [textOf(run(7))], limits);
  expect(findings.length > 0 || isCut).toBe(true);
});

it('beside an empty output, every message is new', () => {
  const { findings } = compared(lines('step 1', 'the store is open'), '');
  expect(findings.map(({ text }) => text).sort()).toEqual(['step 1', 'the store is open']);
});
