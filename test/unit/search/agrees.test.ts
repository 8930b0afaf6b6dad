import { describe, expect, it } from 'vitest';
import type { SearchQuery } from '../../../shared/search-query.ts';
import fc from '../../fixtures/fast-check.ts';
import { expected, found } from '../../fixtures/search/found-lines.ts';
import { pattern, repeatsRepetitions } from '../../fixtures/search/patterns.ts';
import { cases, someOf } from '../../fixtures/sizes.ts';

/** Without repeated repetitions: the line-by-line oracle takes for ever over those. */
const compiles = (source: string) => {
  try {
    return Boolean(new RegExp(source, 'i')) && !repeatsRepetitions(source);
  } catch {
    return false;
  }
};

const words = fc.constantFrom(
  'a',
  'b',
  'A',
  'K',
  'k',
  's',
  'é',
  'É',
  '1',
  ' ',
  '-',
  '"',
  ':',
  'ab',
  'foo',
  'FOO',
  'bar',
  '日',
  '\t',
  '\u2028',
  'ſ',
  '\u212a',
);
const controls = fc.constantFrom(
  '\r',
  '\x1b[31m',
  '\x1b[0m',
  '\x1b[K',
  '\b',
  '\x07',
  '\x1b]8;;u\x07',
  '\x1b[2D',
  '\u0085',
  '\x00',
  '\f',
  '\v',
);
const ends = fc.constantFrom('\n', '\n', '\n', '\r\n', '\n\n');
const text = (withControls: boolean) =>
  fc
    .array(
      fc.tuple(
        fc.array(
          withControls
            ? fc.oneof({ weight: 5, arbitrary: words }, { weight: 1, arbitrary: controls })
            : words,
          { maxLength: 8 },
        ),
        ends,
      ),
      { maxLength: 20 },
    )
    .chain((lines) =>
      fc.boolean().map((ended) => {
        const all = lines.map(([parts, end]) => parts.join('') + end).join('');
        return Buffer.from(ended ? all : all.replace(/\n$/, ''));
      }),
    );

const query = fc.record({
  pattern: pattern.filter(compiles),
  fixed: fc.constant(false),
  case_sensitive: fc.boolean(),
  invert: fc.boolean(),
});

describe('a search finds the lines that `RegExp` matches one by one', () => {
  it('for thousands of expressions over text', () => {
    fc.assert(
      fc.property(text(false), query, (bytes, wanted) => {
        expect(found(bytes, wanted)).toEqual(expected(bytes, wanted));
      }),
      { numRuns: cases(4000) },
    );
  });

  it('for thousands of expressions over text with colours, redraws and links', () => {
    fc.assert(
      fc.property(text(true), query, (bytes, wanted) => {
        expect(found(bytes, wanted)).toEqual(expected(bytes, wanted));
      }),
      { numRuns: cases(4000) },
    );
  });

  it('for nested repetitions, one of them bounded', () => {
    const nested = [
      ...[
        '(a+b)*-',
        '(?:[^a]+a)*\\s',
        '(\\W+[ab])+$',
        '((?:a|\\s)+-)*1',
        '(?:[ab]{1,3}[^ab])*?é',
        '(?:\\n?a+:)+',
      ],
      ...['(?:\\b[a-z]+\\s)*K', '(?=(?:[^:]+:)*a)b', '^(?:[^"]*"){2}', '(?:(\\w+) ){1,3}\\1'],
    ];
    fc.assert(
      fc.property(text(true), fc.constantFrom(...nested), fc.boolean(), fc.boolean(), (bytes, ...wanted) => {
        const [source, caseSensitive, invert] = wanted;
        const query = { pattern: source, fixed: false, case_sensitive: caseSensitive, invert };
        expect(found(bytes, query)).toEqual(expected(bytes, query));
      }),
      { numRuns: cases(1000) },
    );
  });

  it('for any plain text', () => {
    fc.assert(
      fc.property(
        text(true),
        fc.oneof(words, fc.constantFrom('a.b', '(', '[a', 'a|b', '$', '\\d')),
        fc.boolean(),
        fc.boolean(),
        (bytes, wanted, caseSensitive, invert) => {
          const plain = { pattern: wanted, fixed: true, case_sensitive: caseSensitive, invert };
          expect(found(bytes, plain)).toEqual(expected(bytes, plain));
        },
      ),
      { numRuns: cases(2000) },
    );
  });

  it('in the raw text, if asked to', () => {
    fc.assert(
      fc.property(text(true), query, (bytes, wanted) => {
        expect(found(bytes, wanted, 'utf-8', true)).toEqual(expected(bytes, wanted, true));
      }),
      { numRuns: cases(2000) },
    );
  });

  it('in UTF-16', () => {
    fc.assert(
      fc.property(text(false), query, (bytes, wanted) => {
        const utf16 = Buffer.from(bytes.toString('utf8'), 'utf16le');
        expect(found(utf16, wanted, 'utf-16le')).toEqual(expected(bytes, wanted));
      }),
      { numRuns: cases(500) },
    );
  });

  it('in bytes that are not UTF-8', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.uint8Array({ maxLength: 4 }),
            words.map((word) => Buffer.from(word)),
            controls.map((word) => Buffer.from(word)),
            ends.map((end) => Buffer.from(end)),
          ),
          { maxLength: 40 },
        ),
        query,
        (parts, wanted) => {
          const bytes = Buffer.concat(parts);
          expect(found(bytes, wanted)).toEqual(expected(bytes, wanted));
        },
      ),
      { numRuns: cases(2000) },
    );
  });
});

