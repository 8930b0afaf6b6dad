import { describe, expect, it } from 'vitest';
import {
  clampSelection,
  extendTo,
  firstLine,
  includesLine,
  lastLine,
  lineCount,
  selectLine,
} from '../../../renderer/viewer/selection/selection.ts';

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
