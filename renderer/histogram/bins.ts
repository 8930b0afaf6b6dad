/** Parts of a text by time, as bars: heights, and words for a span of them. */
import type { HistogramState } from '../../shared/api/histogram.ts';
import type { FilteredLines } from '../viewer/document/rows-view.ts';

export type Edges = HistogramState['edges'];

/** Parts `from` to `to`, from 0, both included. */
export interface BinSpan {
  from: number;
  to: number;
}

export interface SpanFacts {
  first: number;
  /** Below `first` where no line is in the span. */
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
  const isLong = edges.at(-1)!.time - edges[0]!.time > DAY_MS;
  const words = (time: number) => timeWords(time, isShort, isLong);
  return {
    first: start.line_number,
    last: end.line_number - 1,
    label: `${words(start.time)}–${words(end.time)}`,
  };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** `10:30:00`, local; with the day, or with milliseconds, where they are wanted. */
export function timeWords(time: number, withMs: boolean, withDay: boolean): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  const ms = withMs ? `.${String(date.getMilliseconds()).padStart(3, '0')}` : '';
  const day = withDay ? `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ` : '';
  return `${day}${clock}${ms}`;
}

/** One SVG path of bars, each a unit wide, in a box `1` high. What is not empty is seen: at least `least` high. */
export function barsPath(counts: readonly number[], most: number, least: number): string {
  let path = '';
  for (const [i, count] of counts.entries()) {
    if (count === 0) continue;
    // By the square root: few lines beside many are seen, too.
    const height = Math.max(least, Math.sqrt(count / Math.max(1, most)));
    path += `M${i + 0.05} 1v-${height.toFixed(4)}h0.9V1z`;
  }
  return path;
}

/** The span between two parts, whichever comes first. */
export function spanBetween(a: number, b: number): BinSpan {
  return { from: Math.min(a, b), to: Math.max(a, b) };
}
