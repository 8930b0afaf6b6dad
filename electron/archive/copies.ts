/**
 * Copies of archived captures on this machine, as far as they were asked for. A stream's copy is a sparse file of the
 * whole text's size: members that were fetched are in place, and each of the others is a hole that begins with as many
 * line ends as it has lines. So offsets and line numbers are true, and reader and search work on it as on any file.
 * The requested parts are fetched before anything reads them.
 *
 *     archive/copies/<bucket>/<id>.meta.json, <id>.stdout.log, <id>.stdout.log.members
 *     archive/views/<random>/captures/…      links to the copies that one command reads: a home of its own
 */
import {
  closeSync,
  existsSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip as gunzipCallback } from 'node:zlib';
import { AGENT_NAMES } from '../../shared/agent-names.ts';
import type { StreamName } from '../../shared/artifact.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { GIB } from '../../shared/limits.ts';
import { LF } from '../../shared/text/codes.ts';
import { randomHex, recordFile, sessionFolder } from '../store/format/names.ts';
import { sessionPaths } from '../store/format/places.ts';
import { type CaptureRecord, parseRecord } from '../store/format/record.ts';
import { replaceFile } from '../store/format/small-file.ts';
import { archiveFolder } from '../store/retention/shipped.ts';
import { folderOf, RECORD_OBJECT, streamObject } from './keys.ts';
import { type Archived, nameOf } from './list.ts';
import {
  footerLength,
  type MemberEntry,
  membersOfBytes,
  membersOfLines,
  newlinesIn,
  type ObjectFacts,
  parseFooter,
} from './pack.ts';
import type { S3 } from './s3.ts';

/** Which part of a capture's text is needed. Lines count from 1; `tail` from the end. */
export type Wanted =
  | { all: true }
  | { stream?: StreamName | undefined; lines: [from: number, to: number] }
  | { stream?: StreamName | undefined; tail: number }
  | { stream?: StreamName | undefined; bytes: [from: number, to: number] };

type Told = Required<Pick<ObjectFacts, 'head' | 'footer'>>;

interface Members {
  entries: MemberEntry[];
  /** Numbers of the members that the copy has. */
  have: number[];
  /** Bytes of the text's head that the copy has. */
  head: number;
}

const NOTHING = Buffer.alloc(0);
/** Read for the footer: of a stream of 1 GiB, it has 16 KB. */
const LAST = `-${16 * 1024}`;
/** Bytes of one request. */
const REQUEST_BYTES = 16 * 1024 * 1024;
/** Room for all copies together. */
const MOST_BYTES = 2 * GIB;
/** A view that is so old was left by a process that died. */
const LEFT_MS = 24 * 60 * 60 * 1000;

const gunzip = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzipCallback);

/** Returns at most so many bytes; null if there are more, or it is damaged. */
function unpacked(packed: Buffer, most: number): Promise<Buffer | null> {
  return gunzip(packed, { maxOutputLength: Math.max(1, most) }).catch(() => null);
}

export class Copies {
  readonly #store: Pick<S3, 'get' | 'link'>;
  readonly #folder: string;
  readonly #views: string;