describe('blocks', () => {
  it('give the same lines wherever their borders fall', () => {
    const lengths = fc.constantFrom(3, 60, 900, 60_000, 65_536, 524_288, 600_000);
    const lines = fc.array(fc.tuple(lengths, words, fc.constantFrom('\n', '\r\n', '\x1b[m\n', '\n\n')), {
      maxLength: 12,
    });
    const patterns = fc.constantFrom('foo', 'ab', 'foo|é', '^x*a', 'x$', 'fo.', '[ab]$', '^$', '日x');
    fc.assert(
      fc.property(lines, patterns, fc.boolean(), fc.nat(70_000), (wanted, source, invert, cut) => {
        const all = wanted.map(([length, word, end]) => `${'x'.repeat(length)}${word}x${end}`).join('');
        const bytes = Buffer.from(all.repeat(2).slice(0, -cut || undefined));
        const query = { pattern: source, fixed: false, case_sensitive: true, invert };
        expect(found(bytes, query)).toEqual(expected(bytes, query));
      }),
      { numRuns: cases(200) },
    );
  });

  it('may match on every line, or nearly', () => {
    const texts = ['\n', '\n\na\n', 'a\n\n', 'a\nb\n', 'ab\n\x1b[ma\n', 'b\r\n\n', 'a\b\n\n\n'];
    const sources = ['^$', '.', '^a?$', '[ab]$', 'b|^$', '^[^b]*$', '\\p{L}$'];
    for (const [text, source] of someOf(
      texts.flatMap((text) => sources.map((each) => [text, each] as const)),
    )) {
      const bytes = Buffer.from(text.repeat(30_000));
      const query = { pattern: source, fixed: false, case_sensitive: true, invert: false };
      expect(found(bytes, query), `${source} in ${JSON.stringify(text)}`).toEqual(expected(bytes, query));
    }
  });

  it('may hold lines whose outcome is known at their start, or at their end if that moves the cursor', () => {
    const query = { pattern: '^[ab]', fixed: false, case_sensitive: true, invert: false };
    for (const rest of ['', '\r\x1b[2Kc', '\rc'].map((redrawn) => `${'x'.repeat(90)}${redrawn}\n`)) {
      const bytes = Buffer.from(`\x1b[33ma\x1b[0m${rest}c${rest}`.repeat(400));
      expect(found(bytes, query), JSON.stringify(rest)).toEqual(expected(bytes, query));
    }
  });

  it('may hold a literal in many lines, whether or not their outcome is known at their start', () => {
    const rest = `${' filler'.repeat(12)} end`;
    const text = ['ab', 'ab 48', 'x', 'y', 'z', 'x', '48 ab'].join(`${rest} 7\n`);
    const bytes = Buffer.from(`${text}${rest}\n`.repeat(5000));
    for (const pattern of ['^ab 48', '48.*d$', '^(?:ab|x).*48']) {
      const query = { pattern, fixed: false, case_sensitive: true, invert: false };
      expect(found(bytes, query), pattern).toEqual(expected(bytes, query));
    }
  });

  it('end where a line of several blocks ends', () => {
    const bytes = Buffer.from(`${'x'.repeat(4_300_000)} end\nfoo\nbar\nfoo\n`);
    const query = { pattern: 'foo|end', fixed: false, case_sensitive: true, invert: false };
    expect(found(bytes, query)).toEqual([1, 2, 4]);
    expect(found(bytes, { ...query, invert: true })).toEqual([3]);
  });
});

describe('regressions of searches', () => {
  const run = (content: string, source: string, more: Partial<SearchQuery> = {}) =>
    found(Buffer.from(content), {
      pattern: source,
      fixed: false,
      case_sensitive: true,
      invert: false,
      ...more,
    });

  it('a negated class, white space and a lookahead stay on their line', () => {
    expect(run('a(\nb timeout\n(c timeout\n', '\\([^)]*timeout')).toEqual([3]);
    expect(run('foo\nbar\n', 'foo\\sbar')).toEqual([]);
    expect(run('a\nb\n', 'a(?![^]*b)')).toEqual([1]);
    expect(run('x\n\ny\n', '^\\s*$')).toEqual([2]);
  });

  it('empty matches count each line once, and no line after the last', () => {
    expect(run('a\n\nb', 'x*')).toEqual([1, 2, 3]);
    expect(run('a\n\nb\n', 'x*')).toEqual([1, 2, 3]);
    expect(run('\n', '$')).toEqual([1]);
    expect(run('', 'x*')).toEqual([]);
  });

  it('colours in the middle of a word do not hide it', () => {
    expect(run('er\x1b[31mror\x1b[0m\nno\n', 'error')).toEqual([1]);
    expect(run('10%\r 99%\rdone\n', '99')).toEqual([]);
  });

  it('inline flags at the start of a pattern apply', () => {
    expect(run('ABC\nabc\n', '(?i)abc')).toEqual([1, 2]);
    expect(run('ABC\nabc\n', '(?-i)abc', { case_sensitive: false })).toEqual([2]);
    expect(run('a\n', '(?s)a.b|a')).toEqual([1]);
    expect(() => run('a', '(?q)a')).toThrow(/flag q is not known/);
    expect(() => run('a', 'a(')).toThrow(/not a valid pattern/);
  });
});
