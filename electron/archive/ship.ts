/**
 * Ships finished captures to the bucket, the oldest first: the streams, then the record as the commit. Interrupted
 * anywhere, or done by two processes at once, it ends with the same objects: what is there with the same bytes is not
 * put again, and the record is put only once. Nothing waits for it.
 */
import { closeSync, fstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import { type Secrets, secretsOf } from '../../shared/secrets/mask.ts';
import type { ArchiveSettings, Settings } from '../../shared/settings.ts';
import { isObject } from '../../shared/text/json-line.ts';
import { shapeOf } from '../reader/shapes/shape.ts';
import { type Capture, readFolders } from '../store/format/folder.ts';
import { randomHex, timesFile } from '../store/format/names.ts';
import type { CaptureRecord, StreamRecord } from '../store/format/record.ts';
import { openOwn, replaceFile } from '../store/format/small-file.ts';
import {
  archiveFolder,
  isForArchive,
  isShipped,
  isWaiting,
  keepShipped,
  noteShipped,
} from '../store/retention/shipped.ts';
import { folderOf, type Place, placeOf, RECORD_OBJECT, streamObject } from './keys.ts';
import { factsOf, type ObjectFacts, pack, storedText } from './pack.ts';
import { type Body, findCredentials, S3, textBody } from './s3.ts';

export interface ShipOptions {
  home: string;
  settings: Pick<Settings, 'archive' | 'redact'>;
  /** Ship only this capture, whatever `ship` says. */
  only?: string;
  signal?: AbortSignal;
  env?: NodeJS.ProcessEnv;
  /** Name of this machine; by default, the system's. */
  host?: string;
  onShipped?: (one: Shipped) => void;
}

export interface Shipped {
  artifact_id: string;
  /** The folder in the bucket. */
  link: string;
  /** Bytes that were sent. */
  bytes: number;
}

export interface ShipResult {
  shipped: Shipped[];
  /** Captures that still wait. */
  waiting: number;
  waiting_bytes: number;
  /** Captures that are in the archive and here. */
  kept: number;
  /** Why it stopped, as a sentence; null when it shipped all it could. */
  problem: string | null;
}

/** The outcome of the last try, in `archive/state.json`. */
export interface ArchiveState {
  tried_at: string | null;
  shipped_at: string | null;
  problem: string | null;
}

/** A file in the spool that is so old was left by a process that died. */
const LEFT_MS = 60 * 60 * 1000;

/** Never rejects for what the store says: the result and the state tell it. Throws when `signal` aborts. */
export async function ship(options: ShipOptions): Promise<ShipResult> {
  const { home, settings, only, signal, env = process.env, onShipped } = options;
  const archive = archiveOf(settings);
  const captures = await allCaptures(home);
  const chosen =
    only === undefined
      ? captures.filter((one) => isForArchive(one, archive))
      : captures.filter((one) => one.id === only && isForArchive(one, { ...archive, ship: 'all' }));
  const queue = chosen
    .filter(({ id }) => !isShipped(home, id))
    .sort((a, b) => (a.record!.ended_at ?? '').localeCompare(b.record!.ended_at ?? ''));
  const shipped: Shipped[] = [];
  let problem: string | null = null;
  let store: S3 | null = null;
  try {
    if (queue.length > 0) sweepSpool(home);
    if (queue.length > 0) store = new S3(archive, findCredentials(env), signal);
    for (const capture of queue) {
      // Another process may have shipped it meanwhile.
      if (isShipped(home, capture.id)) continue;
      const one = await shipOne(store!, capture, options, archive).catch((error: unknown) => {
        signal?.throwIfAborted();
        // Others of the machine's captures may be whole: only what the store says ends the round.
        if (error instanceof SpillwayError) throw error;
        problem = `${capture.id} cannot be shipped: ${(error as Error).message}`;
        return null;
      });
      if (one === null) continue;
      noteShipped(home, capture.id);
      shipped.push(one);
      onShipped?.(one);
    }
  } catch (error) {
    signal?.throwIfAborted();
    problem = toSpillwayError(error).message;
  } finally {
    store?.close();
  }
  if (queue.length > 0) writeState(home, shipped.length > 0, problem);
  return {
    ...{ shipped, problem },
    ...counted(queue.filter(({ id }) => !isShipped(home, id))),
    kept: keepShipped(home, new Set(captures.map(({ id }) => id))),
  };
}

/** Throws `unsupported` where no archive is set. */
export function archiveOf({ archive }: Pick<Settings, 'archive'>): ArchiveSettings {
  if (archive !== null) return archive;
  throw new SpillwayError(
    'unsupported',
    'there is no archive',
    'name a bucket in config.json: {"archive": {"url": "s3://BUCKET"}}',
  );
}

/** Counts what waits, and asks no store. */
export async function spoolOf(home: string, archive: ArchiveSettings) {
  const captures = await allCaptures(home);
  return {
    ...counted(captures.filter((one) => isWaiting(home, one, archive))),
    kept: captures.filter(({ id }) => isShipped(home, id)).length,
  };
}

function counted(waiting: readonly Capture[]) {
  return { waiting: waiting.length, waiting_bytes: waiting.reduce((sum, { bytes }) => sum + bytes, 0) };
}

async function allCaptures(home: string): Promise<Capture[]> {
  const captures: Capture[] = [];
  for await (const folder of readFolders(home)) captures.push(...folder.captures);
  return captures;
}

async function shipOne(
  store: S3,
  { folder, record: whole, files }: Capture,
  { home, settings, host = hostname(), signal }: ShipOptions,
  { space }: ArchiveSettings,
): Promise<Shipped> {
  const secrets = secretsOf(settings.redact);
  const record = {
    ...maskedRecord(whole!, secrets),
    times: whole!.times ?? timesOf(folder, whole!.artifact_id),
  };
  const place = placeOf(record, space, host);
  const target = folderOf(place);
  const objects: Record<string, ObjectFacts> = {};
  const ends: Buffer[] = [];
  let bytes = 0;
  for (const stream of record.streams) {
    if (stream.total_bytes === 0) continue;
    const object = streamObject(stream.name);
    const spooled = join(spoolFolder(home), `${randomHex(8)}.gz`);
    try {
      const names = new Set(files.map(({ name }) => name));
      const packed = await pack(textOf(stream, folder, names), secrets, spooled, signal);
      await putOnce(store, target, object, packed);
      bytes += packed.bytes;
      ends.push(packed.end);
      objects[object] = factsOf(packed);
    } finally {
      rmSync(spooled, { force: true });
    }
  }
  const commit = textBody(JSON.stringify(archivedRecord(record, place, objects, ends)));
  await store.put(target + RECORD_OBJECT, commit, { onlyNew: true });
  return { artifact_id: record.artifact_id, link: store.link(target), bytes: bytes + commit.bytes };
}

/** Longer arrival times are left out: the streams come one after the other then. The record has at most 1 MiB. */
const MAX_TIMES_BYTES = 384 * 1024;

/** Returns when which bytes arrived, in base64; a mask has as many bytes as what it masks. Null without it. */
function timesOf(folder: string, id: string): string | null {
  const fd = openOwn(join(folder, timesFile(id)));
  if (fd === null) return null;
  try {
    const { size } = fstatSync(fd);
    return size > MAX_TIMES_BYTES ? null : readFileSync(fd).toString('base64');
  } finally {
    closeSync(fd);
  }
}

function textOf({ folded, file }: StreamRecord, folder: string, names: ReadonlySet<string>): Readable {
  if (folded !== null) return Readable.from([Buffer.from(folded, 'base64')]);
  if (file === null) return Readable.from([]);
  return storedText(join(folder, names.has(file) ? file : `${file}.gz`));
}

/**
 * Puts a stream that is not there. One that is there with other bytes was left by an older version or other settings,
 * and is replaced, unless its capture is committed: then it stays as the record says.
 */
async function putOnce(store: S3, folder: string, object: string, body: Body): Promise<void> {
  if (await store.put(folder + object, body, { onlyNew: true })) return;
  try {
    const tag = await store.tagOf(folder + object);
    if (tag === Buffer.from(body.md5, 'base64').toString('hex')) return;
    if ((await store.tagOf(folder + RECORD_OBJECT)) !== null) return;
  } catch (error) {
    // Credentials that may only put cannot check. Putting again is safe: the text is the same.
    if (!(error instanceof SpillwayError) || error.code !== 'no_permission') throw error;
  }
  await store.put(folder + object, body);
}

/** Messages that a record names. */
const MOST_SHAPES = 10;

/** The record as any machine reads it: the streams are objects beside it, and no process of ours belongs to it. */
function archivedRecord(
  record: CaptureRecord,
  place: Place,
  objects: Record<string, ObjectFacts>,
  ends: readonly Buffer[],
) {
  const { cause, origin } = record;
  const nowhere = { host: place.host, job: null, commit: null, branch: null };
  return {
    ...record,
    ...{ recorder: null, stop: null },
    streams: record.streams.map((stream) => ({
      ...stream,
      folded: null,
      file: stream.total_bytes === 0 ? null : (stream.file ?? `${record.artifact_id}.${stream.name}.log`),
    })),
    // A path is one of that machine alone.
    origin: typeof origin === 'object' && origin !== null ? origin : nowhere,
    cause_shape: cause ? shapesIn([Buffer.from(cause.text.trim())])[0]!.shape : null,
    shapes: shapesIn(ends).slice(0, MOST_SHAPES),
    archive: { objects },
  };
}

/** The messages of the texts, the most frequent first. */
function shapesIn(texts: readonly Buffer[]): { shape: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const line of text.toString('latin1').split('\n')) {
      const bytes = Buffer.from(line.trim(), 'latin1');
      if (bytes.length === 0) continue;
      const { text: shape } = shapeOf(bytes, 0, bytes.length);
      counts.set(shape, (counts.get(shape) ?? 0) + 1);
    }
  return [...counts].map(([shape, count]) => ({ shape, count })).sort((a, b) => b.count - a.count);
}

