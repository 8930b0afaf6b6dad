/** Reads the files beside a terminal's stream: arrival times and typed commands. */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenStream } from '../../reader/bytes/open-stream.ts';
import { openStream } from '../../reader/bytes/streams.ts';
import { parseTerminalLog, type RecordedTerminal } from '../../store/contents/commands.ts';
import { commandsFile, timesFile } from '../../store/format/names.ts';
import { type Arrival, decodeArrivals, TIMES_RECORD_BYTES } from '../../store/format/times.ts';

const NO_TIMES: OpenStream = openStream({ type: 'bytes', bytes: new Uint8Array(), size: 0 });

/** Files of one terminal, by its session's folder and its id. */
export class TerminalFiles {
  readonly #folder: string;
  readonly #id: string;

  constructor(folder: string, id: string) {
    this.#folder = folder;
    this.#id = id;
  }

  log(): RecordedTerminal {
    try {
      return parseTerminalLog(readFileSync(join(this.#folder, commandsFile(this.#id)), 'utf8'));
    } catch {
      return { commands: [], sizes: [] };
    }
  }

  /** The last recorded arrival; null if there is none. */
  lastArrival(): Arrival | null {
    return this.withTimes((times) => {
      const record = Buffer.alloc(TIMES_RECORD_BYTES);
      const records = Math.floor(times.size / TIMES_RECORD_BYTES);
      if (records === 0) return null;
      times.read(record, (records - 1) * TIMES_RECORD_BYTES);
      return decodeArrivals(record)[0] ?? null;
    });
  }

  /** A missing file counts as no arrivals. */
  withTimes<T>(use: (times: OpenStream) => T): T {
    let fd: number;
    try {
      fd = openSync(join(this.#folder, timesFile(this.#id)), 'r');
    } catch {
      return use(NO_TIMES);
    }
    try {
      const { size } = fstatSync(fd);
      return use({ size, read: (into, position) => readSync(fd, into, 0, into.length, position) });
    } finally {
      closeSync(fd);
    }
  }
}
