import { describe, expect, it } from 'vitest';
import { fileLinks } from '../../../shared/text/file-links.ts';
import fc from '../../fixtures/fast-check.ts';

const places = (text: string) =>
  fileLinks(text).map(({ path, line, column }) => `${path}|${line}|${column ?? ''}`);

describe('a place in a file', () => {
  it.each([
    ['src/a.ts:12:5 - error TS2345', 'src/a.ts|12|5'],
    ['    at run (/srv/app/dist/index.js:10:31)', '/srv/app/dist/index.js|10|31'],
    ['  File "/srv/my app/main.py", line 7, in <module>', '/srv/my app/main.py|7|'],
    ['src/Program.cs(12,5): error CS1002: ; expected', 'src/Program.cs|12|5'],
    ['main.c:3:10: fatal error: missing.h', 'main.c|3|10'],
    ['  --> src/main.rs:42:9', 'src/main.rs|42|9'],
    ['./lib/x_test.go:55: got 1', './lib/x_test.go|55|'],
    ['file:///srv/app/a.mjs:3:1', 'file:///srv/app/a.mjs|3|1'],
    ['C:\\src\\a.cs:4:2', 'C:\\src\\a.cs|4|2'],
    ['\tat Foo.bar(Foo.java:31)', 'Foo.java|31|'],
    ['/usr/bin/tool:3', '/usr/bin/tool|3|'],
    ['app/posts/[id]/page.tsx:4:2', 'app/posts/[id]/page.tsx|4|2'],
    ['app/(shop)/[[...slug]].tsx:4:2', 'app/(shop)/[[...slug]].tsx|4|2'],
    ['a.ts (45,18): error', 'a.ts|45|18'],
    ['e: /srv/Foo.kt: (245, 5): A return', '/srv/Foo.kt|245|5'],
    ['   at A.B() in /srv/A.cs:line 12', '/srv/A.cs|12|'],
    ['make: *** [Makefile:12: all] Error 1', 'Makefile|12|'],
    ['  on main.tf line 12, in resource', 'main.tf|12|'],
    ['[ERROR] /srv/A.java:[12,5] cannot find symbol', '/srv/A.java|12|5'],
    ['Fatal error: x in /srv/x.php on line 12', '/srv/x.php|12|'],
    ['syntax error in "my page.rb", line 9', 'my page.rb|9|'],
  ])('is found in %s', (text, place) => {
    expect(places(text)).toEqual([place]);
  });

  it.each([
    '2026-01-13T10:30:00.123Z INFO took 12:30',
    'listening on http://localhost:8080/path and 127.0.0.1:8080',
    'https://example.com/a.js:12:3',
    '//host/share/a.txt:3',
    'error:3 level:2',
    'a.ts:0:1',
    'f(12,5)',
    '{"http.port":8080,"a/b":3}',
    'see and/or line 3',
    '[12,5] x (3, 4)',
  ])('is not found in %s', (text) => {
    expect(places(text)).toEqual([]);
  });

  it('has longer readings, longest first, as far as a quote', () => {
    expect(fileLinks('"x" in /srv/my app/b.ts:3')[0]?.longer).toEqual([
      'in /srv/my app/b.ts',
      '/srv/my app/b.ts',
    ]);
    expect(fileLinks('b.ts:3')[0]?.longer).toEqual([]);
  });

  it('is found at the range of its link, in order, in any text and in linear time', () => {
    const word = fc.constantFrom(
      'a.ts',
      ':',
      '1',
      '23',
      '/',
      '(',
      ')',
      ',',
      ' ',
      'File "',
      '", line ',
      '\\',
      'C:',
      '..',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), (words) => {
        const text = words.join('');
        let end = 0;
        for (const link of fileLinks(text)) {
          expect(link.start).toBeGreaterThanOrEqual(end);
          expect(text.slice(link.start, link.end)).toContain(link.path);
          end = link.end;
        }
      }),
    );
    // Each letter tried for itself would take minutes.
    expect(fileLinks(`${'a/'.repeat(1_000_000)} x:1`)).toEqual([]);
    expect(fileLinks('a.b:1 '.repeat(400)).length).toBe(50);
  });
});
