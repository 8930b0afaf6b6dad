/** Breaks lines to the width of the view, in columns: measures characters, and what stands beside the text. */

import { createContext, type RefObject, useContext, useLayoutEffect, useMemo, useState } from 'react';
import type { Row } from '../../../shared/api/rows.ts';

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

/** Returns a character's columns: one for most, two for wide ones, none for combining ones. */
type ColumnsOf = (char: string) => number;

const TAB_COLUMNS = 8;
/** Printable ASCII: every character takes one column. */
const PLAIN = /^[\x20-\x7e]*$/;
const NO_BREAKS: readonly number[] = [];

/**
 * Breaks a line's text to the width of the view, at blanks if the screen line is then at least half full. Returns the
 * start of each screen line after the first, as UTF-16 indexes into the text. A blank at the end of a
 * screen line may be beyond its edge.
 * @param columns at least 2
 */
export function breakText(text: string, columns: number, columnsOf: ColumnsOf): readonly number[] {
  const plain = PLAIN.test(text);
  if (plain && text.length <= columns) return NO_BREAKS;
  const breaks: number[] = [];
  let start = 0;
  /** Index after the last blank of the screen line. */
  let blank = 0;
  let used = 0;
  for (let at = 0; at < text.length; ) {
    const char = plain ? text[at]! : String.fromCodePoint(text.codePointAt(at)!);
    const wide = plain ? 1 : widthOf(char, used, columnsOf);
    const hangs = char === ' ' && used <= columns;
    if (used + wide > columns && wide > 0 && at > start && !hangs) {
      const next = blank > start && at - blank <= columns / 2 ? blank : at;
      breaks.push(next);
      start = next;
      at = next;
      used = 0;
      continue;
    }
    used += wide;
    at += char.length;
    if (char === ' ' || char === '\t') blank = at;
  }
  return breaks;
}

/** Returns the columns that a text takes on one screen line. */
export function columnsTaken(text: string, columnsOf: ColumnsOf): number {
  if (PLAIN.test(text)) return text.length;
  let used = 0;
  for (const char of text) used += widthOf(char, used, columnsOf);
  return used;
}

function widthOf(char: string, used: number, columnsOf: ColumnsOf): number {
  if (char === '\t') return TAB_COLUMNS - (used % TAB_COLUMNS);
  return char < '\x7f' ? 1 : columnsOf(char);
}

/** In the order of `Row.part`; null for a text of one artifact. */
export const OriginNames = createContext<readonly string[] | null>(null);

/** Most columns of a name. */
const NAME_COLUMNS = 20;
/** Columns of the colon and the blank after the number. */
const BESIDE_COLUMNS = 2;
/** Narrower views leave out the column; Rows.module.css has the same number. */
const MIN_WIDTH_PX = 640;

/** Returns the columns of the names and numbers beside a merged text; 0 for others. `digits`: of its line numbers. */
export function useOriginColumns(digits: number): number {
  const names = useContext(OriginNames);
  if (!names) return 0;
  const longest = Math.max(...names.map((name) => name.length));
  return Math.min(NAME_COLUMNS, longest) + digits + BESIDE_COLUMNS;
}

/** The artifact's name and the line number in it, of a merged row. */
interface RowOrigin {
  name: string;
  line: number;
}

/** Returns null for a text that is not merged. */
export function originOf(row: Row | undefined, names: readonly string[] | null): RowOrigin | null {
  if (!names || row?.part === undefined || row.number === undefined) return null;
  return { name: names[row.part] ?? '', line: row.number };
}
