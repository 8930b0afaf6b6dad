/**
 * The activity log: which agent asked for what, and which lines it got. Each process appends to files of its own in
 * `run/`, so that no two write to one; all together are bounded, the oldest go first. No reply waits for it.
 */
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Activity,
  ActivityEntry,
  type ActivityParams,
  countOf,
  type Passed,
  shellEntry,
} from '../../shared/activity.ts';
import { type Artifact, CAPTURES_SOURCE, type Lines } from '../../shared/artifact.ts';
import type { ShellHabits } from '../agents/agent.ts';
import { shellHabitsOf } from '../agents/agents.ts';

/** Bytes of all files together. */
const MOST_BYTES = 10 * 1024 * 1024;
/** A process starts another file beyond this. */
const MOST_FILE_BYTES = 2 * 1024 * 1024;
/** After so many bytes a process looks at what all have written, as many write at once. */
const CHECKED_BYTES = 256 * 1024;
/** Entries within this time are written together. */
const WRITE_AFTER_MS = 200;

const NAME = /^activity-\d+-[0-9a-z]+\.jsonl$/;

export class ActivityLog {
  readonly #run: string;
  #file: string | null = null;
  #bytes = 0;
  #unchecked = 0;
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
      this.#unchecked = CHECKED_BYTES;
    }
    if (this.#unchecked >= CHECKED_BYTES) {
      this.#unchecked = 0;
      removeOldest(this.#run, this.#file);
    }
    this.#bytes += text.length;
    this.#unchecked += text.length;
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

/** `kept`: the file that is being written. */
function removeOldest(run: string, kept: string): void {
  const files = logs(run).filter(({ path }) => path !== kept);
  // Room for that file.
  let bytes = files.reduce((sum, one) => sum + one.bytes, MOST_FILE_BYTES);
  for (const { path, bytes: own } of files) {
    if (bytes <= MOST_BYTES) return;
    rmSync(path, { force: true });
    bytes -= own;
  }
}

/** A line of the log, or a command of an agent's own shell, whose record says all that an entry does. */
type Place = { log: KnownLog; i: number } | { command: Artifact };

/** What is known of commands in agents' own shells. */
export interface ShellCommands {
  all: readonly Artifact[];
  passed(command: Artifact): Promise<Passed | null>;
}

/** The order in which entries of all processes were found, so that the place of each stays the same. */
class EntryOrder {
  readonly #run: string;
  /** Another one when entries were removed. */
  #age = 0;
  readonly #id = `${process.pid}-${Date.now().toString(36)}`;
  #places: Place[] = [];
  readonly #commands = new Set<string>();
  readonly #counted = new Map<string, { log: KnownLog; lines: number }>();

  constructor(run: string) {
    this.#run = run;
  }

  async page(
    { known, before, limit = PAGE_CALLS }: ActivityParams,
    commands: ShellCommands,
  ): Promise<Activity> {
    this.#update(commands.all);
    const name = `${this.#id}.${this.#age}`;
    const [knownName, knownCount] = known?.split(' ') ?? [];
    const whole = knownName !== name;
    const count = this.#places.length;
    if (!whole && before !== undefined) {
      const from = Math.max(0, before - limit);
      const entries = await this.#between(from, Math.min(before, count), commands);
      return { state: known!, whole, from, entries };
    }
    const from = whole ? Math.max(0, count - limit) : Math.min(Number(knownCount), count);
    const end = Math.min(count, from + limit);
    return { state: `${name} ${end}`, whole, from, entries: await this.#between(from, end, commands) };
  }

  async #between(from: number, end: number, { passed }: ShellCommands): Promise<ActivityEntry[]> {
    const entries: ActivityEntry[] = [];
    for (const place of this.#places.slice(from, end).reverse()) {
      const entry =
        'log' in place ? entryOf(place.log, place.i) : shellEntry(place.command, await passed(place.command));
      if (entry) entries.push(entry);
    }
    return entries;
  }

  #update(commands: readonly Artifact[]): void {
    const files = logs(this.#run).map(({ path, bytes }) => ({ path, log: logAt(path, bytes) }));
    const paths = new Set(files.map(({ path }) => path));
    const isOther = ([path, { log }]: [string, { log: KnownLog }]) =>
      !paths.has(path) || known.get(path) !== log;
    if ([...this.#counted].some(isOther)) {
      this.#age += 1;
      this.#places = [];
      this.#counted.clear();
      this.#commands.clear();
    }
    const added: (Place & { at: string })[] = [];
    for (const { path, log } of files) {
      const from = this.#counted.get(path)?.lines ?? 0;
      for (let i = from; i < log.lines.length; i += 1) added.push({ at: timeIn(log.lines[i]!), log, i });
      this.#counted.set(path, { log, lines: log.lines.length });
    }
    for (const command of commands) {
      const { artifact_id, agent, source, status, started_at } = command;
      if (!agent || source !== CAPTURES_SOURCE || status === 'running' || this.#commands.has(artifact_id))
        continue;
      this.#commands.add(artifact_id);
      added.push({ at: started_at ?? '', command });
    }
    added.sort(byTime);
    for (const { at, ...place } of added) this.#places.push(place);
  }
}

const PAGE_CALLS = 1000;

/** Without parsing the line. */
function timeIn(line: string): string {
  return /"at":"([^"]*)"/.exec(line)?.[1] ?? '';
}

const orders = new Map<string, EntryOrder>();

/** Returns some of the entries of all processes and shells. A long log is parsed as far as it is asked for. */
export function activityPage(
  home: string,
  params: ActivityParams,
  commands: ShellCommands,
): Promise<Activity> {
  const order = orders.get(home) ?? new EntryOrder(join(home, 'run'));
  orders.set(home, order);
  return order.page(params, commands);
}

/** Returns the entries in the logs of all processes, oldest first. `about`: only those that name this output. */
export function readActivity(home: string, about?: string): ActivityEntry[] {
  const entries: ActivityEntry[] = [];
  for (const { path, bytes } of logs(join(home, 'run'))) {
    const log = logAt(path, bytes);
    for (const i of about === undefined ? log.lines.keys() : linesAbout(log, about)) {
      const entry = entryOf(log, i);
      if (entry) entries.push(entry);
    }
  }
  return entries.sort(byTime);
}

function byTime(a: { at: string }, b: { at: string }): number {
  return a.at < b.at ? -1 : a.at > b.at ? 1 : 0;
}

interface KnownLog {
  bytes: number;
  lines: string[];
  /** Filled as lines are asked for. False stands for a line that a crash cut. */
  entries: (ActivityEntry | false)[];
  /** By the id of an output, the indices of the lines that name it, as far as they were looked for. */
  about: Map<string, number[]>;
  indexed: number;
}

/** By path: the window asks again and again, and the files only grow. */
const known = new Map<string, KnownLog>();
const MOST_KNOWN = 64;

function logAt(path: string, bytes: number): KnownLog {
  const held = known.get(path);
  const log: KnownLog =
    held && held.bytes <= bytes ? held : { bytes: 0, lines: [], entries: [], about: new Map(), indexed: 0 };
  if (known.size >= MOST_KNOWN && !known.has(path)) known.clear();
  known.set(path, log);
  try {
    const added = log.bytes < bytes ? readFrom(path, log.bytes, bytes) : '';
    // The last line is whole once its end is written.
    const end = added.lastIndexOf('\n') + 1;
    log.bytes += Buffer.byteLength(added.slice(0, end));
    for (const line of added.slice(0, end).split('\n')) if (line !== '') log.lines.push(line);
  } catch {
    // It was removed meanwhile.
  }
  return log;
}

function linesAbout(log: KnownLog, id: string): readonly number[] {
  for (; log.indexed < log.lines.length; log.indexed += 1) {
    const ids = log.lines[log.indexed]!.matchAll(/"artifact_id":"([^"]+)"/g);
    for (const one of new Set([...ids].map(([, named]) => named!))) {
      const known = log.about.get(one);
      if (known) known.push(log.indexed);
      else log.about.set(one, [log.indexed]);
    }
  }
  return log.about.get(id) ?? [];
}

