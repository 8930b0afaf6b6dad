import { describe, expect, it } from 'vitest';
import {
  MAX_PIECES,
  nextSpan,
  PIECE_BYTES,
  spansAt,
  withPiece,
} from '../../../../renderer/viewer/long-line/long-line.ts';
import { deepMatch } from '../../../../renderer/viewer/text/pieces.ts';

const line = { start: 100, end: 100 + 10 * PIECE_BYTES };
const piece = (offset: number, bytes = PIECE_BYTES) => ({
  offset,
  end: offset + bytes,
  text: `from ${offset}`,
});

describe('the pieces of a long line', () => {
  it('begin around the requested byte, and meet there', () => {
    expect(spansAt(100, line)).toEqual([{ offset: 100, limit: PIECE_BYTES }]);
    expect(spansAt(50_000, line)).toEqual([
      { offset: 50_000 - PIECE_BYTES, limit: PIECE_BYTES },
      { offset: 50_000, limit: PIECE_BYTES },
    ]);
    expect(spansAt(line.end, line)).toEqual([{ offset: line.end - PIECE_BYTES, limit: PIECE_BYTES }]);
    expect(spansAt(0, { start: 5, end: 9 })).toEqual([{ offset: 5, limit: 4 }]);
  });

  it('follow each other to either end of the line', () => {
    expect(nextSpan([piece(100)], 'before', line)).toBeNull();
    expect(nextSpan([piece(1100)], 'before', line)).toEqual({ offset: 100, limit: 1000 });
    expect(nextSpan([piece(line.end - PIECE_BYTES)], 'after', line)).toBeNull();
    expect(nextSpan([piece(line.end - PIECE_BYTES - 7)], 'after', line)).toEqual({
      offset: line.end - 7,
      limit: 7,
    });
  });

  it('are dropped at the far end', () => {
    const many = Array.from({ length: MAX_PIECES }, (_, index) => piece(100 + index * PIECE_BYTES));
    const next = piece(100 + MAX_PIECES * PIECE_BYTES);
    expect(withPiece(many, next, 'after').map(({ offset }) => offset)).toEqual(
      [...many.slice(1), next].map(({ offset }) => offset),
    );
    expect(withPiece(many.slice(1), many[0]!, 'before')).toEqual(many);
    expect(withPiece([...many.slice(1), next], many[0]!, 'before')).toHaveLength(MAX_PIECES);
  });
});

describe('a match beyond the shown part of a line', () => {
  const found = (column: number, text: string) => ({ column, offset: 1, match: 'needle', text });

  it('is cut out with the text around it', () => {
    const text = `${'x'.repeat(660)}needle${'y'.repeat(1334)}`;
    const { before, match, after } = deepMatch(found(90_000, text));
    expect([before, match]).toEqual(['x'.repeat(16), 'needle']);
    expect(after).toBe('y'.repeat(240));
  });

  it('is found at the end of its line, where less text follows', () => {
    const { before, match, after } = deepMatch(found(90_000, `${'x'.repeat(660)}needle`));
    expect([before, match, after]).toEqual(['x'.repeat(16), 'needle', '']);
  });
});
