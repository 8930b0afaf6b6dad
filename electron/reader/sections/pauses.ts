/**
 * Finds the longest pauses of a log whose lines have rising times, without reading all of it: looks at the time at a
 * few places, then closer where most time passed between two of them.
 */
import { LF } from '../../../shared/text/codes.ts';
import { lineTime, TIME_WITHIN_CHARS, type TimeFacts } from '../../../shared/text/line-time.ts';
import type { OpenStream } from '../bytes/open-stream.ts';

export interface Pause {
  /** Offset of the line after which nothing came for a while. */
  readonly offset: number;
  readonly ms: number;
}

interface TimedLine {
  /** Where the line begins, and where the next one does. */
  start: number;
  end: number;
  time: number;
}

/** From one line with a time to another: in between nothing is known yet. */
interface Stretch {
  first: TimedLine;
  last: TimedLine;
}

const READ_BYTES = 64 * 1024;
const PARTS = 16;
/** Stretches that are looked into: some 16 MiB are read at most for each pause. */
const MOST_LOOKS = 512;

/** The longest first. Empty where no line has a time. */
export function longestPauses(stream: OpenStream, facts: TimeFacts, most: number): Pause[] {
  const reader = new TimedLines(stream, facts);
  const first = reader.after(0, stream.size);
  const last = first && reader.lastBefore(stream.size);
  if (!first || !last || last.start <= first.start) return [];
  const pauses: Pause[] = [];
  const open: Stretch[] = [{ first, last }];
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    open.sort((a, b) => spanOf(a) - spanOf(b));
    const widest = open.pop();
    if (!widest) break;
    const least = pauses.length < most ? 0 : pauses.at(-1)!.ms;
    if (spanOf(widest) <= least) break;
    const lines =
      widest.last.start - widest.first.end <= READ_BYTES ? reader.all(widest) : reader.some(widest);
    const isAll = widest.last.start - widest.first.end <= READ_BYTES;
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

class TimedLines {
  readonly #stream: OpenStream;
  readonly #facts: TimeFacts;
  readonly #buffer = Buffer.allocUnsafeSlow(READ_BYTES * 2);

  constructor(stream: OpenStream, facts: TimeFacts) {
    this.#stream = stream;
    this.#facts = facts;
  }

  /** The first line with a time that begins at `from` or after, and before `to`; null if none near does. */
  after(from: number, to: number): TimedLine | null {
    return this.#lines(from, to, 1)[0] ?? null;
  }

  lastBefore(to: number): TimedLine | null {
    return this.#lines(Math.max(0, to - READ_BYTES), to, Number.POSITIVE_INFINITY).at(-1) ?? null;
  }

  /** All lines with a time between the two, and these. */
  all({ first, last }: Stretch): TimedLine[] {
    return [first, ...this.#lines(first.end, last.start, Number.POSITIVE_INFINITY), last];
  }

  /** Lines at places between the two, and these. */
  some({ first, last }: Stretch): TimedLine[] {
    const lines = [first];
    for (let part = 1; part < PARTS; part++) {
      const at = first.end + Math.floor(((last.start - first.end) * part) / PARTS);
      const found = this.after(at, last.start);
      if (found && found.start > lines.at(-1)!.start) lines.push(found);
    }
    return [...lines, last];
  }

  #lines(from: number, to: number, most: number): TimedLine[] {
    const base = Math.max(0, from - 1);
    const filled = this.#stream.read(this.#buffer, base);
    const bytes = this.#buffer.subarray(0, filled);
    const found: TimedLine[] = [];
    let at = from === 0 ? 0 : bytes.indexOf(LF) + 1;
    if (from > 0 && at === 0) return found;
    while (at < filled && base + at < to && found.length < most) {
      const lineEnd = bytes.indexOf(LF, at);
      const end = lineEnd < 0 ? filled : lineEnd + 1;
      const text = bytes.toString('latin1', at, Math.min(end, at + TIME_WITHIN_CHARS)).trimEnd();
      const time = lineTime(text, this.#facts);
      if (time !== null) found.push({ start: base + at, end: base + end, time });
      at = end;
    }
    return found;
  }
}