function entryOf(log: KnownLog, i: number): ActivityEntry | false {
  log.entries[i] ??= parsed(log.lines[i]!);
  return log.entries[i]!;
}

function readFrom(path: string, from: number, to: number): string {
  const fd = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(to - from);
    return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, from));
  } finally {
    closeSync(fd);
  }
}

function parsed(line: string): ActivityEntry | false {
  try {
    return ActivityEntry.safeParse(JSON.parse(line)).data ?? false;
  } catch {
    return false;
  }
}

// What of a command's output its agent's own shell tool passed on to the model.

/**
 * Returns null if it is not known. Lines are numbered in each stream of an excerpt, else in the combined stream. Leaves out
 * lines that passed in part.
 *
 * @param lineAt finds the line of a byte; null where that would take too long
 */
export async function passedOn(
  { agent, streams, exit_code }: Artifact,
  lineAt: (offset: number) => Promise<number | null>,
): Promise<Passed | null> {
  const recorded = agent?.recorded;
  if (recorded === undefined) return null;
  const bytes = streams.reduce((all, one) => all + one.total_bytes, 0);
  const lines = streams.reduce((all, one) => all + (one.total_lines ?? Number.NaN), 0);
  if (!(lines > 0)) return null;
  const { excerpts = [] } = recorded;
  if (excerpts.some((one) => one !== null)) {
    const parts = streams.map(({ name: stream, total_lines }, i) => ({
      stream,
      lines: excerpts[i]?.lines ?? (total_lines ? [[1, total_lines] satisfies Lines] : []),
    }));
    return {
      bytes: streams.reduce((all, one, i) => all + (excerpts[i]?.bytes ?? one.total_bytes), 0),
      parts,
    };
  }
  const habits = shellHabitsOf(agent!.name);
  if (habits === null) return null;
  const used: ShellHabits = exit_code === 0 ? habits : (habits.failed ?? habits);
  const { whole, head, tail, kept = bytes, lines: most = lines } = used;
  if (bytes <= whole && lines <= most) return { bytes, parts: [{ stream: 'combined', lines: [[1, lines]] }] };
  const end = Math.min(bytes, kept);
  const headEnd = head === 0 ? 1 : await lineAt(Math.min(head, end));
  const last = end === bytes ? lines + 1 : await lineAt(end);
  // The byte before the tail is in the line before.
  const before = tail === 0 ? lines : end <= tail ? 0 : await lineAt(end - tail - 1);
  const ranges: Lines[] = [];
  if (headEnd !== null && last !== null && before !== null) {
    // The text's end counts as a line of its own.
    const from = lines <= most ? before + 1 : Math.max(before + 1, lines - most + 2);
    if (headEnd > 1) ranges.push([1, headEnd - 1]);
    if (from < last) ranges.push([from, last - 1]);
  }
  // A client that counts lines: estimated by its share of them.
  const passed = bytes > whole ? Math.min(end, head + tail) : Math.round((bytes * countOf(ranges)) / lines);
  return { bytes: Math.min(passed, bytes - 1), parts: [{ stream: 'combined', lines: ranges }] };
}
