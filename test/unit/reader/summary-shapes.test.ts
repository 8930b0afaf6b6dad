import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { shapeOf } from '../../../electron/reader/shapes/shape.ts';
import { ShapeTable } from '../../../electron/reader/shapes/shape-table.ts';

function shape(line: string): string {
  const bytes = Buffer.from(line);
  return shapeOf(bytes, 0, bytes.length).text;
}

describe('the shape of a line', () => {
  const real: [string, string][] = [
    ['2026-01-13T10:30:00.123Z INFO [worker-12] done in 34ms', '<time> INFO [worker-<n>] done in <n>'],
    ['2026-01-13 10:30:00,123 - app - WARNING - 3 of 10 left', '<time> - app - WARNING - <n> of <n> left'],
    [
      'Jan 13 10:30:00 host sshd[123]: Accepted for bob from 10.0.0.1 port 22',
      '<time> host sshd[<n>]: Accepted for bob from <ip> port <n>',
    ],
    [
      '10.0.0.1 - - [13/Jan/2026:10:30:00 +0000] "GET /a/b?x=1 HTTP/1.1" 200 612 "-" "Mozilla/5.0"',
      '<ip> - - [<time>] "GET <path>?x=<n> HTTP/<n>" <n> "<s>" "<s>"',
    ],
    [
      "src/main.c:12:34: error: unused variable 'foo' [-Wunused-variable]",
      "<path>:<n>: error: unused variable '<s>' [-Wunused-variable]",
    ],
    ['main.c:3:5: warning: unused variable ‘bar_2’', 'main.c:<n>: warning: unused variable ‘<s>’'],
    ['[ 12%] Building C object src/CMakeFiles/x.dir/a.c.o', '[ <n>%] Building C object <path>'],
    ['npm ERR! code ELIFECYCLE', 'npm ERR! code ELIFECYCLE'],
    ['added 1,234 packages in 12s', 'added <n> packages in <n>'],
    ['test_parse.py::test_a PASSED [ 50%]', 'test_parse.py::test_a PASSED [ <n>%]'],
    ['\tat com.foo.Bar.baz(Bar.java:123)', 'at com.foo.Bar.baz(Bar.java:<n>)'],
    ['{"level":30,"time":1768300200123,"msg":"listening"}', '{"level":<n>,"time":<n>,"msg":"listening"}'],
    ['  "name": "left-pad",', '"name": "<s>",'],
    [
      'level=info msg="started" id=550e8400-e29b-41d4-a716-446655440000',
      'level=info msg="started" id=<uuid>',
    ],
    ['id 550e8400-deaf-41d4-beef-446655440000 x', 'id <uuid> x'],
    ['  401136:\t48 89 ff             \tmov    %rsp,%rbp', '<n> mov %rsp,%rbp'],
    ['00000000: 4865 6c6c 6f20 ff', '<n>'],
    [' 1234 4 drwxr-xr-x 2 root root 4096 Nov 20 13:07 /usr/lib', '<n> drwxr-xr-x <n> root root <n> <path>'],
    ['E0113 10:30:00.000000 1 file.go:3] x', '<time> file.go:<n>] x'],
    ['GET https://example.org/a?b=1 took 0x1f', 'GET <url> took <hex>'],
    ['see C:\\Users\\me\\x.txt now', 'see <path> now'],
    ['commit 9fceb02d0ae598e95dc970b74767f19372d61af8', 'commit <hex>'],
    ["don't and/or 'quoted' `like' this", "don't and/or '<s>' `<s>' this"],
    ['   spread    out   ', 'spread out'],
    ['größe 12 für 日本', 'größe <n> für 日本'],
    ['', ''],
  ];
  it.each(real)('%j', (line, expected) => {
    expect(shape(line)).toBe(expected);
  });

  it('is made from a long line’s beginning, up to a whole name', () => {
    const long = `${'word '.repeat(102)}straddling the cut`;
    expect(shape(long)).toBe(`${'word '.repeat(102)}…`);
    expect(shape(`x ${'é'.repeat(600)}`)).toBe('x …');
  });
});

describe('the table of shapes', () => {
  const example = Buffer.from('example');

  it('forgets the rarer half when there are too many, and says so', () => {
    const table = new ShapeTable(100);
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 40; i++) table.add(i, -i, 1, i + 1, example, 0, 7);
    }
    expect(table.exact).toBe(true);
    for (let i = 1000; i < 60_000; i++) table.add(i, i * 7, 1, i, example, 0, 7);
    expect(table.exact).toBe(false);
    const top = table.top(40);
    expect(top.map((entry) => entry.count)).toEqual(Array.from({ length: 40 }, () => 3));
    expect(top.map((entry) => entry.firstLine)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
    expect(table.counts().counts.length).toBeLessThanOrEqual(100);
  });

  it('keeps each shape’s own example when others are forgotten', () => {
    const table = new ShapeTable(64);
    for (let i = 0; i < 1000; i++) {
      const own = Buffer.from(`line ${i}`);
      for (let k = 0; k < (i % 100 === 0 ? 5 : 1); k++) table.add(i, i, 1, i, own, 0, own.length);
    }
    for (const entry of table.top(10)) {
      expect(entry.count).toBe(5);
      expect(Buffer.from(entry.example).toString()).toBe(`line ${entry.firstLine}`);
    }
  });

  it('adds up what other tables counted, with the earliest line of each shape', () => {
    const first = new ShapeTable();
    const second = new ShapeTable();
    first.add(1, 1, 2, 5, example, 0, 7);
    second.add(2, 2, 1, 1, Buffer.from('other'), 0, 5);
    second.add(1, 1, 3, 2, example, 0, 7);
    const total = new ShapeTable();
    total.merge(first.counts(), 0);
    total.merge(second.counts(), 10);
    expect(total.top(5).map(({ count, firstLine }) => [count, firstLine])).toEqual([
      [5, 5],
      [1, 11],
    ]);
  });

  it('stops counting shapes whose hashes were made to collide, and says so', () => {
    const table = new ShapeTable();
    for (let i = 0; i < 20_000; i++) table.add(0x1234 ^ i, i << 7, 1, 1, example, 0, 7);
    expect(table.exact).toBe(false);
    expect(table.counts().counts.length).toBeLessThan(1000);
  });
});
