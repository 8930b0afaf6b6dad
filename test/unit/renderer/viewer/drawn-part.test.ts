import { describe, expect, it } from 'vitest';
import {
  clampSelection,
  drawnPart,
  extendTo,
  selectBetween,
} from '../../../../renderer/viewer/selection/selection.ts';
import { foldedLine } from '../../../../renderer/viewer/text/json-lines.ts';
import { jsonLine } from '../../../../shared/text/json-line.ts';

const RAW = '{"queue":"mail","pid":99,"level":"info","msg":"job 7 ran","time":"2026-01-13T10:00:00.049Z"}';
// Drawn as `2026-01-13 10:00:00.049 INFO  job 7 ran  queue=mail pid=99`.
const { fragments } = foldedLine(jsonLine(RAW)!);
const part = (from: string, to: string) =>
  drawnPart(fragments, RAW, [RAW.indexOf(from), RAW.indexOf(to) + to.length]);

describe('what a drag covers in a line drawn in another order', () => {
  it('is the text that is drawn, and the parts of the line that it shows', () => {
    const dragged = part('7 ran', 'queue')!;
    expect(dragged.text).toBe('7 ran  queue');
    const { spans } = dragged;
    expect([RAW.slice(spans[0], spans[1]), RAW.slice(spans[2], spans[3])]).toEqual(['7 ran', 'queue']);
    expect(part('info', 'job')?.text).toBe('INFO  job');
  });

  it('is the same in both directions', () => {
    const [a, b] = [RAW.indexOf('7 ran'), RAW.indexOf('ail"')];
    expect(drawnPart(fragments, RAW, [a, b])).toEqual(drawnPart(fragments, RAW, [b, a]));
    expect(drawnPart(fragments, RAW, [a, b])?.text).toBe('7 ran  queue=m');
  });

  it('goes to either end of the line', () => {
    const all = drawnPart(fragments, RAW, [0, RAW.length])!;
    expect(all.text).toBe('2026-01-13 10:00:00.049 INFO  job 7 ran  queue=mail pid=99');
  });

  it('is described by columns alone where the line is written as it is drawn', () => {
    expect(part('job', '7')).toBeNull();
    expect(part('queue', 'mail')).toBeNull();
    expect(part('mail', '99')).toBeNull();
  });
});

describe('a selection in lines drawn in another order', () => {
  const at = (line: number, column: number, isDrawn = true) => ({ line, column, isDrawn });

  it('has the lines as a whole if it covers several', () => {
    expect(selectBetween(at(3, 9), at(5, 2))).toEqual({ anchor: 3, focus: 5 });
    const { columns } = selectBetween(at(3, 9, false), at(5, 2))!;
    expect(columns).toEqual({ anchor: 9, focus: Number.POSITIVE_INFINITY });
    expect(selectBetween(at(5, 9), at(3, 2, false))!.columns).toEqual({
      anchor: Number.POSITIVE_INFINITY,
      focus: 2,
    });
    expect(extendTo(selectBetween(at(3, 9), at(3, 2), part('7 ran', 'queue')), 4)).toEqual({
      anchor: 3,
      focus: 4,
    });
  });

  it('keeps its part while the text around it changes', () => {
    const selection = selectBetween(at(3, 9), at(3, 2), part('7 ran', 'queue'));
    expect(clampSelection(selection, 1, 10)).toEqual(selection);
  });
});
