import { describe, expect, it } from 'vitest';
import { byteLiteral, neighboursOf } from '../../../electron/search/literals/literal-search.ts';
import {
  type ByteLiteral,
  createScanner,
  type Scanner,
  sourceOf,
} from '../../../electron/search/literals/scanner.ts';
import { AT, createMemory } from '../../../electron/search/memory.ts';
import fc from '../../fixtures/fast-check.ts';
import { plainScanner } from '../../fixtures/search/scanner-plain.ts';
import { cases } from '../../fixtures/sizes.ts';

/** Literals of every length class, made of what is common in `bytes`. */
const LITERALS = [
  ...['ab', 'AB0', 'b 1', 'é', '日', '[3', ';:m['],
  ...['abAB01;:m[]K\\aBa', 'aaaaaaaaaaaaaaaaa'],
];

/** Bytes in which everything that matters to the scanner is common. */
const bytes = fc
  .array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom(...'abAB 01;:m[]K\\'.split('').map((char) => Buffer.from(char))),
      },
      {
        weight: 4,
        arbitrary: fc
          .constantFrom(
            '\n',
            '\r\n',
            '\r',
            '\x1b',
            '\x1b[31m',
            '\x1b[0m',
            '\x1b[K',
            '\x1b[0K',
            '\x1b[2K',
            '\x1b[1;2m',
            '\x1b]8;;x\x07',
            '\x1b]0;t\x1b\\',
            '\b',
            '\v',
            '\f',
            '\x07',
            '\x00',
            '\x7f',
            '\t',
            'é',
            '\u0085',
            '\u00a0',
            '日',
          )
          .map((text) => Buffer.from(text)),
      },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 5 }).map((some) => Buffer.from(some)) },
    ),
    { maxLength: 120 },
  )
  .map((parts) => Buffer.concat(parts));

/** Makes a literal's places to look at first any of its places, wherever its rare bytes are. */
const rarity = fc.tuple(fc.nat(31), fc.nat(31), fc.nat(31));
function withRarest(literal: ByteLiteral, [first, second, window]: [number, number, number]): ByteLiteral {
  const { length } = literal.bytes;
  const rare = { first: first % length, second: second % length, window: window % Math.max(1, length - 2) };
  return { ...literal, rare };
}

/** The table for the literal `ab:1`, with the controls that can hide text after them. */
const neighbours = (() => {
  const before = new Uint32Array(256);
  const behind = new Uint32Array(256);
  for (const [i, char] of [...'ab:'].entries()) before[char.charCodeAt(0)] = 1 << i;
  for (const [i, char] of [...'b:1'].entries()) behind[char.charCodeAt(0)] = 1 << i;
  for (const byte of [0, 7, 27, 127]) behind[byte] = 0xffff_ffff;
  return { before, behind };
})();

