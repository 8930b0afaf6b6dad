import { describe, expect, it } from 'vitest';
import {
  clampSelection,
  columnsIn,
  extendTo,
  firstLine,
  includesLine,
  lastLine,
  lineCount,
  selectBetween,
  selectLine,
  wordAt,
} from '../../../../renderer/viewer/selection/selection.ts';
import { piecesOf } from '../../../../renderer/viewer/text/ansi.ts';
import { choosePieces, matchPieces } from '../../../../renderer/viewer/text/pieces.ts';

describe('selected lines', () => {
  it('grow from where they began, in either direction', () => {
    const down = extendTo(selectLine(10), 14);
    expect([firstLine(down), lastLine(down), lineCount(down)]).toEqual([10, 14, 5]);
    const up = extendTo(down, 7);
    expect([firstLine(up), lastLine(up), lineCount(up)]).toEqual([7, 10, 4]);
    expect(includesLine(up, 7) && includesLine(up, 10)).toBe(true);
    expect(includesLine(up, 11) || includesLine(null, 1)).toBe(false);
  });

  it('begin where they are extended to when nothing is selected', () => {
    expect(extendTo(null, 3)).toEqual(selectLine(3));
  });

  it('are cut to the lines that are shown, keeping which end moves', () => {
    expect(clampSelection({ anchor: 50, focus: 5 }, 10, 20)).toEqual({ anchor: 20, focus: 10 });
    expect(clampSelection({ anchor: 12, focus: 15 }, 10, 20)).toEqual({ anchor: 12, focus: 15 });
    expect(clampSelection({ anchor: 1, focus: 5 }, 10, 20)).toBeNull();
    expect(clampSelection({ anchor: 21, focus: 25 }, 10, 20)).toBeNull();
    expect(clampSelection(null, 1, 20)).toBeNull();
  });
});

describe('text selected by character', () => {
  const upwards = selectBetween({ line: 7, column: 3 }, { line: 5, column: 10 });

  it('covers whole lines between the two ends, in either direction', () => {
    expect(columnsIn(upwards, 4)).toBeNull();
    expect(columnsIn(upwards, 5)).toEqual({ from: 10, to: Number.POSITIVE_INFINITY });
    expect(columnsIn(upwards, 6)).toEqual({ from: 0, to: Number.POSITIVE_INFINITY });
    expect(columnsIn(upwards, 7)).toEqual({ from: 0, to: 3 });
    expect(includesLine(upwards, 6)).toBe(false);
  });

  it('is empty between a position and itself', () => {
    expect(selectBetween({ line: 7, column: 3 }, { line: 7, column: 3 })).toBeNull();
  });

  it('keeps whole lines at the ends of a range', () => {
    const cut = clampSelection(selectBetween({ line: 1, column: 5 }, { line: 30, column: 2 }), 10, 20);
    expect(columnsIn(cut, 10)).toEqual({ from: 0, to: Number.POSITIVE_INFINITY });
    expect(columnsIn(cut, 20)).toEqual({ from: 0, to: Number.POSITIVE_INFINITY });
  });

  it('takes words, blanks and punctuation by double click', () => {
    const text = 'took 12_000 ms -> größer';
    const word = (column: number) => {
      const { from, to } = wordAt(text, column);
      return text.slice(from, to);
    };
    expect([word(0), word(4), word(6), word(16), word(20), word(text.length)]).toEqual([
      'took',
      ' ',
      '12_000',
      '->',
      'größer',
      'größer',
    ]);
  });

  it('is drawn over matches and colours without losing a character', () => {
    const text = 'one two three';
    const pieces = choosePieces(matchPieces(piecesOf(text, [], null as never), [4, 7]), 2, 6);
    expect(pieces.map(({ text, match, chosen }) => [text, match, chosen])).toEqual([
      ['on', false, false],
      ['e ', false, true],
      ['tw', true, true],
      ['o', true, false],
      [' three', false, false],
    ]);
    expect(pieces.map(({ start, end }) => [start, end]).slice(2, 4)).toEqual([
      [true, false],
      [false, true],
    ]);
  });
});
