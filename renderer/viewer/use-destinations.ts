/** Makes lines and times of the shown text destinations of the palette and of "Go to". */
import type { Artifact } from '../../shared/artifact.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { formatCount } from '../../shared/text/format.ts';
import {
  NO_FACTS,
  sinceStart,
  type TimeFacts,
  timeIn,
  typedTime,
  zoneOf,
  zoneOfLine,
} from '../../shared/text/line-time.ts';
import { usePaletteDestinations } from '../actions/palette-items.ts';
import { localClock, localDay } from '../ui/text/format.ts';
import type { OpenDocument } from './document/open-document.ts';
import { NO_TIMES, timeInView, timeOf } from './text/times.ts';
import { type Destination, parseDestination } from './use-navigation.ts';
import type { Viewer } from './use-viewer.ts';

/** `go to line 7`, `go to the end`, `:7`. */
const PREFIX = /^\s*(?:go\s+to\s+)?(?:the\s+)?(?::|line\s+|byte\s+(?=@))?/i;

export function useLineDestination(viewer: Viewer): void {
  usePaletteDestinations((query) => {
    const destination = parseDestination(query.replace(PREFIX, ''));
    if (!destination) return [];
    return [
      {
        id: 'line',
        text: `Go to ${words(destination)}`,
        kind: 'Move',
        icon: 'goto',
        isAnswer: true,
        run: () => {
          viewer.goTo(destination);
          viewer.scroller.current?.focus({ preventScroll: true });
        },
      },
    ];
  });
}

function words(destination: Destination): string {
  switch (destination.kind) {
    case 'line':
      return `line ${formatCount(destination.line)}`;
    case 'relative':
      return `${formatCount(Math.abs(destination.lines))} lines ${destination.lines < 0 ? 'up' : 'down'}`;
    case 'percent':
      return `${destination.percent}%`;
    case 'end':
      return 'the end';
    case 'offset':
      return `byte ${formatCount(destination.offset)}`;
  }
}

/**
 * Lets the palette and "Go to" lead to a time: to the first line that came then or later. It is typed as `10:30`,
 * `10:30:05.123`, `2026-03-01`, `2026-03-01 10:30`, or as the lines show it.
 */
export interface TimeDestination {
  /** The local time in words: `10:30:00`, with its date if one was typed. */
  words: string;
  isDay: boolean;
  run: () => void;
}

/** Returns a function that finds the destination of a typed time; null for other text. */
export function useTimeDestination(
  viewer: Viewer,
  artifact: Artifact | null,
  say: (text: string) => void,
): (typed: string) => TimeDestination | null {
  const { document } = viewer.opened;
  const destinationOf = (typed: string): TimeDestination | null => {
    const facts = factsInView(viewer, artifact);
    const found = typedTime(typed, startOf(viewer, artifact), facts);
    if (!found || !document) return null;
    const { zone } = facts;
    const date = new Date(found.time);
    // Their local parts are those of the lines' zone.
    if (zone !== null) date.setMinutes(date.getMinutes() + date.getTimezoneOffset() + zone);
    const [day, clock] = [localDay(date), localClock(date)];
    const words = found.isDay ? day : found.hasDate ? `${day} ${clock}` : clock;
    const go = async () => {
      const document = await viewer.opened.latest();
      if (!document) return;
      const start = await startOnceRead(viewer, artifact, document);
      const { time, length } = typedTime(typed, start, factsInView(viewer, artifact, document)) ?? found;
      await goToTime(viewer, document, { time, words, length }, say);
    };
    const run = () => void go().catch((error) => say(toSpillwayError(error).message));
    return { words, isDay: found.isDay, run };
  };
  usePaletteDestinations((query) => {
    const destination = destinationOf(query);
    if (!destination) return [];
    const { words, isDay, run } = destination;
    const { has_arrivals, reads_printed } = viewer.opened.snapshot.state ?? {};
    const meant = has_arrivals && reads_printed ? ', by the times that the lines print' : '';
    const text = `Go to what came ${isDay ? 'on' : 'at'} ${words}${meant}`;
    return [{ id: 'time', text, kind: 'Move', icon: 'clock', isAnswer: true, run }];
  });
  return destinationOf;
}

/**
 * A typed time of day means its first occurrence after this time: the start of a recording, else the day in view, since
 * the times in a text may span many days and be older than its file.
 */
