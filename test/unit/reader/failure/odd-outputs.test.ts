/** Explains outputs of unusual kinds and sizes sensibly, in bounded time. */
import { describe, expect, test } from 'vitest';
import { cutExplanation } from '../../../../electron/reader/failure/cut.ts';
import { evidenceOf } from '../../../../electron/reader/failure/evidence.ts';
import { explainStored } from '../../../../electron/reader/failure/explain.ts';
import type { FailureText } from '../../../../electron/reader/failure/log-lines.ts';
import { explained } from '../../../fixtures/reader/failures.ts';

const lines = <T = string>(count: number, make: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));
const bytesOf = (text: readonly string[]) => Buffer.from(`${text.join('\n')}\n`);

function shown(bytes: Buffer, budget = 1024): string[] {
  return cutExplanation(explained(bytes), { bytes: budget, lines: 500 }).parts.flatMap((part) =>
    part.content.split('\n'),
  );
}

test('a reason is given only for parts that were chosen for their text', () => {
  const info = lines(3000, (i) => `info ${i + 1}`);
  const odd = 'signing key loaded kid=2025-12';
  const bytes = bytesOf([...info, odd, ...info, 'ERROR: real cause here', ...info]);
  const { parts } = cutExplanation(explained(bytes), { bytes: 4096, lines: 750 });
  const reasons = parts.map(({ content, why }) => {
    if (content.includes('ERROR')) return why === 'error';
    return content.includes(odd) ? why === 'unlike other lines' : why === undefined;
  });
  expect(parts.length).toBeGreaterThan(2);
  expect(reasons).not.toContain(false);
});

describe('output with nothing to explain', () => {
  test('an empty output has no explanation', () => {
    expect(explained(Buffer.alloc(0))).toMatchObject({ cause: null, ranked: [], totalLines: 0 });
  });

  test('blank lines have no cause', () => {
    expect(explained(Buffer.from('\n\n \n')).cause).toBeNull();
  });

  test('numbers that count up have no cause', () => {
    expect(explained(bytesOf(lines(200_000, (i) => String(i + 1)))).cause).toBeNull();
  });

  test('binary data is read without an error', () => {
    const bytes = Buffer.from(lines(20_000, (i) => String.fromCharCode((i * 7919) % 256)).join(''), 'latin1');
    expect(() => explained(bytes)).not.toThrow();
  });
});

describe('large outputs', () => {
  test('a line in the middle of 28 MB is found', { timeout: 240_000 }, () => {
    const row = (i: number) =>
      `[worker ${i % 8}] stored block ${i} of the archive, ${(i * 31) % 997} bytes, digest kept`;
    const text = lines(400_000, row);
    const cause = '[worker 3] block 171003 has digest 9f3a, the manifest says 77c1';
    text[171_003] = cause;
    const bytes = bytesOf([...text, 'archive not sealed']);
    expect(bytes.length).toBeGreaterThan(26 * 1024 * 1024);
    expect(shown(bytes)).toContain(cause);
  });

  test('only the first 4 KB of a line of 64 MB are read', () => {
    const size = 64 * 1024 * 1024;
    const start = Buffer.from('error: ');
    let read = 0;
    const text: FailureText = {
      size,
      read: (bytes, position) => {
        const count = Math.min(bytes.length, size - position);
        bytes.fill(0x78, 0, count);
        if (position < start.length) start.copy(bytes, 0, position);
        read += count;
        return count;
      },
    };
    const explanation = explainStored(text, { from: 0, to: size, firstLine: 1 });
    expect(explanation.cause?.text.length).toBeLessThanOrEqual(4096);
    expect(read).toBeLessThan(size + 1024 * 1024);
    const cut = cutExplanation(explanation, { bytes: 1024, lines: 10 });
    expect(cut).toMatchObject({ lines: 1, isCut: true });
    expect(cut.bytes).toBeLessThanOrEqual(1024);
  });

  test.each([
    ['one letter', 'a'.repeat(4096)],
    ['blanks', `${' '.repeat(4090)}x`],
    ['a drawn rule', `ok${'!'.repeat(4000)}x`],
    ['Base64', 'iVBORw0KGgo/AAA+NSUhEUgAA'.repeat(163)],
    ['dots and dashes', '.-'.repeat(2048)],
  ])('a line of %s costs little', (_, line) => {
    evidenceOf(line);
    const start = process.cpuUsage();
    for (let i = 0; i < 20; i++) evidenceOf(line);
    const { user } = process.cpuUsage(start);
    expect(user / 20).toBeLessThan(20_000);
  });
});

