/**
 * Turns `since`, `until` and `around` into lines: by the times of arrival, or else those in the text. A line without a
 * time belongs to the line before it.
 */
import { argumentOn, type Surface } from '../../../shared/arguments/argument.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import {
  lineTime,
  NO_FACTS,
  START_TIME,
  type TimeFacts,
  typedSpan,
  typedTime,
  zoneOfLine,
} from '../../../shared/text/line-time.ts';
import type { InspectParams } from '../../../shared/views.ts';
import type { Pool } from '../../workers/pool.ts';
import { type Generation, offsetAtTime } from '../documents/generation.ts';
import { MergedGeneration } from '../documents/origins/merged-origin.ts';
import { noteOf } from './context.ts';
import { learnTimesOf, rowsView, timeOfRow, withArrivals } from './dated-rows.ts';

/** By the line numbers that are shown, both included; `first` is after `last` where no line is of that time. */
export interface LineBounds {
  first: number;
  last: number;
  /** Says which times were meant, where there are two, and that they fall somewhere; or why no line is of that time. */
  note?: string;
}

type TimeParams = Pick<InspectParams, 'since' | 'until' | 'around'>;

/** Returns null without such arguments. Throws `usage` if one is not a time, or the text has no times. */
export async function timeBounds(
  generation: Generation,
  { since, until, around }: TimeParams,
  { pool, surface }: { pool: Pool; surface: Surface },
): Promise<LineBounds | null> {
  if (since === undefined && until === undefined && around === undefined) return null;
  const start = await timeNear(generation, 1, pool);
  if (start === null) throw noTimes();
  const read = (text: string) => momentOf(text, start, generation, pool);
  const near = around === undefined ? null : await aroundOf(around, read);
  const least = since === undefined ? null : (await read(since)).from;
  const most = until === undefined ? null : (await read(until)).to;
  const from = least === null || near === null ? (near?.from ?? least) : Math.max(least, near.from);
  const to = most === null || near === null ? (near?.to ?? most) : Math.min(most, near.to);
  if (from !== null && to !== null && from > to) {
    const [earlier, later] = [argumentOn(surface, 'until'), argumentOn(surface, 'since')];
    throw new SpillwayError(
      'usage',
      `${later} is after ${earlier}`,
      `give ${later} a time before that of ${earlier}`,
    );
  }
  const { total } = generation.numbers;
  const first = from === null ? 1 : await lineSince(generation, from, pool);
  const behind = to === null ? total + 1 : await lineSince(generation, to + 1, pool);
  if (first === null || behind === null) throw noTimes();
  const bounds = { first, last: behind - 1 };
  const byArrival = generation.arrivals() !== null;
  if (first >= behind) {
    const last = first > total ? await lastTime(generation, pool) : null;
    const words = (time: number) =>
      countsFromStart(generation)
        ? `${(time - START_TIME) / 1000} s after the start`
        : new Date(time).toISOString();
    const end = last === null ? '' : `: the last one is ${words(last)}`;
    const begin = behind > 1 ? '' : `: the first one is ${words(start.time)}`;
    return { ...bounds, note: `no line is of that time${end || begin}` };
  }
  const { note } = noteOf([
    generation.readsPrinted && byArrival
      ? `chosen by the times that the lines print; ${argumentOn(surface, 'log_format')} arrivals chooses by when they arrived`
      : null,
    generation.timesFall && (generation.readsPrinted || !byArrival)
      ? 'some lines are earlier than those before them: lines of that time may stand elsewhere, too'
      : null,
  ]);
  return { ...bounds, ...(note ? { note } : {}) };
}

function noTimes(): SpillwayError {
  return new SpillwayError(
    'usage',
    'the text has no times, and none were recorded',
    'choose lines by their numbers, or by a pattern',
  );
}

/** Returns the first line of that time or a later one; one after the last where all are earlier, null without times. */
export async function lineSince(generation: Generation, time: number, pool: Pool): Promise<number | null> {
  await generation.learnFormat(pool);
  const since =
    generation instanceof MergedGeneration
      ? await generation.offsetSince(time)
      : (generation.arrivalTimes()?.since(time) ?? (await offsetAtTime(generation, time, pool)));
  if (since === null) return null;
  if (since >= generation.size) return generation.numbers.total + 1;
  const text = generation.text();
  const line = await pool.run('lineAt', { ...text, offset: Math.max(0, since) });
  const isBegun = generation.format?.entries !== 'unindented' || generation.arrivalTimes() !== null;
  return generation.numbers.shown(isBegun ? line : await entryStart(generation, line, pool));
}

