/** A time as a destination of the palette: `10:30` and `10:30:05` lead to the first line that came then or later. */

import type { Artifact } from '../../shared/artifact.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { usePaletteSource } from '../commands/palette/palette-sources.ts';
import { timeInView } from '../viewer/time-in-view.ts';
import type { Viewer } from '../viewer/use-viewer.ts';

export function useTimeDestination(
  viewer: Viewer,
  artifact: Artifact | null,
  say: (text: string) => void,
): void {
  const { document } = viewer.opened;
  usePaletteSource((query) => {
    const time = timeOnDay(query, startOf(viewer, artifact));
    if (time === null || !document) return [];
    const go = async () => {
      try {
        const line = await document.lineAtTime(time, new AbortController().signal);
        if (line === null) say('When lines came is neither recorded here nor told by them');
        else viewer.goToLine(line);
      } catch (error) {
        say(toSpillwayError(error).message);
      }
    };
    return [
      {
        id: 'time',
        text: `Go to what came at ${new Date(time).toLocaleTimeString('en-GB')}`,
        kind: 'Move',
        icon: 'clock',
        isAnswer: true,
        run: () => void go(),
      },
    ];
  });
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

const DAY_MS = 24 * 60 * 60 * 1000;

/** The first time of this kind after `start`, local; null when none is typed. */
export function timeOnDay(typed: string, start: number): number | null {
  const [, hours, minutes, seconds = '0'] = /^\s*(\d{1,2}):(\d\d)(?::(\d\d))?\s*$/.exec(typed) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  if (Number.isNaN(start)) return null;
  const time = new Date(start).setHours(Number(hours), Number(minutes), Number(seconds), 0);
  // The minute it began in is meant, too.
  return time + 60_000 <= start ? time + DAY_MS : time;
}
