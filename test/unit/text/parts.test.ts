import { describe, expect, it } from 'vitest';
import { clipText, graphemeCeil, graphemeFloor } from '../../../shared/text/clip.ts';
import { escapeControls, escapeLine } from '../../../shared/text/escape.ts';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatRelative,
  plural,
  shortenMiddle,
} from '../../../shared/text/format.ts';
import { editDistance, nearest } from '../../../shared/text/nearest.ts';
import fc from '../../fixtures/fast-check.ts';
import { cases } from '../../fixtures/sizes.ts';

const FAMILY = '👨‍👩‍👧‍👦';
const FLAG = '🇩🇪';
const graphemes = (text: string) => Array.from(new Intl.Segmenter('en').segment(text), (g) => g.segment);

describe('clipping', () => {
  it('returns text that fits unchanged', () => {
    expect(clipText('abc', 3)).toEqual({ text: 'abc', clipped: false });
    expect(clipText('', 0)).toEqual({ text: '', clipped: false });
  });

  it('never cuts within what a person sees as one character', () => {
    expect(clipText(`ab${FAMILY}`, 5)).toEqual({ text: 'ab', clipped: true });
    expect(clipText(`${FLAG}${FLAG}${FLAG}`, 6)).toEqual({ text: FLAG, clipped: true });
    expect(clipText('e\u0301e\u0301', 3)).toEqual({ text: 'e\u0301', clipped: true });
    expect(clipText('😀', 1)).toEqual({ text: '', clipped: true });
    expect(clipText('a\r\nb', 2)).toEqual({ text: 'a', clipped: true });
  });

  it('cuts a character with hundreds of combining marks between its code points', () => {
    const zalgo = `a${'\u0301'.repeat(1000)}`;
    expect(clipText(zalgo, 600).text).toHaveLength(600);
    const joined = Array.from({ length: 300 }, () => '👩').join('\u200d');
    expect(clipText(joined, 500).text.at(-1)).not.toMatch(/[\ud800-\udbff]/);
  });

  it('cuts where a whole segmentation of the text has a boundary, and no earlier than need be', () => {
    const unit = fc.constantFrom('a', ' ', 'é', 'e\u0301', '漢', '😀', FAMILY, FLAG, '\r\n', 'ก็', '한', 'क्ष');
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 60 }), fc.nat(200), (units, max) => {
        const text = units.join('');
        let expected = '';
        for (const grapheme of graphemes(text)) {
          if (expected.length + grapheme.length > max) break;
          expected += grapheme;
        }
        expect(clipText(text, max)).toEqual({ text: expected, clipped: expected !== text });
        expect(text.slice(graphemeFloor(text, max))).toBe(text.slice(expected.length));
        const ceil = graphemeCeil(text, max);
        expect(ceil === Math.min(max, text.length) || ceil > max).toBe(true);
        expect(
          graphemes(text.slice(0, ceil))
            .concat(graphemes(text.slice(ceil)))
            .join(''),
        ).toBe(text);
      }),
    );
  });
});

describe('text made safe for a terminal', () => {
  it('shows control characters (except tab and newline) and bidirectional ones as text', () => {
    expect(escapeControls('a\x1b[31mb\r\x07\x9bc\td\n\x7f')).toBe('a\\x1b[31mb\\x0d\\x07\\x9bc\td\n\\x7f');
    expect(escapeLine('a\tb\nc')).toBe('a\\tb\\nc');
    expect(escapeControls('if (\u202e admin \u2066')).toBe('if (\\u202e admin \\u2066');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(escapeControls(text)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]|\p{Bidi_Control}/u);
        expect(escapeLine(text)).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
      }),
    );
  });
});