function startOf(viewer: Viewer, artifact: Artifact | null): number {
  const shown = timeInView(viewer);
  const { row } = viewer.scroll.view.get().position;
  const isRecorded = viewer.rows.row(row)?.at !== undefined;
  if (shown === null || isRecorded) return Date.parse(artifact?.started_at ?? '');
  if (row === 0) return shown;
  const zone = zoneInView(viewer);
  return zone === null ? new Date(shown).setHours(0, 0, 0, 0) : shown - ((shown + zone * MINUTE_MS) % DAY_MS);
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Facts of the text by which a time that is written like those of its lines is read. */
function factsInView(
  viewer: Viewer,
  artifact: Artifact | null,
  document = viewer.opened.document,
): TimeFacts {
  return {
    ...NO_FACTS,
    isDayFirst: document?.snapshot().state?.format?.day_first ?? null,
    // Rows tell it before the format is known here.
    countsFromStart: sinceStart(timeInView(viewer) ?? Number.NaN) !== null,
    zone: zoneInView(viewer, document),
    writtenBy: Date.parse(artifact?.ended_at ?? '') || Date.now(),
  };
}

/**
 * The zone of the clock that the lines in view print, which a person types, in minutes east of UTC; null for local
 * times and for arrivals.
 */
function zoneInView({ rows, scroll, opened }: Viewer, document = opened.document): number | null {
  const { row } = scroll.view.get().position;
  const zone = document?.snapshot().state?.format?.zone ?? null;
  for (let index = row; index < Math.min(rows.count, row + LOOK_LINES); index += 1) {
    const shown = rows.row(index);
    if (!shown || timeOf(shown) === null) continue;
    if (shown.missing || shown.at !== undefined) return null;
    const isNamed = zone !== null && zone !== 'written' && zone !== 'local' && zone !== 'start';
    const chosen = isNamed ? zoneOf(zone) : null;
    return zoneOfLine(shown.text, { ...NO_FACTS, zone: isEpoch(shown.text) ? null : chosen });
  }
  return null;
}

/** Whether the line's time is a number of seconds or less, and not a date and time. */
const isEpoch = (line: string) => /^\d{10,}/.test(line.slice(timeIn(line)?.from ?? 0));

/** `startOf`, also where the time was typed before the first rows had come. */
async function startOnceRead(
  viewer: Viewer,
  artifact: Artifact | null,
  document: OpenDocument,
): Promise<number> {
  const { row } = viewer.scroll.view.get().position;
  if (row > 0 || viewer.rows.row(row) !== undefined) return startOf(viewer, artifact);
  const { rows } = await document.fetchRows(1, LOOK_LINES, new AbortController().signal);
  const shown = rows[0]?.at === undefined ? rows.map(timeOf).find((time) => time !== null) : undefined;
  return shown ?? Date.parse(artifact?.started_at ?? '');
}

/** Lines before the found one in which to look for a time. */
const LOOK_LINES = 50;

interface Wanted {
  /** Milliseconds since 1970. */
  time: number;
  words: string;
  /** Milliseconds that it stands for, such as a minute: lines that much later count as at that time. */
  length: number;
}

/**
 * Goes to the first line that arrived at a time or later. If it is not shown, goes to the nearest shown line and says
 * so.
 */
export async function goToTime(
  viewer: Pick<Viewer, 'passing' | 'goToLine'>,
  document: Pick<OpenDocument, 'lineAtTime' | 'fetchRows'>,
  { time, words, length }: Wanted,
  say: (text: string) => void,
): Promise<void> {
  const { signal } = new AbortController();
  const found = await document.lineAtTime(time, signal);
  if (found === null) return say(NO_TIMES);
  const from = Math.max(1, found - LOOK_LINES);
  const { rows } = await document.fetchRows(from, found - from + 1, signal);
  const times = rows.map(timeOf);
  const came = times.findLast((each) => each !== null) ?? null;
  const isLate = came !== null && came < time;
  const isFirst = from === 1 && times.slice(0, -1).every((each) => each === null);
  const isEarly = isFirst && came !== null && came >= time + length;

  const { passing } = viewer;
  if (passing?.settled && passing.count > 0) {
    const [first, last] = [passing.lineOf(0), passing.lineOf(passing.count - 1)];
    if (last !== null && (found > last || (isLate && found === last))) {
      viewer.goToLine(last);
      return say(`All lines shown are before ${words}; went to the last one`);
    }
    if (first !== null && (found < first || (isEarly && found === first))) {
      viewer.goToLine(first);
      // If the first line shown has that time, there is nothing to report.
      const [row] = (await document.fetchRows(first, 1, signal)).rows;
      const begins = timeOf(row);
      if (begins === null || begins >= time + length)
        say(`All lines shown are after ${words}; went to the first one`);
      return;
    }
  }
  viewer.goToLine(found);
  if (isLate) say(`All lines are before ${words}; went to the last one`);
  else if (isEarly) say(`All lines are after ${words}; went to the first one`);
}
