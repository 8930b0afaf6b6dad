/** Compares expressions that have too many states to keep with `RegExp`; other cases each day (SPILLWAY_SEED). */
import { describe, expect, it } from 'vitest';
import fc, { rotatingSeed } from '../../fixtures/fast-check.ts';
import { expected, found } from '../../fixtures/search/found-lines.ts';
import { cases } from '../../fixtures/sizes.ts';

describe('an expression with more states than can be kept', () => {
  const seed = rotatingSeed();
  const explosive = fc.constantFrom(
    ...[
      'a.{40}b',
      'a.{200}é',
      '[ab].{14}[cd].{14}e',
      '(?:a|b)*a(?:a|b){16}$',
      'a.{60,150}b',
      '\\ba.{30}[^ a]\\b',
    ],
    ...['(?:a.|b[cd ]){20}e', '^[^b]*a.{33}b', 'a(?=.{50}b)', 'é.{25}[\u{1f600}-\u{1f64f}a].{300}c'],
  );
  const others = [
    '\x1b[1;31ma\x1b[0m',
    '\x1b]8;;u\x07b',
    'a\rb',
    'b\b',
    '\x1b[2D',
    '\x9b',
    '\u0085',
    '😀',
    '\u2028',
  ];

  it(`finds the same lines in any text (seed ${seed})`, () => {
    fc.assert(
      fc.property(explosive, fc.nat(), fc.boolean(), fc.nat(2), (source, start, invert, kind) => {
        let random = start;
        const next = (below: number) => {
          random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0;
          return (random >>> 8) % below;
        };
        const word = () => {
          const rare = kind > 0 ? next(kind === 1 ? 2000 : 60) : 1;
          if (rare !== 0) return Buffer.from('abcde é'.at(next(7))!);
          return next(4) === 0 ? Buffer.of(0xe6, 0x97) : Buffer.from(others[next(others.length)]!);
        };
        const parts: Buffer[] = [];
        for (let at = 0; at < 100_000; at += 1) {
          parts.push(word());
          if (next(70) === 0) parts.push(Buffer.from(next(3) === 0 ? '\r\n' : '\n'));
          // Longer than a block, so that it is read in parts.
          if (at === 50_000 && next(2) === 0)
            parts.push(Buffer.concat(parts), Buffer.alloc(1_100_000, 'abcd e '));
        }
        const bytes = Buffer.concat(parts);
        const wanted = { pattern: source, fixed: false, case_sensitive: true, invert };
        expect(found(bytes, wanted)).toEqual(expected(bytes, wanted));
      }),
      { numRuns: cases(60), seed },
    );
  });
});
