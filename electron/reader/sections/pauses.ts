/**
 * Finds the longest pauses of a log whose lines have rising times, without reading all of it: looks at the time at a
 * few places, then closer where most time passed between two of them.
 */
import { STRETCH_BYTES, type TimedLine, type TimedLines } from '../lines/timed-lines.ts';

export interface Pause {
  /** Offset of the line after which nothing came for a while. */
  readonly offset: number;
  readonly ms: number;
}

/** From one line with a time to another: in between nothing is known yet. */
interface Stretch {
  first: TimedLine;
  last: TimedLine;
}

const PARTS = 16;
/** Stretches that are looked into: some 16 MiB are read at most for each pause. */
const MOST_LOOKS = 512;

/** The longest first. Empty where no line has a time. */
export function longestPauses(reader: TimedLines, size: number, most: number): Pause[] {
  reader.keepToOneForm();
  const first = reader.after(0);
  const last = first && reader.lastBefore(size);
  if (!first || !last || last.start <= first.start) return [];
  const pauses: Pause[] = [];
  const open: Stretch[] = [{ first, last }];
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    open.sort((a, b) => spanOf(a) - spanOf(b));
    const widest = open.pop();
    if (!widest) break;
    const least = pauses.length < most ? 0 : pauses.at(-1)!.ms;
    if (spanOf(widest) <= least) break;
    const isAll = widest.last.start - widest.first.end <= STRETCH_BYTES;
    const lines = isAll ? all(widest, reader) : some(widest, reader);
    for (let i = 1; i < lines.length; i++) {
      const [before, after] = [lines[i - 1]!, lines[i]!];
      if (after.time <= before.time) continue;
      if (isAll || after.start === before.end)
        pauses.push({ offset: before.start, ms: after.time - before.time });
      else open.push({ first: before, last: after });
    }
    pauses.sort((a, b) => b.ms - a.ms || a.offset - b.offset);
    pauses.length = Math.min(pauses.length, most);
  }
  return pauses;
}

const spanOf = ({ first, last }: Stretch) => last.time - first.time;

/** All lines with a time between the two, and these. */
function all({ first, last }: Stretch, reader: TimedLines): TimedLine[] {
  return [first, ...reader.within(first.end, last.start), last];
}

/** Lines at places between the two, and these. */
function some({ first, last }: Stretch, reader: TimedLines): TimedLine[] {
  const lines = [first];
  for (let part = 1; part < PARTS; part++) {
    const at = first.end + Math.floor(((last.start - first.end) * part) / PARTS);
    const found = reader.after(at, last.start);
    if (found && found.start > lines.at(-1)!.start) lines.push(found);
  }
  return [...lines, last];
}
