/** Learning a text's format, and which lines belong together. */
import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { decoderFor } from '../../../electron/reader/bytes/encoding.ts';
import {
  EntryReader,
  type EntryRule,
  formatOf,
  learnFormat,
} from '../../../electron/reader/lines/log-format.ts';
import { EntryBounds } from '../../../electron/reader/views/entry-bounds.ts';
import { NO_FACTS } from '../../../shared/text/line-time.ts';
import fc from '../../fixtures/fast-check.ts';
import { indexed, sourceOf } from '../../fixtures/reader/indexed.ts';
import { cases } from '../../fixtures/sizes.ts';

const writtenBy = Date.UTC(2026, 2, 2, 12);
const times = (line: (i: number) => string) => Array.from({ length: 8 }, (_, i) => line(i));

describe('the format of a text', () => {
  it.each([
    ['syslog', times((i) => `Mar  1 10:00:0${i} host sshd[${i}]: x`), { zone: 'local', entries: 'time' }],
    ['klog', times((i) => `E0301 10:00:0${i}.123456 1 a.go:1] x`), { entries: 'time' }],
    ['logcat', times((i) => `03-01 10:00:0${i}.123  123  456 I Tag: x`), { entries: 'time' }],
    [
      'web access log',
      times((i) => `1.2.3.4 - - [01/Mar/2026:10:00:0${i} +0100] "GET / HTTP/1.1" 200 12`),
      { zone: 'written', time: '01/Mar/2026:10:00:00 +0100' },
    ],
    ['Monolog', times((i) => `[2026-03-01T10:00:0${i}+00:00] app.ERROR: x`), { level: 'word' }],
    [
      'pino JSON',
      times((i) => `{"level":30,"time":177235920000${i},"msg":"x"}`),
      { zone: 'utc', level: 'field' },
    ],
    [
      'JSON lines',
      times((i) => `{"message":"x","severity":"INFO","n":${i}}`),
      { time: null, entries: 'object' },
    ],
    ['JSON behind names', times((i) => `web-1  | {"msg":"x","n":${i}}`), { entries: 'object' }],
    ['logfmt', times((i) => `time=2026-03-01T10:00:0${i}Z level=info msg=x`), { level: 'field' }],
    ['log with times', times((i) => `${10 + i}/03/2026 10:00:00 INFO x`), { day_first: true }],
    [
      'W3C log',
      ['#Fields: date time cs-method', ...times((i) => `2026-03-01 10:00:0${i} GET /`)],
      { zone: 'utc' },
    ],
    ['GitHub Actions', times((i) => `2026-03-01T10:00:0${i}.1234567Z x`), { entries: 'time' }],
    ['syslog', times((i) => `2026-03-01T10:00:0${i}.123456+00:00 host app[${i}]: x`), { zone: 'written' }],
    ['syslog', times((i) => `2026-03-01T10:00:0${i}Z host app - - - x`), { zone: 'written' }],
    ['tracing', times((i) => `2026-03-01T10:00:0${i}.123456Z ERROR app::db: x`), { level: 'word' }],
    ['log with times', times((i) => `2026-03-01T10:00:0${i} DEBUG main.main PM - 17 - x`), { zone: 'local' }],
    [
      'log with times',
      times((i) => `    2026-03-01T10:00:0${i}.123Z [WARN]  client: x`),
      { entries: 'time' },
    ],
    ['log with times', times((i) => `# Time: 2026-03-01T10:00:0${i}.123Z`), { entries: 'time' }],
    ['log with times', times((i) => `Sun Mar  1 10:00:0${i} PST 2026`), { zone: 'written' }],
    ['ESXi', times((i) => `2026-03-01T10:00:0${i}Z Wa(12) a[1]: x`), { level: 'word' }],
    ['Gitea', times((i) => `2026/03/01 10:00:0${i} a/b.go:1:f() [I] x`), { level: 'word' }],
    [
      'Nextcloud JSON',
      times((i) => `{"reqId":"a","level":1,"time":"2026-03-01T10:00:0${i}+00:00"}`),
      { level: 'field' },
    ],
    [
      'systemd journal export',
      times(
        (i) => `__CURSOR=s=a;i=${i}\n__REALTIME_TIMESTAMP=177236640000000${i}\nPRIORITY=3\nMESSAGE=x\n`,
      ).flatMap((entry) => entry.split('\n')),
      { entries: 'unindented', zone: 'utc', fields: [] },
    ],
    ['Taskcluster', times((i) => `[task 2026-03-01T10:00:0${i}.123Z] x`), { entries: 'time' }],
    ['Maven', times((i) => `[INFO] Building module ${i}`), { time: null, entries: 'level' }],
    ['log', times((i) => `[INFO] 127.0.0.1:${i} - 1 "A IN a."`), { time: null, entries: 'level' }],
    ['log', times((i) => `INFO module ${i}`), { time: null, entries: 'level' }],
    [
      'text',
      times((i) => `compiling a${i}.c`),
      { time: null, zone: null, level: null, entries: 'unindented' },
    ],
    [
      'log with times',
      [
        ...times((i) => `2026-03-01 10:00:0${i},123 ERROR x\njava.lang.Error: y\n\tat a.b(c.java:1)\n\tat d`),
      ].flatMap((lines) => lines.split('\n')),
      { entries: 'time' },
    ],
  ])('is learnt: %s', (name, lines, more) => {
    expect(learnFormat(lines, writtenBy).format).toMatchObject({ name, ...more });
  });

  it.each([
    [
      'DB2 diagnostic log',
      (i: number) => [
        `2026-03-01-10.00.0${i}.123456+060 I1E2  LEVEL: Error`,
        'PID : 1',
        'DATA #1 : x',
        'FUNCTION: y',
        '',
      ],
    ],
    [
      'Oracle',
      (i: number) => [`2026-03-01T10:00:0${i}.123456+01:00`, 'ORA-00600: x', 'Errors in file y', 'Incident'],
    ],
    [
      'RabbitMQ',
      (i: number) => [`=INFO REPORT==== 1-Mar-2026::10:00:0${i} ===`, 'accepting', 'connection', 'of x', ''],
    ],
    [
      'MySQL',
      (i: number) => [
        `# Time: 2026-03-01T10:00:0${i}.1Z`,
        '# User@Host: r',
        'SET timestamp=1772359200;',
        'select 1;',
      ],
    ],
  ])('knows the blocks of which only the first line has a time: %s', (name, block) => {
    const blocks = Array.from({ length: 8 }, (_, i) => block(i));
    const lines = blocks.flat();
    const { format, form } = learnFormat(lines, writtenBy);
    const reader = new EntryReader(format.entries, { ...form, writtenBy });
    if (name.endsWith(' log')) expect(format.name).toBe(name);
    expect(lines.filter((line) => reader.begins(line))).toEqual(blocks.map(([first]) => first));
  });

  it('has the fields of its lines, unless few lines have some', () => {
    const objects = times((i) => (i > 4 ? `{"msg":"x","n":${i}}` : `{"msg":"x","http":{"status":200}}`));
    expect(learnFormat(objects, writtenBy).format.fields).toEqual(['msg', 'http.status', 'n']);
    expect(
      learnFormat(
        times((i) => `a=${i} b=2`),
        writtenBy,
      ).format.fields,
    ).toEqual(['a', 'b']);
    const timings = times((i) => `n=${i} took ${i}ms x=1`);
    const pattern = 'took (?<took>\\d+)(?<unit>ms)';
    expect(learnFormat(timings, writtenBy, {}, ['no (?<such>one)', pattern]).format).toMatchObject({
      fields: ['took', 'unit'],
      pattern,
    });
    const few = [...times((i) => `step ${i}`), ...times((i) => `step ${i}`), ...times((i) => `a=${i} b=2`)];
    expect(learnFormat(few, writtenBy).format.fields).toEqual([]);
  });

  it('is learnt from all over a large text', () => {
    const lines = Array.from({ length: 30_000 }, (_, i) => `${1 + (i >> 10)}/03/2026 10:00:00 INFO x`);
    const bytes = Buffer.from(lines.join('\n'));
    const { format } = formatOf(sourceOf(bytes), decoderFor('utf-8'), { writtenBy });
    expect(format).toMatchObject({ day_first: true, entries: 'time' });
  });

  it.each(['utf-8', 'utf-16le'] as const)('reads no line twice, nor half of one, in %s', (encoding) => {
    for (const count of [1000, 2000, 3000, 4000, 5000]) {
      const at = (i: number) => new Date(writtenBy + i * 1000).toISOString();
      const text = Array.from({ length: count }, (_, i) => `${at(i)} INFO 上 ${i}\n`).join('');
      const learnt = formatOf(sourceOf(Buffer.from(text, encoding)), decoderFor(encoding), { writtenBy });
      expect(learnt).toMatchObject({ timesFall: false, format: { level: 'word', entries: 'time' } });
    }
  });
});

