/** Turns parts of a text by time into bars, and names a span of them. */
import type { HistogramState } from '../../shared/api/histogram.ts';
import type { FilteredLines } from '../viewer/document/rows-view.ts';

export type Edges = HistogramState['edges'];

/** Parts `from` to `to`, from 0, both included. */
export interface BinSpan {
  from: number;
  to: number;
}

interface SpanFacts {
  first: number;
  /** Below `first` if the span has no lines. */
  last: number;
  label: string;
}

/** Counts each part's lines; with a filter, the lines that pass it. */
export function countsIn(edges: Edges, passing: Pick<FilteredLines, 'rowOf'> | null): number[] {
  const places = edges.map(({ line_number: line }) => (passing ? passing.rowOf(line) : line));
  return places.slice(1).map((place, i) => place - places[i]!);
}

export function binFacts(edges: Edges, { from, to }: BinSpan): SpanFacts {
  const [start, end] = [edges[from]!, edges[to + 1]!];
  const isShort = end.time - start.time < 10_000;
  const withDay = areDays(edges);
  const began = timeWords(start.time, isShort, withDay);
  const ended = timeWords(end.time, isShort, withDay && dayOf(start.time) !== dayOf(end.time));
  return { first: start.line_number, last: end.line_number - 1, label: `${began}–${ended}` };
}

/** Whether the parts are of more than one day, so that their times need the day. */
export function areDays(edges: Edges): boolean {
  return dayOf(edges[0]!.time) !== dayOf(edges.at(-1)!.time);
}

/** Returns local time, `10:30:00`, optionally with the day or milliseconds. */
export function timeWords(time: number, withMs: boolean, withDay: boolean): string {
  const date = new Date(time);
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  const ms = withMs ? `.${String(date.getMilliseconds()).padStart(3, '0')}` : '';
  return `${withDay ? `${dayOf(time)} ` : ''}${clock}${ms}`;
}

/** Returns the local day, `2026-01-13`. */
function dayOf(time: number): string {
  const date = new Date(time);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/**
 * Returns one SVG path of bars, each a unit wide, in a box `1` high. Bars that are not empty are at least `least` high.
 */
export function barsPath(counts: readonly number[], most: number, least: number): string {
  let path = '';
  for (const [i, count] of counts.entries()) {
    if (count === 0) continue;
    // Scale by the square root, so that few lines stay visible beside many.
    const height = Math.max(least, Math.sqrt(count / Math.max(1, most)));
    path += `M${i + 0.05} 1v-${height.toFixed(4)}h0.9V1z`;
  }
  return path;
}

/** Returns the span between two parts, in either order. */
export function spanBetween(a: number, b: number): BinSpan {
  return { from: Math.min(a, b), to: Math.max(a, b) };
}