describe('figures', () => {
  it('of bytes are in binary units with three digits at most', () => {
    const shown = [0, 1, 1023, 1024, 1536, 10_240, 102_400, 1_047_552, 1_048_064, 1_572_864, 1e12, 2 ** 60];
    expect(shown.map(formatBytes)).toEqual([
      ...['0 B', '1 B', '1023 B', '1 KiB', '1.5 KiB', '10 KiB', '100 KiB', '1023 KiB', '1 MiB', '1.5 MiB'],
      ...['931 GiB', '1024 PiB'],
    ]);
  });

  it('of counts are grouped', () => {
    expect([0, 999, 1000, 4_600_000, -1234, 1234.5].map(formatCount)).toEqual([
      ...['0', '999', '1,000', '4,600,000', '-1,234', '1,234.5'],
    ]);
    expect([plural(1, 'line'), plural(2, 'line'), plural(1000, 'entry', 'entries')]).toEqual([
      ...['1 line', '2 lines', '1,000 entries'],
    ]);
  });

  it('of durations are in the two units that matter', () => {
    const shown = [
      0, 340, 999.6, 1240, 59_960, 60_000, 125_000, 3_599_600, 11_040_000, 86_400_000, 183_600_000,
    ];
    expect(shown.map(formatDuration)).toEqual([
      ...[
        '0 ms',
        '340 ms',
        '1 s',
        '1.2 s',
        '1 min',
        '1 min',
        '2 min 5 s',
        '1 h',
        '3 h 4 min',
        '1 d',
        '2 d 3 h',
      ],
    ]);
  });

  it('of times are relative', () => {
    const now = 1e12;
    const ago = [0, 4999, 5000, 59_999, 180_000, 7_200_000, 86_400_000 * 2, -180_000];
    expect(ago.map((ms) => formatRelative(now - ms, now))).toEqual([
      ...['just now', 'just now', '5 s ago', '59 s ago', '3 min ago', '2 h ago', '2 d ago', 'in 3 min'],
    ]);
    // After the last day that a Date can have.
    expect(formatRelative(Date.parse('+275760-09-14T00:00:00Z'), now)).toBe('-');
  });
});

describe('long names', () => {
  it('lose their middle, never half a character', () => {
    expect(shortenMiddle('cmd-npm_test-2026-abc123', 13)).toBe('cmd-np…abc123');
    expect(shortenMiddle('short', 5)).toBe('short');
    expect(shortenMiddle(`aa😀${'b'.repeat(20)}😀cc`, 7)).toBe('aa…cc');
    expect([shortenMiddle('abc', 1), shortenMiddle('abc', 0)]).toEqual(['…', '']);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, max) => {
        const short = shortenMiddle(text, max);
        expect(short.length).toBeLessThanOrEqual(max);
        expect(short).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });
});

describe('the nearest names', () => {
  const commands = ['inspect', 'read', 'list', 'open', 'serve', 'doctor', 'run', 'capture', 'cleanup'];

  it('are those one or two typing errors away', () => {
    expect(nearest('inpsect', commands)).toEqual(['inspect']);
    expect(nearest('Serv', commands)).toEqual(['serve']);
    expect(nearest('clean', commands)).toEqual(['cleanup']);
    expect(nearest('rea', commands, 1)).toEqual(['read']);
    expect(nearest('--line', ['--lines', '--limit', '--json'])).toEqual(['--lines']);
  });

  it('are none when nothing is near', () => {
    expect(nearest('xyzzy', commands)).toEqual([]);
    expect(nearest('', commands)).toEqual([]);
  });

  it('are found by a part of the name', () => {
    const ids = ['cmd-make-2026-01-13T10-30-00-abc123', 'cmd-npm_test-2026-01-13T10-30-00-def456'];
    expect(nearest('def456', ids)).toEqual([ids[1]]);
    expect(nearest('cmd-npm', ids)).toEqual([ids[1]]);
  });

  it('are found in bounded time, however many and long the names are', () => {
    let asked = 0;
    function* names() {
      for (; asked < 10_000_000; asked++) yield 'x'.repeat(1000);
    }
    expect(nearest('y'.repeat(1000), names())).toEqual([]);
    expect(asked).toBeLessThan(100_000);
  });

  it('are measured in edits, neighbours swapped counting as one', () => {
    const plain = (a: string, b: string): number => {
      const d = Array.from({ length: a.length + 1 }, (_, i) =>
        Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
      );
      for (let i = 1; i <= a.length; i++) {
        for (let j = 1; j <= b.length; j++) {
          const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
          d[i]![j] = Math.min(
            d[i - 1]![j]! + 1,
            d[i]![j - 1]! + 1,
            d[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
            swap ? d[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY,
          );
        }
      }
      return d[a.length]![b.length]!;
    };
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
    fc.assert(
      fc.property(word, word, fc.nat(8), (a, b, limit) => {
        const exact = plain(a, b);
        expect(editDistance(a, b)).toBe(exact);
        const within = editDistance(a, b, limit);
        if (exact <= limit) expect(within).toBe(exact);
        else expect(within).toBeGreaterThan(limit);
      }),
      { numRuns: cases(1000) },
    );
  });
});