/** The first lines of the text's entries. */
function firstsOf(text: string, rule: EntryRule): string[] {
  const reader = new EntryReader(rule, NO_FACTS);
  return text.split('\n').filter((line) => reader.begins(line));
}

describe('an entry', () => {
  it.each<[string, EntryRule, string, string[]]>([
    [
      'keeps a Java stack trace',
      'time',
      '2026-03-01 10:00:00 ERROR x\njava.lang.Error: y\n\tat a.b(c.java:1)\nCaused by: z\n\t... 3 more\n2026-03-01 10:00:01 INFO ok',
      ['2026-03-01 10:00:00 ERROR x', '2026-03-01 10:00:01 INFO ok'],
    ],
    [
      'keeps frames that have a time each',
      'time',
      '2026-03-01T10:00:00Z Error: y\n2026-03-01T10:00:00Z     at f (/a.js:1:2)\n2026-03-01T10:00:00Z Caused by: z\n2026-03-01T10:00:01Z  INFO ok',
      ['2026-03-01T10:00:00Z Error: y', '2026-03-01T10:00:01Z  INFO ok'],
    ],
    [
      'keeps what PostgreSQL says of an error',
      'time',
      '2026-03-01 10:00:00 UTC [7] a@b ERROR:  no a\n2026-03-01 10:00:00 UTC [7] a@b STATEMENT:  SELECT *\n\tFROM a\n2026-03-01 10:00:01 UTC [7] a@b LOG:  statement: x',
      ['2026-03-01 10:00:00 UTC [7] a@b ERROR:  no a', '2026-03-01 10:00:01 UTC [7] a@b LOG:  statement: x'],
    ],
    [
      'keeps an entry of the journal',
      'unindented',
      '__CURSOR=a\n__REALTIME_TIMESTAMP=1\nMESSAGE\n....\nTraceback x\n\n__CURSOR=b\nMESSAGE=y',
      ['__CURSOR=a', '__CURSOR=b'],
    ],
    [
      'keeps a Python traceback with its error',
      'unindented',
      'start\nTraceback (most recent call last):\n  File "a.py", line 1, in f\n    f()\nValueError: x\nnext',
      ['start', 'Traceback (most recent call last):', 'next'],
    ],
    [
      'keeps the stack of a Go panic',
      'unindented',
      'panic: x\n\ngoroutine 1 [running]:\nmain.f(0x1)\n\t/a/b.go:1 +0x1\nmain.main()\n\t/a/b.go:9 +0x1\nexit status 2',
      ['panic: x', 'exit status 2'],
    ],
    [
      'keeps a diff',
      'unindented',
      'diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\ndone\n+ set -x',
      ['diff --git a/x b/x', 'done', '+ set -x'],
    ],
    ['keeps lines between objects', 'object', '{"a":1}\nplain\n  more\n{"a":2}', ['{"a":1}', '{"a":2}']],
    ['keeps wrapped lines', 'level', '[INFO] a\nb\n[ERROR] c\n  d', ['[INFO] a', '[ERROR] c']],
  ])('%s', (_, rule, text, firsts) => {
    expect(firstsOf(text, rule)).toEqual(firsts);
  });

  const line = fc.constantFrom(
    ...[
      '2026-03-01 10:00:00 ERROR x',
      '',
      '  indented',
      '\tat a.b(c.java:1)',
      'Caused by: x',
      'plain',
      '{"a":1}',
    ],
    ...[
      'diff --git a/x b/x',
      '@@ -1 +1 @@',
      '+a',
      '-b',
      '[INFO] x',
      'Traceback (most recent call last):',
      'E: x',
    ],
    ...['goroutine 1 [running]:', 'main.f(0x1)', 'ValueError: x', '\t/a.go:1 +0x1'],
  );
  it('is found from any of its lines, and the entries are all lines, each once', () => {
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 60 }),
        fc.constantFrom<EntryRule>('time', 'object', 'level', 'unindented'),
        (lines, rule) => {
          const reader = new EntryReader(rule, NO_FACTS);
          const begins = lines.map((text, i) => reader.begins(text) || i === 0);
          const bytes = Buffer.from(`${lines.join('\n')}\n`);
          const bounds = new EntryBounds(sourceOf(bytes), indexed(bytes), decoderFor('utf-8'), {
            rule,
            facts: NO_FACTS,
          });
          let next = 1;
          while (next <= lines.length) {
            const entry = bounds.around({ first: next, last: next });
            expect(entry.first).toBe(next);
            const behind = begins.indexOf(true, next);
            expect(entry.last).toBe(behind < 0 ? lines.length : behind);
            for (let each = entry.first; each <= entry.last; each += 1)
              expect(bounds.around({ first: each, last: each })).toEqual(entry);
            next = entry.last + 1;
          }
        },
      ),
      { numRuns: cases(200) },
    );
  });
});
