/**
 * Lets a ClickHouse server search the bucket. It reads the objects itself, with `s3()` and its own credentials, and names
 * those that may have a match. Spillway reads these and decides, so naming too many only costs time. It must not name too
 * few: it looks for text that every match contains, and where control characters may have split that text, only for its
 * characters.
 */
import { SpillwayError } from '../../shared/errors.ts';
import type { ArchiveSearch } from '../../shared/settings.ts';
import { folderOf } from './keys.ts';
import type { Archived } from './list.ts';
import type { S3 } from './s3.ts';

/** Every match has one of these: plain ASCII without controls. */
export interface Needles {
  texts: readonly string[];
  ignoreCase: boolean;
}

/** Most objects of a query, and characters of its list of them: servers take 1,000, and 256 KiB of query. */
const MOST_OBJECTS = 1000;
const MOST_CHARS = 200_000;
/** Compressed bytes of the first query, so that its answer comes soon, and of later ones, which grow. */
const FIRST_BYTES = 24 * 1024 * 1024;
const MOST_BYTES = 1024 * 1024 * 1024;
/** A server that says nothing for so long will not answer any more. */
const SILENCE_MS = 120_000;

/** ClickHouse did not answer, or not with what was asked. */
export class NoHelp extends SpillwayError {
  constructor(what: string) {
    super('stalled', what, 'correct archiveSearch in config.json');
  }
}

export class ClickHouse {
  readonly #settings: ArchiveSearch;
  readonly #store: Pick<S3, 'address'>;
  readonly #env: NodeJS.ProcessEnv;

  constructor(settings: ArchiveSearch, store: Pick<S3, 'address'>, env: NodeJS.ProcessEnv = process.env) {
    this.#settings = settings;
    this.#store = store;
    this.#env = env;
  }

  get host(): string {
    return new URL(this.#settings.clickhouse).host;
  }

  /** Yields how many captures it was asked about, and which may have a match, in their order. Throws `NoHelp`. */
  async *candidates(
    captures: readonly Archived[],
    needles: Needles,
    signal?: AbortSignal,
  ): AsyncGenerator<{ asked: number; found: Archived[] }> {
    let room = FIRST_BYTES;
    for (let at = 0; at < captures.length; ) {
      const names: string[] = [];
      const batch: Archived[] = [];
      let bytes = 0;
      let chars = 0;
      for (; at < captures.length && bytes < room && chars < MOST_CHARS; at += 1) {
        const one = captures[at]!;
        const objects = Object.keys(one.objects);
        if (names.length + objects.length > MOST_OBJECTS) break;
        batch.push(one);
        for (const object of objects) {
          names.push(folderOf(one.place) + object);
          chars += names.at(-1)!.length;
          bytes += one.objects[object]!;
        }
      }
      room = Math.min(MOST_BYTES, room * 4);
      const found =
        names.length === 0 ? [] : await this.#ask(queryOf(this.#store.address(''), names, needles), signal);
      // A path begins with the bucket, and the prefix.
      const folders = new Set(
        found.map((path) => path.slice(path.indexOf('v1/'), path.lastIndexOf('/') + 1)),
      );
      yield {
        asked: batch.length,
        found: batch.filter(({ place }) => folders.has(folderOf(place))),
      };
    }
  }

  /** Returns the lines of the answer. */
  async #ask(query: string, signal?: AbortSignal): Promise<string[]> {
    const { clickhouse, user } = this.#settings;
    const silence = AbortSignal.timeout(SILENCE_MS);
    let problem: string;
    try {
      const answer = await fetch(clickhouse, {
        method: 'POST',
        body: query,
        headers: { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': this.#env.CLICKHOUSE_PASSWORD ?? '' },
        signal: signal ? AbortSignal.any([signal, silence]) : silence,
      });
      const text = await answer.text();
      // A server that fails while it answers says so at the end of the answer.
      const failed = /(?:^|\n)(Code: \d+[^\n]*)/.exec(text)?.[1];
      if (answer.ok && failed === undefined) return text.split('\n').filter((line) => line !== '');
      problem = (failed ?? (text.trim() || `status ${answer.status}`)).slice(0, MOST_PROBLEM_CHARS);
    } catch (error) {
      signal?.throwIfAborted();
      const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
      problem = silence.aborted ? 'it does not answer' : (cause?.code ?? message);
    }
    throw new NoHelp(`ClickHouse at ${this.host} cannot find candidates: ${problem}`);
  }
}

const MOST_PROBLEM_CHARS = 300;

/** `address`: of the bucket and its prefix. */
export function queryOf(address: string, names: readonly string[], needles: Needles): string {
  const isIn = (text: string) => containing(text, needles);
  // Colours and the end of a line split no text.
  const plain = String.raw`replaceRegexpAll(line, '\\x1b\\[[0-9;:]*m|\\r+$', '')`;
  const hasControls = String.raw`match(plain, '[\\x00-\\x08\\x0b-\\x1f\\x7f\\x{80}-\\x{9f}]')`;
  const isPacked = PACKED.map((start) => `startsWith(line, '${start}')`).join(' OR ');
  const source = `s3(${quoted(address + joined(names))}, 'LineAsString', 'line String', 'gzip')`;
  return `SELECT DISTINCT _path FROM (SELECT _path, line, ${plain} AS plain FROM ${source})
WHERE ${isIn('line')} OR (line != plain AND ${isIn('plain')}) OR (${hasControls} AND (${charactersOf(needles)})) OR ${isPacked}
FORMAT TSVRaw`;
}

/** First bytes of streams that are compressed themselves, and are read as their text. */
const PACKED = [
  String.raw`\x1f\x8b`,
  'BZh',
  String.raw`\xfd7zXZ`,
  String.raw`\x28\xb5\x2f\xfd`,
  String.raw`PK\x03\x04`,
];

/** Joins names as `common{a,b}`: a server takes one pair of braces for a list, and need not ask the store for it. */
function joined(names: readonly string[]): string {
  let common = names[0]!.length;
  for (const name of names)
    for (common = Math.min(common, name.length); !name.startsWith(names[0]!.slice(0, common)); ) common -= 1;
  if (names.length === 1) return names[0]!;
  return `${names[0]!.slice(0, common)}{${names.map((name) => name.slice(common)).join(',')}}`;
}

function containing(text: string, { texts, ignoreCase }: Needles): string {
  const list = texts.map(quoted).join(', ');
  return `multiSearchAny${ignoreCase ? 'CaseInsensitive' : ''}(${text}, [${list}])`;
}

/** Spaces are left out: moving the cursor makes some. */
function charactersOf({ texts, ignoreCase }: Needles): string {
  const position = ignoreCase ? 'positionCaseInsensitive' : 'position';
  return texts
    .map((text) =>
      [...new Set(text.replaceAll(' ', ''))].map((one) => `${position}(plain, ${quoted(one)}) > 0`),
    )
    .map((all) => (all.length > 0 ? `(${all.join(' AND ')})` : '1'))
    .join(' OR ');
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
