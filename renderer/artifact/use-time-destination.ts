/**
 * Makes times destinations of the palette and of "Go to". `10:30`, `10:30:05.123`, `2026-03-01 10:30` and `2026-03-01`
 * go to the first line that arrived then or later.
 */
import type { Artifact } from '../../shared/artifact.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { typedTime } from '../../shared/text/times/typed-time.ts';
import { usePaletteDestinations } from '../commands/palette/destinations.ts';
import { timeInView } from '../viewer/time-in-view.ts';
import type { Viewer } from '../viewer/use-viewer.ts';
import { goToTime } from './go-to-time.ts';

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
    const found = typedTime(typed, startOf(viewer, artifact));
    if (!found || !document) return null;
    const date = new Date(found.time);
    const clock = date.toLocaleTimeString('en-GB');
    const day = date.toLocaleDateString('sv');
    const words = found.isDay ? day : found.hasDate ? `${day} ${clock}` : clock;
    const run = () =>
      void goToTime(viewer, document, { time: found.time, words, length: found.length }, say).catch((error) =>
        say(toSpillwayError(error).message),
      );
    return { words, isDay: found.isDay, run };
  };
  usePaletteDestinations((query) => {
    const destination = destinationOf(query);
    if (!destination) return [];
    const { words, isDay, run } = destination;
    const text = `Go to what came ${isDay ? 'on' : 'at'} ${words}`;
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
  return row === 0 ? shown : new Date(shown).setHours(0, 0, 0, 0);
}