/** Returns the first line of the entry whose first time is on the line. */
async function entryStart(generation: Generation, line: number, pool: Pool): Promise<number> {
  const form = await generation.entryForm(pool);
  const span = { first: line, last: line };
  const { first } = await pool.run('entriesAround', { ...generation.text(), span, form });
  if (first === line) return line;
  const request = { start: first, count: line - first, fromEnd: false };
  const { rows } = await pool.run('rows', { ...generation.text(), request });
  const isDated = rows.some((row) => !row.missing && lineTime(row.text, form.facts) !== null);
  return isDated ? line : first;
}

/** Whether the times that choose lines are seconds since the start. */
function countsFromStart(generation: Generation): boolean {
  return generation.arrivalTimes() === null && generation.timeFacts().countsFromStart;
}

/** Lines that are looked at for a time. */
const NEAR_LINES = 200;

interface TimeOfLine {
  time: number;
  /** Minutes east of UTC, if it names a zone. */
  zone: number | null;
}

/** Returns the last time that one of the last lines has. */
async function lastTime(generation: Generation, pool: Pool): Promise<number | null> {
  const request = { start: NEAR_LINES, count: NEAR_LINES, fromEnd: true };
  const { rows } = await rowsView(generation, request, pool, undefined);
  const times = withArrivals(rows, generation).map(timeOfRow);
  return times.findLast((time) => time !== null) ?? null;
}

/** Returns the time of the line, or of the next one that has one; null if none near has. */
async function timeNear(generation: Generation, line: number, pool: Pool): Promise<TimeOfLine | null> {
  const request = { start: line, count: NEAR_LINES, fromEnd: false };
  const { rows } = await rowsView(generation, request, pool, undefined);
  await learnTimesOf(rows, generation, pool);
  for (const row of withArrivals(rows, generation)) {
    const time = timeOfRow(row);
    // A person types the clock that the lines show; of an arrival they show none.
    if (time !== null)
      return {
        time,
        zone: row.missing || row.at != null ? null : zoneOfLine(row.text, generation.timeFacts(row.offset)),
      };
  }
  return null;
}

const AGO = /^\s*-?\s*(\d+(?:\.\d+)?\s*(?:ms|s|min|m|h|d))(?:\s+ago)?\s*$/;
const LINE = /^\s*line\s+(\d+)\s*$/i;

/** The moment that a time stands for begins at `from` and ends at `to`. */
interface Moment {
  from: number;
  to: number;
}

async function momentOf(
  text: string,
  start: TimeOfLine,
  generation: Generation,
  pool: Pool,
): Promise<Moment> {
  const line = LINE.exec(text);
  if (line) {
    const { total } = generation.numbers;
    const number = Number(line[1]);
    const isLine = number >= 1 && number <= total;
    const near = isLine ? await timeNear(generation, number, pool) : null;
    if (near !== null) return at(near.time);
    const what = isLine ? `no line at or behind ${number} has a time` : `there is no line ${number}`;
    throw new SpillwayError('usage', what, `name one of the ${total} lines that has one, or a time`);
  }
  const facts = generation.timeFacts();
  return typedMoment(text, start.time, {
    orElse: ' or line 120, or as a line of this text has it',
    facts: { ...facts, zone: start.zone, countsFromStart: countsFromStart(generation) },
  });
}

/**
 * As `typedTime`; without facts, `15m` is 15 minutes ago. Throws `usage` for other text, with advice that ends with
 * `orElse`.
 */
export function typedMoment(
  text: string,
  start: number,
  { orElse = '', facts = NO_FACTS }: { orElse?: string; facts?: TimeFacts } = {},
): Moment {
  const typed = typedTime(text, start, facts);
  if (typed) {
    const { time, length, isDay } = typed;
    // A minute that is typed begins where it says, and ends there.
    return { from: time, to: isDay || length === SECOND_MS ? time + length - 1 : time };
  }
  const ago = AGO.exec(text);
  if (ago) return at(Date.now() - typedSpan(ago[1]!)!);
  throw new SpillwayError(
    'usage',
    `${JSON.stringify(text)} is no time`,
    `write it as 2026-03-01 10:30:00, 10:30, 15m (15 minutes ago)${orElse}`,
  );
}

const SECOND_MS = 1000;
const at = (time: number): Moment => ({ from: time, to: time });

const DEFAULT_SPAN_MS = 60_000;

/** Reads `10:30±5m`, `10:30+-5m`, or a time alone, which means a minute before and behind it, or the day that it is. */
async function aroundOf(text: string, read: (text: string) => Promise<Moment>): Promise<Moment> {
  const [, time, written] = /^(.*?)(?:±|\+\/?-)(.*)$/.exec(text) ?? [null, text, null];
  const span = written === null ? DEFAULT_SPAN_MS : typedSpan(written!);
  if (span === null)
    throw new SpillwayError(
      'usage',
      `${JSON.stringify(written)} is no time span`,
      'write it as 30s, 5m or 2h',
    );
  const { from, to } = await read(time!);
  if (written === null && to - from > DEFAULT_SPAN_MS) return { from, to };
  return { from: from - span, to: to + span };
}