describe('the scanner', () => {
  const memory = createMemory();
  const source = sourceOf(memory);
  const [fast, plain] = [createScanner(memory), plainScanner(memory)];
  const both = <T>(text: Buffer, ask: (scanner: Scanner) => T): [T, T] => {
    const asked = [fast, plain].map((scanner) => {
      source.fill(27, text.length, text.length + 128);
      source.set(text);
      return ask(scanner);
    });
    return [asked[0]!, asked[1]!];
  };

  it('counts line ends in more bytes than its small counters hold', () => {
    const behind = Buffer.from(`${'\n'.repeat(50_000)}a`);
    const [b] = both(behind, (scanner) => [...scanner.find(0, behind.length, byteLiteral('a', false)).lines]);
    expect(b).toEqual([50_000]);
  });

  it('finds what its plain twin finds, with and without case, at every place', () => {
    fc.assert(
      fc.property(
        bytes,
        fc.constantFrom('a', ...LITERALS),
        rarity,
        fc.boolean(),
        fc.nat(90),
        (some, wanted, rare, fold, start) => {
          const text = Buffer.concat([some, Buffer.from(wanted), some]);
          const from = Math.min(start, text.length);
          const literal = withRarest(byteLiteral(wanted, fold), rare);
          const [a, b] = both(text, (scanner) => {
            const { count, lines, places } = scanner.find(from, text.length, literal);
            return { count, lines: [...lines], places: [...places] };
          });
          expect(a).toEqual(b);
        },
      ),
      { numRuns: cases(3000) },
    );
  });

  it('finds several literals in one pass, as its plain twin does one by one', () => {
    const wanted = fc.constantFrom(...LITERALS);
    fc.assert(
      fc.property(
        bytes,
        fc.array(wanted, { minLength: 2, maxLength: 8 }),
        rarity,
        fc.boolean(),
        fc.nat(90),
        (some, texts, rare, fold, start) => {
          const text = Buffer.concat([some, Buffer.from(texts[0]!), some]);
          const from = Math.min(start, text.length);
          const literals = texts.map((one) => withRarest(byteLiteral(one, fold), rare));
          const [a, b] = both(text, (scanner) => {
            const { count, lines, places } = scanner.findAny(from, text.length, literals);
            const held = [...places].map((place) =>
              literals.some((one) =>
                one.bytes.every((byte, i) => (text[place + i]! | one.fold[i]!) === byte),
              ),
            );
            return { count, lines: [...lines], held };
          });
          expect(a).toEqual(b);
          expect(a.held).not.toContain(false);
        },
      ),
      { numRuns: cases(3000) },
    );
  });

  it('finds each of several literals at every place, up to the last byte', () => {
    const texts = ['xy', 'abc', 'fatal', '0123456789fedcba0123'];
    const literals = texts.map((one) => byteLiteral(one, false));
    for (const wanted of texts) {
      for (let place = 0; place <= 200; place += 1) {
        for (const behind of ['', '.', '\n'.repeat(70)]) {
          const text = Buffer.from(`${'\n'.repeat(place)}${wanted}${behind}`);
          const [a] = both(text, (scanner) => {
            const { lines, places } = scanner.findAny(0, text.length, literals);
            return { lines: [...lines], places: [...places] };
          });
          expect(a, `${wanted} at ${place}`).toEqual({ lines: [place], places: [place] });
          // Its last byte lies behind what is read; its first, before.
          const [ends] = both(text, (scanner) => [
            scanner.findAny(0, place + wanted.length - 1, literals).count,
            scanner.findAny(place + 1, text.length, literals).count,
          ]);
          expect(ends, `${wanted} at ${place}`).toEqual([0, 0]);
        }
      }
    }
  });

  it('looks first for the bytes that are rarest in text', () => {
    const rare = (literal: string) => byteLiteral(literal, true).rare;
    expect(rare('request')).toMatchObject({ first: 2, second: 3 });
    expect(rare('error: é')).toMatchObject({ first: 7, second: 8 });
    expect(rare('see jazz')).toMatchObject({ first: 6, second: 7, window: 5 });
    expect(rare('x')).toEqual({ first: 0, second: 0, window: 0 });
    expect(rare('ab')).toMatchObject({ first: 1, second: 0, window: 0 });
  });

  it('gathers the lines that hold places as its plain twin does', () => {
    fc.assert(
      fc.property(bytes, fc.nat(20), fc.nat(3), (some, start, every) => {
        const text = Buffer.concat([some, Buffer.from('\n')]);
        const from = Math.min(start, text.length - 1);
        const lines = new Map<number, number>();
        for (let at = from, line = 0; at < text.length; at += 1) {
          if (!lines.has(line) && at % (every + 1) === 0) lines.set(line, at);
          if (text[at] === 10) line += 1;
        }
        const [a, b] = both(text, (scanner) => {
          const end = scanner.gather(from, text.length, Uint32Array.from(lines.values()));
          return Buffer.from(memory.buffer.slice(AT.rendered, end)).toString('latin1');
        });
        expect(a).toBe(b);
        expect(b.split('\n').length - 1).toBe(lines.size);
      }),
      { numRuns: cases(2000) },
    );
  });

  it('sees the seams its plain twin sees', () => {
    fc.assert(
      fc.property(bytes, fc.nat(20), fc.nat(10), (text, start, cut) => {
        const from = Math.min(start, text.length);
        // A sequence may continue after the end.
        const end = Math.max(from, text.length - cut);
        const [a, b] = both(text, (scanner) => {
          const { count, lines, places } = scanner.seams(from, end, neighbours, false);
          return { count, lines: [...lines], places: [...places] };
        });
        expect(a).toEqual(b);
      }),
      { numRuns: cases(5000) },
    );
  });

  it('sees the same seams if it is told that all controls are colours', () => {
    const colours = ['\x1b[m', '\x1b[31m', '\x1b[1;38:2:9:9:99m', '\x1b[K'];
    // Some of these bytes have lower halves in common.
    const literal = fc
      .array(fc.constantFrom(...'ab:1aqé 日'), { minLength: 2, maxLength: 5 })
      .map((parts) => parts.join(''));
    const text = fc
      .array(fc.constantFrom(...colours, ...colours, ...'ab:1aq\n\té日 '), { maxLength: 200 })
      .map((parts) => Buffer.from(parts.join('')));
    fc.assert(
      fc.property(text, literal, fc.nat(20), (text, literal, start) => {
        const from = Math.min(start, text.length);
        const neighbours = neighboursOf([byteLiteral(literal, false)]);
        const [a, b] = both(text, (scanner) => {
          const { count, lines, places } = scanner.seams(from, text.length, neighbours, true);
          return { count, lines: [...lines], places: [...places] };
        });
        expect(a).toEqual(b);
      }),
      { numRuns: cases(5000) },
    );
  });

  it('numbers the lines that end at places as its plain twin does', () => {
    fc.assert(
      fc.property(bytes, fc.nat(20), fc.nat(3), (text, start, every) => {
        const from = Math.min(start, text.length);
        const ends = [...text.keys()].filter((at) => at >= from && text[at] === 10 && at % (every + 1) === 0);
        const [a, b] = both(text, (scanner) => {
          const places = new Uint32Array(memory.buffer, AT.events, ends.length);
          places.set(ends.map((end) => (AT.source + end) | (2 << 28)));
          return [...scanner.number(AT.source + from, places)];
        });
        expect(a).toEqual(b);
      }),
      { numRuns: cases(2000) },
    );
  });
});
