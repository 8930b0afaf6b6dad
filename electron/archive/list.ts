/**
 * Lists what is in the archive, by the keys alone. A day is one request while it has few captures, else one for each of
 * its hours. Days that are over are remembered for a while: late machines may still add to them.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile } from '../store/format/small-file.ts';
import { archiveFolder } from '../store/retention/shipped.ts';
import {
  beganAt,
  folderOf,
  hourOf,
  hourPrefix,
  type Outcome,
  type Place,
  parseKey,
  RECORD_OBJECT,
} from './keys.ts';
import type { S3 } from './s3.ts';

type Lists = Pick<S3, 'list' | 'link'>;

export interface Archived {
  place: Place;
  /** Bytes of each object but the record, by its name. */
  objects: Record<string, number>;
}

export interface ListOptions {
  /** Folder of this machine's home. */
  home: string;
  space: string;
  /** By default, both. */
  outcome?: Outcome | undefined;
  host?: string | undefined;
  /** Which captures count besides, by what their keys tell. */
  fits?: (place: Place) => boolean;
  /** Milliseconds since the epoch. */
  since: number;
  now?: number;
  /** Enough of the newest; by default, all. */
  limit?: number;
}

const DAY_MS = 86_400_000;
/** How long a listed day that is over counts as known. */
const KNOWN_MS = 10 * 60_000;
/** Hours of a day that are listed at once. */
const PARALLEL = 8;

/** Returns the committed captures, newest first. */
export async function listArchive(store: Lists, options: ListOptions): Promise<Archived[]> {
  const { outcome: only, host, fits = () => true, since, now = Date.now() } = options;
  const { limit = Number.POSITIVE_INFINITY } = options;
  const outcomes: Outcome[] = only ? [only] : ['failed', 'ok'];
  const found: Archived[] = [];
  // A machine whose clock is ahead has captures of tomorrow. Both days are asked for at once: neither is ever known.
  for (let days = [dayOf(now + DAY_MS), dayOf(now)]; ; days = [dayOf(Date.parse(days.at(-1)!) - DAY_MS)]) {
    const pages = await Promise.all(
      days.flatMap((day) => outcomes.map((outcome) => listDay(store, options, outcome, day, now))),
    );
    const wanted = pages
      .flat()
      .filter(({ place }) => (host === undefined || place.host === host) && fits(place))
      .map((one) => ({ one, began: beganAt(one.place.id) }))
      .filter(({ began }) => began >= since)
      .sort((a, b) => b.began - a.began || (a.one.place.id < b.one.place.id ? 1 : -1));
    // Not spread: a day may have more than a call takes arguments.
    for (const { one } of wanted) found.push(one);
    if (found.length >= limit || Date.parse(days.at(-1)!) <= since) return found.slice(0, limit);
  }
}

/** Finds a capture by its id alone, which tells the hour. Null when it is not there. */
export async function findArchived(store: Lists, space: string, id: string): Promise<Archived | null> {
  const hour = hourOf(id);
  if (hour === null) return null;
  const outcomes: Outcome[] = ['failed', 'ok'];
  const found = await Promise.all(
    outcomes.map((outcome) => listPrefix(store, hourPrefix({ space, outcome, ...hour }))),
  );
  return found.flat().find(({ place }) => place.id === id) ?? null;
}

async function listDay(
  store: Lists,
  { home, space }: ListOptions,
  outcome: Outcome,
  day: string,
  now: number,
): Promise<Archived[]> {
  const path = join(archiveFolder(home), 'lists', `${nameOf(store.link(space))}-${outcome}-${day}.json`);
  const isOver = Date.parse(day) + DAY_MS <= now;
  const known = isOver ? readKnown(path, now) : null;
  if (known) return known;
  const prefix = `v1/${space}/${outcome}/${day}/`;
  const { value: first } = await store.list(prefix).next();
  let found: Archived[];
  if (!first || first.isLast) found = archivedIn(first?.objects ?? []);
  else {
    const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));
    found = [];
    const work = async () => {
      for (let hour = hours.shift(); hour !== undefined; hour = hours.shift())
        for (const one of await listPrefix(store, hourPrefix({ space, outcome, day, hour }))) found.push(one);
    };
    await Promise.all(Array.from({ length: PARALLEL }, work));
  }
  if (isOver) writeKnown(path, now, found);
  return found;
}

async function listPrefix(store: Lists, prefix: string): Promise<Archived[]> {
  const objects = [];
  for await (const page of store.list(prefix)) objects.push(...page.objects);
  return archivedIn(objects);
}

/** Captures with a record. Others are still being shipped, or their shipping was interrupted. */
function archivedIn(objects: readonly { key: string; bytes: number }[]): Archived[] {
  const folders = new Map<string, Archived>();
  const committed = new Set<Archived>();
  for (const { key, bytes } of objects) {
    const parsed = parseKey(key);
    if (!parsed) continue;
    const folder = key.slice(0, -parsed.object.length);
    const one = folders.get(folder) ?? { place: parsed.place, objects: {} };
    folders.set(folder, one);
    if (parsed.object === RECORD_OBJECT) committed.add(one);
    else one.objects[parsed.object] = bytes;
  }
  return [...committed];
}

interface Known {
  at: number;
  /** Each capture as its folder's key, then names and sizes of its objects. */
  captures: [folder: string, objects: Record<string, number>][];
}

function readKnown(path: string, now: number): Archived[] | null {
  try {
    const { at, captures } = JSON.parse(readFileSync(path, 'utf8')) as Known;
    if (Math.abs(now - at) > KNOWN_MS) return null;
    return captures.map(([folder, objects]) => ({ place: parseKey(folder + RECORD_OBJECT)!.place, objects }));
  } catch {
    return null;
  }
}

function writeKnown(path: string, at: number, found: readonly Archived[]): void {
  const known: Known = { at, captures: found.map(({ place, objects }) => [folderOf(place), objects]) };
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  replaceFile(path, JSON.stringify(known));
}

export function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