  constructor(store: Pick<S3, 'get' | 'link'>, home: string) {
    this.#store = store;
    this.#folder = join(archiveFolder(home), 'copies', nameOf(store.link('')));
    this.#views = join(archiveFolder(home), 'views');
    for (const folder of [this.#folder, this.#views]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** Fetches what is missing. Throws `changed` when the archive does not hold what its record says. */
  async fetch(archived: Archived, wanted: Wanted): Promise<CaptureRecord> {
    const named = 'stream' in wanted ? wanted.stream : undefined;
    const record = await this.record(archived);
    const streams = record.streams.filter(({ total_bytes }) => total_bytes > 0);
    // Lines of a combined view, or behind a gap, are other ones than those of the stored stream.
    const one = streams.length === 1 ? streams[0] : streams.find(({ name }) => name === named);
    const isPart = !('all' in wanted) && one !== undefined && one.gap === null;
    for (const stream of isPart ? [one] : streams) {
      const path = join(this.#folder, fileOf(record, stream.name));
      const object = streamObject(stream.name);
      const key = folderOf(archived.place) + object;
      const members = await this.#members(path, key, stream.total_bytes, this.#told(archived, object));
      await this.#fill(
        path,
        key,
        members,
        isPart ? spanOf(members.entries, wanted) : [0, members.entries.length - 1],
      );
    }
    return record;
  }

  /** Makes a home that has these captures alone, with the other streams as they are. Remove it with `leave`. */
  view(records: readonly CaptureRecord[]): string {
    const home = mkdtempSync(join(this.#views, 'view-'));
    // Agents' captures are on this machine.
    const sources = Object.keys(AGENT_NAMES).map((kind) => ({ kind, enabled: false }));
    writeFileSync(join(home, 'config.json'), JSON.stringify({ sources }));
    for (const record of records) {
      const folder = sessionFolder(home, record.session);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      for (const { name, total_bytes } of record.streams) {
        const file = fileOf(record, name);
        if (total_bytes > 0 && existsSync(join(this.#folder, file)))
          linkSync(join(this.#folder, file), join(folder, file));
      }
      const meta = recordFile(record.artifact_id);
      linkSync(join(this.#folder, meta), join(folder, meta));
    }
    return home;
  }

  leave(view: string): void {
    rmSync(view, { recursive: true, force: true });
    this.#prune();
  }

  async record({ place }: Archived): Promise<CaptureRecord> {
    const path = join(this.#folder, recordFile(place.id));
    const known = existsSync(path) ? parseRecord(readFileSync(path, 'utf8')) : null;
    if (known?.ok) {
      utimesSync(path, new Date(), new Date());
      return known.record;
    }
    const text = (await this.#store.get(folderOf(place) + RECORD_OBJECT))?.content.toString() ?? '';
    const parsed = parseRecord(text);
    if (!parsed.ok || parsed.record.artifact_id !== place.id)
      throw damaged(place.id, parsed.ok ? 'its record is of another capture' : parsed.problem);
    const { record } = parsed;
    const isOwn = record.streams.every(({ file }) => file === null || file.startsWith(`${place.id}.`));
    if (!isOwn) throw damaged(place.id, 'its record names files of others');
    // As it came: it tells of the streams' objects, too.
    replaceFile(path, text);
    return record;
  }

  /** Returns what the record tells of the object; null if it tells nothing, or of another object than is there. */
  #told({ place, objects }: Archived, object: string): Told | null {
    const text = readFileSync(join(this.#folder, recordFile(place.id)), 'utf8');
    const { archive } = JSON.parse(text) as { archive?: { objects?: Record<string, Partial<ObjectFacts>> } };
    const { bytes, head, footer } = archive?.objects?.[object] ?? {};
    const isSame = bytes === objects[object];
    return isSame && typeof head === 'string' && typeof footer === 'string' ? { head, footer } : null;
  }

  /** Returns the members of the stream, and makes its copy if there is none. */
  async #members(path: string, key: string, size: number, told: Told | null): Promise<Members> {
    const known = readMembers(path);
    if (known && existsSync(path)) return known;
    const footer = told ? Buffer.from(told.footer, 'base64') : await this.#footer(key);
    const entries = parseFooter(footer);
    const [first] = entries ?? [];
    if (!first || entries!.reduce((sum, { text }) => sum + text, 0) !== size)
      throw damaged(key, 'its footer is wrong');
    const head = told ? await unpacked(Buffer.from(told.head, 'base64'), first.text) : NOTHING;
    if (head === null || newlinesIn(head) > first.newlines) throw damaged(key, 'its record has another head');
    const members = { entries: entries!, have: head.length === first.text ? [0] : [], head: head.length };
    const made = `${path}.${randomHex(4)}.tmp`;
    const fd = openSync(made, 'wx', 0o600);
    try {
      writeSync(fd, head);
      let at = 0;
      for (const { text, newlines } of members.entries) {
        const known = at === 0 ? head : NOTHING;
        const rest = newlines - newlinesIn(known);
        writeSync(fd, Buffer.alloc(rest, LF), 0, rest, at + known.length);
        at += text;
      }
      ftruncateSync(fd, size);
    } finally {
      closeSync(fd);
    }
    replaceFile(`${path}.members`, JSON.stringify(members));
    try {
      // Unlike a rename it leaves a copy that another process has just made, and may have filled.
      linkSync(made, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(made, { force: true });
    }
    return members;
  }

  async #footer(key: string): Promise<Buffer> {
    const end = await this.#store.get(key, LAST);
    const length = end && footerLength(end.content);
    if (!end || length === null) throw damaged(key, 'it has no footer');
    if (length <= end.content.length) return end.content.subarray(-length);
    return (await this.#store.get(key, `-${length}`))?.content ?? NOTHING;
  }

  /** Fetches the members of the span that the copy lacks, as many in one request as lie side by side. */
  async #fill(path: string, key: string, members: Members, [first, last]: [number, number]): Promise<void> {
    const { entries } = members;
    const have = new Set(members.have);
    // The head tells what kind of text it is.
    const wanted = members.head > 0 ? range(first, last) : [0, ...range(first, last)];
    const missing = [...new Set(wanted)].filter((i) => i in entries && !have.has(i));
    if (missing.length === 0) return;
    const offsets: { packed: number; text: number }[] = [];
    let at = { packed: 0, text: 0 };
    for (const { bytes, text } of entries) {
      offsets.push(at);
      at = { packed: at.packed + bytes, text: at.text + text };
    }
    const endOf = (i: number) => offsets[i]!.packed + entries[i]!.bytes;
    const runs: [number, number][] = [];
    for (let i = 0; i < missing.length; ) {
      const from = missing[i]!;
      let to = from;
      for (i += 1; missing[i] === to + 1 && endOf(to) - offsets[from]!.packed < REQUEST_BYTES; i += 1)
        to += 1;
      runs.push([from, to]);
    }
    const ask = (run: [number, number] | undefined) => {
      if (!run) return null;
      const found = this.#store.get(key, `${offsets[run[0]]!.packed}-${endOf(run[1]) - 1}`);
      // Nobody awaits it if the one before fails.
      found.catch(() => null);
      return found;
    };
    const fd = openSync(path, 'r+');
    try {
      let next = ask(runs[0]);
      for (const [i, [from, to]] of runs.entries()) {
        const asked = next;
        next = ask(runs[i + 1]);
        const found = await asked;
        const start = offsets[from]!.packed;
        if (found?.content.length !== endOf(to) - start)
          throw damaged(key, 'it is shorter than its footer says');
        for (const number of range(from, to)) {
          const { bytes, text } = entries[number]!;
          const place = offsets[number]!;
          const packed = found.content.subarray(place.packed - start, place.packed - start + bytes);
          const plain = await unpacked(packed, text);
          if (plain?.length !== text) throw damaged(key, 'a member of it cannot be unpacked');
          writeSync(fd, plain, 0, text, place.text);
          have.add(number);
        }
      }
    } finally {
      closeSync(fd);
    }
    replaceFile(`${path}.members`, JSON.stringify({ ...members, have: [...have] }));
  }

  /** Removes the copies that were not used for longest, until the rest fits, and what dead processes left. */
  #prune(): void {
    for (const name of readdirSync(this.#views)) {
      const path = join(this.#views, name);
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats && Date.now() - stats.mtimeMs > LEFT_MS) rmSync(path, { recursive: true, force: true });
    }
    const copies = new Map<string, { paths: string[]; bytes: number; used: number }>();
    for (const name of readdirSync(this.#folder)) {
      const stats = statSync(join(this.#folder, name), { throwIfNoEntry: false });
      if (!stats) continue;
      const id = name.replace(/\.(?:meta\.json|(?:stdout|stderr)\.log|log|json|txt)(?:\..*)?$/, '');
      const copy = copies.get(id) ?? { paths: [], bytes: 0, used: 0 };
      copies.set(id, copy);
      copy.paths.push(join(this.#folder, name));
      copy.bytes += stats.blocks * 512;
      copy.used = Math.max(copy.used, stats.mtimeMs);
    }
    let total = [...copies.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { paths, bytes } of [...copies.values()].sort((a, b) => a.used - b.used)) {
      if (total <= MOST_BYTES) return;
      for (const path of paths) rmSync(path, { force: true });
      total -= bytes;
    }
  }
}

/** Whether this machine has the capture itself. */
export function isHere(home: string, id: string): boolean {
  return sessionPaths(home).some((path) => existsSync(join(path, recordFile(id))));
}

function fileOf({ streams, artifact_id }: CaptureRecord, name: StreamName): string {
  return streams.find((stream) => stream.name === name)?.file ?? `${artifact_id}.${name}.log`;
}

function spanOf(entries: readonly MemberEntry[], wanted: Exclude<Wanted, { all: true }>): [number, number] {
  if ('bytes' in wanted) return membersOfBytes(entries, ...wanted.bytes);
  if ('lines' in wanted) return membersOfLines(entries, ...wanted.lines);
  const total = entries.reduce((sum, { newlines }) => sum + newlines, 0);
  return membersOfLines(entries, Math.max(1, total - wanted.tail), Number.POSITIVE_INFINITY);
}

function readMembers(path: string): Members | null {
  try {
    return JSON.parse(readFileSync(`${path}.members`, 'utf8')) as Members;
  } catch {
    return null;
  }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
}

function damaged(name: string, why: string): SpillwayError {
  return new SpillwayError('changed', `${name} in the archive is damaged: ${why}`, 'ship it again');
}
