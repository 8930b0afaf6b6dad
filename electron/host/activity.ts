/**
 * The activity log: which agent asked for what, and which lines it got. Each process appends to files of its own in
 * `run/`, so that no two write to one; all together are bounded, the oldest go first. No reply waits for it.
 */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ActivityEntry } from '../../shared/activity.ts';

/** Bytes of all files together. */
const MOST_BYTES = 10 * 1024 * 1024;
/** A process starts another file beyond this. */
const MOST_FILE_BYTES = 2 * 1024 * 1024;
/** Entries within this time are written together. */
const WRITE_AFTER_MS = 200;

const NAME = /^activity-\d+-[0-9a-z]+\.jsonl$/;

export class ActivityLog {
  readonly #run: string;
  #file: string | null = null;
  #bytes = 0;
  #waiting: string[] = [];
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(home: string) {
    this.#run = join(home, 'run');
  }

  add(entry: ActivityEntry): void {
    this.#waiting.push(`${JSON.stringify(entry)}\n`);
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      const text = this.#take();
      this.#writing = this.#writing
        .then(() => appendFile(this.#path(text), text, { mode: 0o600 }))
        .catch(() => {});
    }, WRITE_AFTER_MS).unref();
  }

  /** Writes what waits. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#waiting.length === 0) return;
    const text = this.#take();
    try {
      appendFileSync(this.#path(text), text, { mode: 0o600 });
    } catch {
      // Whatever needs the disk reports that it is full or gone.
    }
  }

  #take(): string {
    return this.#waiting.splice(0).join('');
  }

  /** The file for a text that is about to be written. */
  #path(text: string): string {
    if (this.#file === null || this.#bytes > MOST_FILE_BYTES) {
      mkdirSync(this.#run, { recursive: true, mode: 0o700 });
      this.#file = join(this.#run, `activity-${process.pid}-${Date.now().toString(36)}.jsonl`);
      this.#bytes = 0;
      removeOldest(this.#run);
    }
    this.#bytes += text.length;
    return this.#file;
  }
}

/** Oldest first. */
function logs(run: string): { path: string; bytes: number }[] {
  try {
    return readdirSync(run)
      .filter((name) => NAME.test(name))
      .flatMap((name) => {
        const path = join(run, name);
        const stats = statSync(path, { throwIfNoEntry: false });
        return stats ? [{ path, bytes: stats.size, at: stats.mtimeMs }] : [];
      })
      .sort((a, b) => a.at - b.at);
  } catch {
    return [];
  }
}

function removeOldest(run: string): void {
  const files = logs(run);
  // Room for the one that begins.
  let bytes = files.reduce((sum, one) => sum + one.bytes, MOST_FILE_BYTES);
  for (const { path, bytes: own } of files) {
    if (bytes <= MOST_BYTES) return;
    rmSync(path, { force: true });
    bytes -= own;
  }
}

/** Returns the entries of all processes, oldest first. `about`: only those with this text in them, such as an id. */
export function readActivity(home: string, about?: string): ActivityEntry[] {
  const entries: ActivityEntry[] = [];
  for (const { path, bytes } of logs(join(home, 'run'))) {
    for (const line of linesOf(path, bytes)) {
      if (line === '' || (about !== undefined && !line.includes(about))) continue;
      const entry = parsed(line);
      if (entry) entries.push(entry);
    }
  }
  return entries.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

/** Files that the window asks for again and again, and that only grow. */
const known = new Map<string, { bytes: number; lines: readonly string[] }>();

function linesOf(path: string, bytes: number): readonly string[] {
  const last = known.get(path);
  if (last?.bytes === bytes) return last.lines;
  try {
    const lines = readFileSync(path, 'utf8').split('\n');
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(path, { bytes, lines });
    return lines;
  } catch {
    return [];
  }
}

const MOST_KNOWN = 64;

/** Null for a line that a crash cut. */
function parsed(line: string): ActivityEntry | null {
  try {
    return ActivityEntry.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
