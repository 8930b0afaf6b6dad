/** Measures characters in the font of the log, in columns. */
import { type RefObject, useLayoutEffect, useMemo, useState } from 'react';
import { MIN_WIDTH_PX } from '../origins.ts';
import type { ColumnsOf } from './break-text.ts';

/** Most characters whose width is cached. */
const MAX_KNOWN = 20_000;
const COMBINING = /^(?:\p{M}|\p{Cf})$/u;
/** Narrower views scroll sideways. */
const MIN_COLUMNS = 20;
/** Pixels beside the text: the gutter's and the text's own padding (RowLine.module.css). */
const BESIDE_PX = 32 + 4 + 8;
const TIME_COLUMNS = 14;
/** Room for a blank beyond the edge. */
const SPARE_COLUMNS = 1;

export interface Wrapping {
  /** Columns that fit into a screen line. */
  columns: number;
  columnsOf: ColumnsOf;
}

interface WrappingOptions {
  on: boolean;
  scroller: RefObject<HTMLElement | null>;
  /** Digits of the gutter. */
  digits: number;
  /** Columns of the artifact's name and number beside merged lines, if the view is wide enough. */
  origin: number;
  times: boolean;
}

/** Returns how many columns fit beside the gutter, updated with the view's width; null without wrapping. */
export function useWrapping({ on, scroller, digits, origin, times }: WrappingOptions): Wrapping | null {
  const [measured, setMeasured] = useState<{ width: number; columnPx: number; font: string } | null>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!on || !element) return;
    const look = () => {
      const width = element.clientWidth;
      const { font, columnPx } = columnOf(element);
      setMeasured((last) =>
        last?.width === width && last.columnPx === columnPx && last.font === font
          ? last
          : { width, columnPx, font },
      );
    };
    look();
    const resized = new ResizeObserver(look);
    resized.observe(element);
    return () => resized.disconnect();
  }, [on, scroller]);

  const font = measured?.font ?? '';
  const columnPx = measured?.columnPx ?? 0;
  const columnsOf = useMemo(() => measurer(font, columnPx), [font, columnPx]);
  const names = measured && measured.width >= MIN_WIDTH_PX ? origin : 0;
  const beside = BESIDE_PX + (digits + SPARE_COLUMNS + names + (times ? TIME_COLUMNS : 0)) * columnPx;
  const fitting = measured && columnPx > 0 ? Math.floor((measured.width - beside) / columnPx) : null;
  const columns = fitting === null ? null : Math.max(MIN_COLUMNS, fitting);
  return useMemo(() => (on && columns !== null ? { columns, columnsOf } : null), [on, columns, columnsOf]);
}

/** Measures the pixels of one column over many characters, as a single one is rounded. */
function columnOf(element: HTMLElement): { font: string; columnPx: number } {
  const probe = document.createElement('span');
  probe.textContent = '0'.repeat(100);
  probe.style.cssText = 'position:absolute;visibility:hidden;white-space:pre';
  element.append(probe);
  const columnPx = probe.getBoundingClientRect().width / 100;
  probe.remove();
  return { font: getComputedStyle(element).font, columnPx };
}

function measurer(font: string, columnPx: number): ColumnsOf {
  const known = new Map<string, number>();
  const canvas = document.createElement('canvas').getContext('2d');
  if (canvas) canvas.font = font;
  return (char) => {
    let columns = known.get(char);
    if (columns === undefined) {
      if (known.size >= MAX_KNOWN) known.clear();
      columns =
        COMBINING.test(char) || !canvas || columnPx === 0 ? 0 : canvas.measureText(char).width / columnPx;
      known.set(char, columns);
    }
    return columns;
  };
}
