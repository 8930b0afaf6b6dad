/** Goes to a line, to either end, or to a range of lines, even before the lines are counted. */

import { useRef, useState } from 'react';
import { toSpillwayError } from '../../shared/errors.ts';
import { useSteady } from '../ui/state/use-steady.ts';
import type { OpenDocument } from './document/open-document.ts';
import type { LineRange } from './document/rows-view.ts';
import {
  bottomRow,
  endPosition,
  isAtEnd,
  isInView,
  isWhollyVisible,
  type Scroll,
  topRow,
} from './scrolling/positions.ts';
import { firstLine, isCaret, lastLine, type Selection } from './selection/selection.ts';

import type { ShownRows } from './use-shown-rows.ts';

/** Parses the input of "Go to line". */
export type Destination =
  | { kind: 'line'; line: number }
  | { kind: 'relative'; lines: number }
  | { kind: 'percent'; percent: number }
  | { kind: 'end' }
  /** Bytes from the start of the stream. */
  | { kind: 'offset'; offset: number };

export const GO_TO_HINT =
  '1200, +50 or -50, 50%, end; a time, as 15:00, or a date; @4096 for a byte; #3 for the third match';

/** Returns null for other input. Digits may be grouped with commas, spaces or underscores. */
export function parseDestination(input: string): Destination | null {
  const text = input.trim().toLowerCase();
  if (text === 'end' || text === '$') return { kind: 'end' };
  const percent = /^(\d+(?:\.\d+)?)\s*%$/.exec(text);
  if (percent?.[1])
    return Number(percent[1]) <= 100 ? { kind: 'percent', percent: Number(percent[1]) } : null;
  const whole = /^([+\-−@]?)\s*(\d{1,3}(?:[,_ ]\d{3})+|\d+)$/.exec(text);
  if (!whole?.[2]) return null;
  const value = Number(whole[2].replace(/[,_ ]/g, ''));
  if (!Number.isSafeInteger(value)) return null;
  if (whole[1] === '@') return { kind: 'offset', offset: value };
  if (whole[1] === '+') return { kind: 'relative', lines: value };
  if (whole[1] === '-' || whole[1] === '−') return { kind: 'relative', lines: -value };
  return value >= 1 ? { kind: 'line', line: value } : null;
}

/** Returns the line of a destination that is not a byte offset, within `1..total`. */
export function lineOfDestination(
  destination: Exclude<Destination, { kind: 'offset' }>,
  current: number,
  total: number,
): number {
  return Math.min(Math.max(1, wanted(destination, current, total)), Math.max(1, total));
}

function wanted(
  destination: Exclude<Destination, { kind: 'offset' }>,
  current: number,
  total: number,
): number {
  switch (destination.kind) {
    case 'line':
      return destination.line;
    case 'relative':
      return current + destination.lines;
    case 'percent':
      return Math.ceil((destination.percent / 100) * total);
    case 'end':
      return total;
  }
}

interface NavigationOptions {
  document: OpenDocument | null;
  shown: ShownRows;
  follow: { pause: () => void; resume: () => void };
  scroll: Scroll;
  selection: Selection | null;
  selectLine: (line: number) => void;
  /** Number of lines known to exist. */
  total: number;
  /** Whether only lines that pass a filter are shown. */
  isFiltered: boolean;
  say: (message: string) => void;
}

/** Most lines to go back to. */
const MAX_JUMPS = 100;

/** The lines before jumps, to go back to, and those to go forward to. */
export class Jumps {
  #back: number[] = [];
  #forward: number[] = [];
  /** Where the last of some steps went, such as those from match to match. */
  #stepped: number | null = null;