describe('outputs with a structure', () => {
  test('a table shows the row that differs', () => {
    const rows = lines(3000, (i) => `${i},item-${i},12.50,EUR,open`);
    rows[1700] = '1700,item-1700,12.50,EUR,"cannot be shipped: address missing"';
    expect(shown(bytesOf(rows))).toContain(rows[1700]);
  });

  test('JSON lines show the one of another level', () => {
    const rows = lines(3000, (i) =>
      JSON.stringify({ level: 'info', ts: i, msg: 'request done', ms: i % 90 }),
    );
    rows[1234] = JSON.stringify({ level: 'error', ts: 1234, msg: 'upstream closed the connection', ms: 3 });
    expect(explained(bytesOf(rows)).cause?.line_number).toBe(1235);
  });

  test('JSON lines show the one with another message', () => {
    const rows = lines(3000, (i) => JSON.stringify({ lvl: 30, time: i, msg: `job ${i} done`, ms: i % 90 }));
    rows[812] = JSON.stringify({ lvl: 30, time: 812, msg: 'no rates for CHF, taking those of 2019', ms: 3 });
    expect(shown(bytesOf(rows))).toContain(rows[812]);
  });

  describe('JSON lines of services, with an error that was made good', () => {
    const log = (level: string, service: string, msg: string, more: object = {}) =>
      JSON.stringify({ time: '2026-03-01T08:00:00Z', level, service, msg, ...more });
    const usual = (count: number) => lines(count, (i) => log('info', 'api', 'request done', { ms: i % 83 }));

    test.each([
      [
        'by another try',
        [
          log('error', 'api', 'connect ECONNREFUSED 10.0.0.7:5432', { id: 'req-500', attempt: 1 }),
          log('info', 'api', 'request done', { id: 'req-500', attempt: 2 }),
        ],
        'cannot write ledger: disk quota exceeded',
      ],
      [
        'by going on without',
        [
          log('error', 'feed', 'feed-17 is unavailable: read timed out'),
          log('warn', 'feed', 'taking the copy of yesterday'),
          log('info', 'feed', 'feed-17 recovered'),
        ],
        'migration 41 has checksum 7f21, expected 90ab',
      ],
    ])('%s, name the one that ended the run', (_, decoy, cause) => {
      const end = [
        log('error', 'ledger', cause),
        log('info', 'ledger', 'stopping', { code: 1 }),
        log('info', 'api', 'stopping', { code: 0 }),
      ];
      const found = explained(bytesOf([...usual(500), ...decoy, ...usual(1000), ...end])).cause;
      expect(found?.text).toBe(end[0]);
    });
  });

  test('a service with stack traces names an exception, not a frame', () => {
    const frames = lines(30, (i) => `    at com.acme.orders.Step${i}.run(Step${i}.java:${i + 10})`);
    const trace = (what: string, i: number) => [
      `2026-03-01 08:01:${i % 60} WARN  retried: ${what}`,
      ...frames,
    ];
    const usual = (i: number) =>
      `2026-03-01 08:00:${String(i % 60).padStart(2, '0')} INFO  order ${i} stored`;
    const fatal = 'java.lang.IllegalStateException: ledger is closed';
    const text = lines(40, (k) => [
      ...lines(50, (i) => usual(k * 50 + i)),
      ...trace('java.net.ConnectException: reset', k),
    ]);
    const bytes = bytesOf([...text.flat(), '2026-03-01 08:09:01 ERROR giving up', fatal, ...frames]);
    expect(explained(bytes).cause?.text).toBe(fatal);
    expect(shown(bytes)).toContain(fatal);
  });

  test('colours are ignored', () => {
    const text = lines(300, (i) => `\x1b[32m✓\x1b[39m test ${i} (${i % 9} ms)`);
    text[150] =
      '\x1b[31m✕\x1b[39m \x1b[1mtotal\x1b[22m: expected \x1b[32m"EUR"\x1b[39m but got \x1b[31m"USD"\x1b[39m';
    expect(explained(bytesOf(text)).cause?.text).toBe('✕ total: expected "EUR" but got "USD"');
  });

  test('a coloured run of tests shows both sides of the difference', () => {
    const passed = (i: number) =>
      `\x1b[0m\x1b[7m\x1b[1m\x1b[32m PASS \x1b[39m\x1b[22m\x1b[27m\x1b[0m test/unit/part-${i}.test.js`;
    const logged = [
      '  console.error',
      '    Error: refused, as the test wants it',
      '      at fn (src/a.js:3:9)',
      '',
    ];
    const failed = [
      '\x1b[0m\x1b[7m\x1b[1m\x1b[31m FAIL \x1b[39m\x1b[22m\x1b[27m\x1b[0m test/unit/tax.test.js',
      '\x1b[1m\x1b[31m  \x1b[1m● \x1b[22m\x1b[1mrounds half up\x1b[39m\x1b[22m',
      '',
      '    \x1b[2mexpect(\x1b[22m\x1b[31mreceived\x1b[39m\x1b[2m).\x1b[22mtoBe\x1b[2m(\x1b[22m\x1b[32mexpected\x1b[39m\x1b[2m)\x1b[22m',
      '',
      '    Expected: \x1b[32m12.35\x1b[39m',
      '    Received: \x1b[31m12.34\x1b[39m',
    ];
    const text = lines(200, (i) =>
      i % 10 === 4 ? [...logged, passed(i)] : i === 120 ? failed : [passed(i)],
    ).flat();
    const seen = shown(bytesOf([...text, 'Tests: 1 failed, 812 passed']));
    expect(seen).toContain('    Expected: 12.35');
    expect(seen).toContain('    Received: 12.34');
  });

  test('eight compilers at once show the one error among their lines', () => {
    const compile = (i: number) => `gcc -O2 -Wall -Iinclude -c -o obj/mod${i}.o src/mod${i}.c`;
    const warning = (i: number) => [
      `src/mod${i}.c: In function ‘f${i}’:`,
      `src/mod${i}.c:12:7: warning: unused variable ‘t’ [-Wunused-variable]`,
    ];
    const text = lines(400, (i) => (i % 5 === 2 ? [compile(i), ...warning(i - 2)] : [compile(i)])).flat();
    const cause = 'src/mod211.c:40:3: error: ‘struct ring’ has no member named ‘tail’';
    text.splice(333, 0, cause);
    const end = ['make: *** [Makefile:7: obj/mod211.o] Error 1', 'make: *** Waiting for unfinished jobs....'];
    const tail = lines(7, (i) => compile(500 + i));
    expect(explained(bytesOf([...text, end[0]!, end[1]!, ...tail])).cause?.text).toBe(cause);
  });
});
