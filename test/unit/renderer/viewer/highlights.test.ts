import { describe, expect, it } from 'vitest';
import {
  apart,
  highlighters,
  TextHighlights,
} from '../../../../renderer/viewer/highlight/text-highlights.tsx';
import { matchPieces, tintPieces } from '../../../../renderer/viewer/text/pieces.ts';
import type { Connection } from '../../../../shared/api/api.ts';
import fc from '../../../fixtures/fast-check.ts';
import { until } from '../../../fixtures/until.ts';

const highlight = fc
  .tuple(fc.nat(30), fc.integer({ min: 1, max: 12 }), fc.nat(9))
  .map(([start, length, colour]) => ({ start, end: start + length, colour }));

describe('highlights', () => {
  it('do not overlap: the first colour wins', () => {
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

  it('colour their part of the text, except matches of a search', () => {
    const text = 'one two three';
    const pieces = matchPieces([{ text, classes: [], style: null }], [4, 7]);
    const tinted = tintPieces(pieces, [
      { start: 1, end: 5, colour: 3 },
      { start: 8, end: 13, colour: 0 },
    ]);
    expect(tinted.map((piece) => [piece.text, piece.match, piece.colour])).toEqual([
      ['o', false, undefined],
      ['ne ', false, 3],
      ['two', true, undefined],
      [' ', false, undefined],
      ['three', false, 0],
    ]);
    expect(tinted.map((piece) => piece.text).join('')).toBe(text);
  });

  it('report an invalid expression, also when nothing else changes', async () => {
    const problem = 'not a valid pattern';
    const request = async () => ({ matches: [null], problems: [problem] });
    const texts = new TextHighlights({ request } as unknown as Connection);
    const free = highlighters.get();
    highlighters.set(
      free.map((each, i) => (i === 2 ? { ...each, pattern: '(', fixed: false, on: true } : each)),
    );
    const drawn = texts.problems;
    texts.want('a text');
    await until(() => texts.of('a text') !== null);
    expect(texts.problems[2]).toBe(problem);
    // The window draws again only for another array.
    expect(texts.problems).not.toBe(drawn);
    texts.close();
    highlighters.set(free);
  });
});