  /** A jump leaves this line. Steps in a row, which name their line, are one jump. */
  leave(line: number, stepTo: number | null = null): void {
    const goesOn = stepTo !== null && line === this.#stepped;
    if (!goesOn && this.#back.at(-1) !== line) this.#back = [...this.#back, line].slice(-MAX_JUMPS);
    this.#stepped = stepTo;
    this.#forward = [];
  }

  /** Whether a jump left a line to go back to. */
  get canGoBack(): boolean {
    return this.#back.length > 0;
  }

  /** Returns the line before or after, seen from `now`; null if there is none. */
  travel(direction: -1 | 1, now: number): number | null {
    const [from, to] = direction < 0 ? [this.#back, this.#forward] : [this.#forward, this.#back];
    let line = from.pop();
    while (line === now) line = from.pop();
    if (line === undefined) return null;
    to.push(now);
    return line;
  }
}

export function useNavigation(options: NavigationOptions) {
  const { document, shown, follow, scroll, selection, selectLine, total, isFiltered, say } = options;
  const { rows, range, setRange, setPending, tail, openTail, closeTail, counted } = shown;
  /** Whether the last destination was the end, with only scrolling since. */
  const isSentToEnd = useRef(false);

  const [jumps] = useState(() => new Jumps());
  /** Remembers the line that a jump leaves. The tail has no numbers yet. */
  const leaveLine = (stepTo: number | null = null): void => {
    if (!tail && rows.lineOf(0) !== null) jumps.leave(currentLine(), stepTo);
  };

  const goToLine = (line: number | 'end', isNamed = false): void => {
    leaveLine();
    startTo(line, isNamed);
  };

  const startTo = (line: number | 'end', isNamed: boolean): void => {
    isSentToEnd.current = line === 'end';
    closeTail();
    if (line !== 'end') follow.pause();
    setRange((now) => (now && line !== 'end' && (line < now.start || line > now.end) ? null : now));
    setPending({ line, align: 'third', px: 0, isNamed });
  };

  /** Puts the line at the top of the view, cut by `px` pixels, once it is counted. */
  const lineToTop = (line: number, px = 0): void => {
    isSentToEnd.current = false;
    const row = rows.rowOf(Math.max(1, line));
    if (tail) closeTail();
    const isHidden = row < rows.count && rows.lineOf(row) !== Math.max(1, line);
    if (!tail && !isHidden && (row < rows.count || counted))
      scroll.moveTo({ row: Math.min(row, rows.count - 1), px });
    else setPending({ line, align: 'top', px });
  };

  /** As `lineToTop`, for a jump that a person makes: the caret moves, too. */
  const jumpToTop = (line: number): void => {
    leaveLine();
    if (rows.lineOf(rows.rowOf(line)) === line) selectLine(line);
    lineToTop(line);
  };

  /**
   * Selects the line and scrolls it to the middle of the view; `unless visible`, a step, scrolls only if needed.
   */
  const showLine = (line: number, move: 'always' | 'unless visible'): void => {
    const { position, height, heights } = scroll.view.get();
    const row = rows.rowOf(line);
    const isShown = !tail && rows.lineOf(row) === line && row < rows.count;
    const isStep = move === 'unless visible';
    leaveLine(isStep ? line : null);
    if (isStep && isShown && isWhollyVisible(row, position, height, heights)) {
      isSentToEnd.current = false;
      setPending(null);
      follow.pause();
      selectLine(line);
    } else {
      startTo(line, true);
      setPending({ line, align: 'middle', px: 0, isNamed: true });
    }
  };

  /** Goes back to the line before the last jump, or forward; at the first one, to what the tab showed before. */
  const travel = (direction: -1 | 1): void => {
    const line = tail || rows.lineOf(0) === null ? null : jumps.travel(direction, currentLine());
    if (line === null) {
      window.history.go(direction);
      return;
    }
    follow.pause();
    isSentToEnd.current = false;
    setPending({ line, align: 'third', px: 0 });
  };

  const toStart = (): void => {
    leaveLine();
    if (isCaret(selection) && !tail) selectLine(rows.lineOf(0) ?? 1);
    isSentToEnd.current = false;
    setPending(null);
    follow.pause();
    if (tail) {
      closeTail();
      setPending({ line: 1, align: 'top', px: 0 });
    } else scroll.moveTo({ row: 0, px: 0 });
  };

  const toEnd = (): void => {
    leaveLine();
    const last = rows.lineOf(rows.count - 1);
    if (isCaret(selection) && last !== null && counted) selectLine(last);
    isSentToEnd.current = true;
    setPending(null);
    follow.resume();
    const endIsHere = counted || tail !== null || isFiltered || (range !== null && range.end <= total);
    const { height, heights } = scroll.view.get();
    if (endIsHere) scroll.moveTo(endPosition(rows.count, height, heights));
    else void openTail();
  };

  const topLine = (): number => {
    const { position, height, heights } = scroll.view.get();
    return rows.lineOf(topRow(position, height, heights)) ?? 1;
  };

  /** Returns the line where the selection ends; null if out of view. */
  const selectedLineInView = (): number | null => {
    const { position, height, heights } = scroll.view.get();
    if (!selection || rows.lineOf(0) === null) return null;
    return isInView(rows.rowOf(selection.focus), position, height, heights) ? selection.focus : null;
  };

  /** Returns the selected line in view next to the end of the selection, which is out of view; null if all are. */
  const nearestSelected = (): number | null => {
    const { position, height, heights } = scroll.view.get();
    const top = rows.lineOf(topRow(position, height, heights));
    const bottom = rows.lineOf(bottomRow(position, rows.count, height, heights));
    if (!selection || top === null || bottom === null) return null;
    const nearest = selection.focus > bottom ? bottom : top;
    return nearest >= firstLine(selection) && nearest <= lastLine(selection) ? nearest : null;
  };

  /**
   * Returns the line that keys act on: the end of the selection, or the selected line in view that is nearest to it;
   * else the last line, if the reader went there and it is in view; else the top line.
   */
  const currentLine = (): number => {
    const isLast = isSentToEnd.current && isAtEnd({ ...scroll.view.get(), total: rows.count });
    const last = isLast ? rows.lineOf(rows.count - 1) : null;
    return selectedLineInView() ?? nearestSelected() ?? last ?? topLine();
  };

  /** Goes where a person asked to go: to a line, a percentage, an offset. */
  const goTo = (destination: Destination): void => {
    const problem = (error: unknown) => say(toSpillwayError(error).message);
    if (destination.kind === 'offset')
      document?.lineAt(destination.offset, new AbortController().signal).then(goToLine, problem);
    else if (destination.kind === 'line') goToLine(destination.line, true);
    else if (destination.kind === 'end') counted ? goToLine('end') : toEnd();
    else if (counted) goToLine(lineOfDestination(destination, currentLine(), total));
    else if (destination.kind === 'relative') goToLine(Math.max(1, currentLine() + destination.lines));
    else say('A percentage needs the line count, which is not known yet');
  };

  /** Shows only these lines; null shows all, keeping the line at the top. */
  const showRange = (next: LineRange | null): void => {
    const line = rows.lineOf(scroll.view.get().position.row);
    closeTail();
    setRange(next);
    if (next) {
      follow.pause();
      setPending({ line: next.start, align: 'top', px: 0 });
    } else if (range && line !== null) setPending({ line, align: 'top', px: 0 });
  };

  return useSteady({
    ...{ goTo, goToLine, lineToTop, jumpToTop, showLine, toStart, toEnd, showRange, travel },
    ...{ topLine, currentLine, selectedLineInView },
    /** Whether a jump within this text can be taken back. */
    canGoBack: () => !tail && jumps.canGoBack,
  });
}
