/**
 * Cuts a text into parts of equal time. Reads few lines: some hundred spread over the text, then the edges of all parts
 * by bisection. A line whose time goes back counts with the latest time before it. Lines before the first time are left
 * out. Reports estimates meanwhile: half way between known lines.
 */
import type { HistogramState } from '../../../shared/api/search.ts';
import type { Pool } from '../../workers/pool.ts';
import type { Generation } from '../documents/generation.ts';
import { learnTimesOf, timeOfRow, withArrivals } from './dated-rows.ts';

const SAMPLES = 256;
/** Lines read for one time: the first may go on with the message before. */
const PROBE_LINES = 4;
/** Most rows of one task. */
const ROWS_PER_TASK = 512;

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const STEPS_MS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR_MS),
  ...[1, 2, 7, 14, 30, 90, 365, 3650, 36_500].map((count) => count * DAY_MS),
];

interface HistogramOptions {
  pool: Pool;
  signal: AbortSignal;
  /** Told estimates, each better than the last. */
  tell: (state: HistogramState) => void;
}

/** The text must be indexed. */
export async function histogramOf(
  generation: Generation,
  bins: number,
  { pool, signal, tell }: HistogramOptions,
): Promise<HistogramState> {
  const { numbers } = generation;
  const total = numbers.stored;
  await generation.learnFormat(pool);
  const source = generation.arrivalTimes() ? ('arrivals' as const) : ('text' as const);
  const nothing = { generation: generation.number, source: null, edges: [], progress: 1, done: true };
  const timesOf = (lines: readonly number[], probeLines = PROBE_LINES) =>
    timesAt(generation, lines, { probeLines, pool, signal });
  const count = Math.min(SAMPLES, total);
  const lines = Array.from(
    { length: count },
    (_, i) => 1 + Math.floor((i * (total - 1)) / Math.max(1, count - 1)),
  );
  const samples = await latest(lines, timesOf);
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || samples.length < 2) return nothing;
  const step = STEPS_MS.find((each) => (last.time - first.time) / each < bins) ?? STEPS_MS.at(-1)!;
  const start = Math.floor(first.time / step) * step;
  const parts = Math.floor((last.time - start) / step) + 1;
  const times = Array.from({ length: parts + 1 }, (_, i) => start + i * step);
  const state = (firstTimed: number, found: readonly number[], progress: number): HistogramState => {
    let before = firstTimed;
    const edges = times.map((time, i) => {
      const line = i === 0 ? firstTimed : i === parts ? total + 1 : Math.max(before, found[i]!);
      before = line;
      return { time, line_number: line > total ? numbers.shown(total) + 1 : numbers.shown(line) };
    });
    return { generation: generation.number, source, edges, progress, done: progress === 1 };
  };
  const found = await bisect(times, samples, total, timesOf, (middles, progress) =>
    tell(state(first.line, middles, progress)),
  );
  const firstTimed = await firstWithTime(lines[lines.indexOf(first.line) - 1] ?? 0, first.line, timesOf);
  return state(firstTimed, found, 1);
}

interface Sample {
  line: number;
  time: number;
}

/** The time of each line, or of the first after it that has one, of so many lines. */
type TimesOf = (lines: readonly number[], probeLines?: number) => Promise<(number | null)[]>;

/** Finds the first line with a time, after `low`: from `high` on, lines have some. */
async function firstWithTime(low: number, high: number, timesOf: TimesOf): Promise<number> {
  let [without, near] = [low, high];
  while (near - without > 1) {
    const middle = Math.floor((without + near) / 2);
    const [time] = await timesOf([middle]);
    if (time === null || time === undefined) without = middle;
    else near = middle;
  }
  const times = await timesOf(
    Array.from({ length: PROBE_LINES }, (_, i) => near + i),
    1,
  );
  return (
    near +
    Math.max(
      0,
      times.findIndex((time) => time !== null),
    )
  );
}

/** The lines that have times, each with the latest so far. */
async function latest(lines: readonly number[], timesOf: TimesOf): Promise<Sample[]> {
  const times = await timesOf(lines);
  let highest = Number.NEGATIVE_INFINITY;
  return lines.flatMap((line, i) => {
    const time = times[i];
    if (time === null || time === undefined) return [];
    highest = Math.max(highest, time);
    return { line, time: highest };
  });
}

/**
 * For each time the first line that came then or later, as far as times only go on.
 * @param onRound told before each round where the lines may be, and the part of the rounds that is over
 */
async function bisect(
  times: readonly number[],
  samples: readonly Sample[],
  total: number,
  timesOf: TimesOf,
  onRound: (middles: number[], progress: number) => void,
): Promise<number[]> {
  const spans = times.map((time) => {
    const at = samples.findIndex((sample) => sample.time >= time);
    const before = at < 0 ? samples.at(-1) : samples[at - 1];
    return { time, low: before?.line ?? 0, high: at < 0 ? total + 1 : samples[at]!.line };
  });
  const middle = ({ low, high }: { low: number; high: number }) => Math.floor((low + high) / 2);
  const widest = spans.reduce((most, { low, high }) => Math.max(most, high - low), 1);
  const rounds = Math.ceil(Math.log2(widest));
  for (let round = 0; ; round += 1) {
    const open = spans.filter(({ low, high }) => high - low > 1);
    if (open.length === 0) return spans.map(({ high }) => high);
    // The first line with a time is looked for after that.
    onRound(spans.map(middle), (round + 1) / (rounds + 2));
    const middles = open.map(middle);
    const found = await timesOf(middles);
    for (const [i, span] of open.entries()) {
      const time = found[i] ?? null;
      if (time !== null && time >= span.time) span.high = middles[i]!;
      else span.low = middles[i]!;
    }
  }
}

/** The time of each line, or of the next few where it has none. */
async function timesAt(
  generation: Generation,
  lines: readonly number[],
  { probeLines, pool, signal }: { probeLines: number; pool: Pool; signal: AbortSignal },
): Promise<(number | null)[]> {
  const { stored } = generation.numbers;
  const probe = (line: number) =>
    Array.from({ length: probeLines }, (_, i) => line + i).filter((each) => each <= stored);
  const wanted = [...new Set(lines.flatMap(probe))].sort((a, b) => a - b);
  const times = new Map<number, number>();
  for (let at = 0; at < wanted.length; ) {
    const part = wanted.slice(at, at + ROWS_PER_TASK);
    const rows = await pool.run('rowsOf', { ...generation.text(), lines: part }, { signal });
    if (rows.length === 0) break;
    await learnTimesOf(rows, generation, pool);
    for (const [i, row] of withArrivals(rows, generation).entries()) {
      const time = timeOfRow(row);
      if (time !== null) times.set(part[i]!, time);
    }
    at += rows.length;
  }
  return lines.map((line) => {
    const near = probe(line).find((each) => times.has(each));
    return near === undefined ? null : times.get(near)!;
  });
}
