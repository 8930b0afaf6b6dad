import { describe, expect, it } from 'vitest';
import { apart } from '../../../../renderer/highlight/text-highlights.ts';
import { markPieces } from '../../../../renderer/viewer/text/pieces/mark-pieces.ts';
import { tintPieces } from '../../../../renderer/viewer/text/pieces/tint-pieces.ts';
import fc from '../../../fixtures/fast-check.ts';

const highlight = fc
  .tuple(fc.nat(30), fc.integer({ min: 1, max: 12 }), fc.nat(9))
  .map(([start, length, colour]) => ({ start, end: start + length, colour }));

describe('highlights', () => {
  it('lie apart, and the first colour stays whole', () => {
    fc.assert(
      fc.property(fc.array(highlight, { maxLength: 8 }), (all) => {
        const kept = apart(all);
        for (let at = 0; at < 45; at += 1) {
          const over = all.filter(({ start, end }) => start <= at && at < end).map(({ colour }) => colour);
          const found = kept.filter(({ start, end }) => start <= at && at < end).map(({ colour }) => colour);
          expect(found).toEqual(over.length === 0 ? [] : [Math.min(...over)]);
        }
      }),
    );
  });

  it('colour their part of the text, but not what a search found', () => {
    const text = 'one two three';
    const pieces = markPieces([{ text, classes: [], style: null }], [4, 7]);
    const tinted = tintPieces(pieces, [
      { start: 1, end: 5, colour: 3 },
      { start: 8, end: 13, colour: 0 },
    ]);
    expect(tinted.map((piece) => [piece.text, piece.mark, piece.colour])).toEqual([
      ['o', false, undefined],
      ['ne ', false, 3],
      ['two', true, undefined],
      [' ', false, undefined],
      ['three', false, 0],
    ]);
    expect(tinted.map((piece) => piece.text).join('')).toBe(text);
  });
});