/** Fields that name the capture and its files, are not text, or are masked as a stream (`folded`). */
const NAMES = new Set(['artifact_id', 'file', 'folded', 'times', 'started_at', 'ended_at']);

export function maskedRecord(record: CaptureRecord, secrets: Secrets): CaptureRecord {
  const masked = (value: unknown): unknown => {
    if (typeof value === 'string') return secrets.mask(value).text;
    if (Array.isArray(value)) return value.map(masked);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, NAMES.has(name) ? one : masked(one)]),
    );
  };
  return masked(record) as CaptureRecord;
}

function spoolFolder(home: string): string {
  return join(archiveFolder(home), 'spool');
}

/** Makes the folder, and removes what processes that died left in it. */
function sweepSpool(home: string): void {
  const folder = spoolFolder(home);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats && Date.now() - stats.mtimeMs > LEFT_MS) rmSync(path, { force: true });
  }
}

function statePath(home: string): string {
  return join(archiveFolder(home), 'state.json');
}

export function readState(home: string): ArchiveState {
  try {
    const found: unknown = JSON.parse(readFileSync(statePath(home), 'utf8'));
    if (isObject(found)) return { ...NO_STATE, ...found };
  } catch {
    // Nothing was tried yet.
  }
  return NO_STATE;
}

const NO_STATE: ArchiveState = { tried_at: null, shipped_at: null, problem: null };

function writeState(home: string, hasShipped: boolean, problem: string | null): void {
  const now = new Date().toISOString();
  const state = { tried_at: now, shipped_at: hasShipped ? now : readState(home).shipped_at, problem };
  try {
    replaceFile(statePath(home), `${JSON.stringify(state)}\n`);
  } catch {
    // On a full disk, too, the round ends with its result.
  }
}
