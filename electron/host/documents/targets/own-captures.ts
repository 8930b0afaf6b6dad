/** Spillway's own captures in a host: in its catalogue, and as documents. */

import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ArtifactId, type StreamName } from '../../../../shared/artifact.ts';
import { isFileId } from '../../../../shared/artifact-names.ts';
import { SpillwayError } from '../../../../shared/errors.ts';
import type { Target } from '../../../../shared/views.ts';
import type { Catalogue } from '../../../library/catalogue.ts';
import { type CapturesWatch, watchCaptures } from '../../../library/watching/watch-captures.ts';
import { isWithin } from '../../../reader/bytes/path-text.ts';
import { farPathOf } from '../../../reader/disks/mounts.ts';
import { Captures } from '../../../store/captures.ts';
import type { CaptureEntry } from '../../../store/format/entry.ts';
import type { KnownRecord } from '../../../store/format/folder.ts';
import { isStreamSuffix, ourFile } from '../../../store/format/names.ts';
import { captureRoots } from '../../../store/format/places.ts';
import type { Access } from '../../host.ts';
import type { LiveSettings } from '../../settings/config.ts';
import type { Document, Documents } from '../document.ts';
import type { Reading } from '../generation.ts';
import {
  type CaptureGenerationOptions,
  CaptureOrigin,
  type CapturePlace,
} from '../origins/capture-origin.ts';

interface OwnCapturesOptions {
  home: string;
  live: LiveSettings;
  watch: boolean;
  catalogue: Pick<Catalogue, 'put' | 'remove'>;
  documents: Documents;
  text: Omit<CaptureGenerationOptions, 'reading'>;
}

export class OwnCaptures {
  readonly captures: Captures;
  readonly #options: OwnCapturesOptions;
  #watch: CapturesWatch | null = null;

  constructor(options: OwnCapturesOptions) {
    const { home, live, catalogue } = options;
    this.#options = options;
    this.captures = new Captures({
      home,
      get retentionHours() {
        return live.retentionHours;
      },
      onPut: (artifact) => catalogue.put(artifact),
      onRemove: (id) => catalogue.remove(id),
    });
  }

  /** If changes are followed, captures enter the catalogue over time. */
  start(): void {
    if (this.#options.watch) this.#watch = watchCaptures(this.captures);
  }

  /** Resolves when all captures were read, which following them does anyway. */
  async knownRecord(): Promise<KnownRecord> {
    if (this.#watch) await this.captures.refresh();
    return this.captures.knownRecord;
  }

  /**
   * Returns the document of the target's stream; null if the target is a file. Throws `usage` for a stream the capture
   * lacks.
   */
  async document(target: Target, access: Access, reading: Reading): Promise<Document | null> {
    const { documents, text } = this.#options;
    const { artifact_id, file_path, stream, as_text: asText = false } = target;
    const key = JSON.stringify(['capture', artifact_id, file_path, stream, reading, asText]);
    const place = captureOfTarget(target, this.captures);
    if (!place) {
      // List all captures before reporting an unknown id and its nearest neighbours.
      if (artifact_id !== undefined && !isFileId(artifact_id)) await this.captures.refresh();
      return access === 'person' ? documents.watched(key) : null;
    }
    return documents.get(key, join(place.folder, place.id), () => ({
      asText,
      pool: text.pool,
      origin: new CaptureOrigin(place, { ...text, reading }),
    }));
  }

  close(): void {
    this.#watch?.close();
  }
}

// Resolves an id, or a path that Spillway returned earlier, to a stream of a capture.

/** Null when the target names a file instead of a capture. Throws `usage` for a stream the capture lacks. */
function captureOfTarget(target: Target, captures: Captures): CapturePlace | null {
  const { artifact_id: id, file_path: path } = target;
  if ((id === undefined) === (path === undefined)) return null;
  return id === undefined ? byPath(path!, target, captures) : byId(id, target, captures);
}

function byId(id: string, target: Target, captures: Captures): CapturePlace | null {
  if (!ArtifactId.safeParse(id).success || isFileId(id)) return null;
  const entry = captures.find(id);
  if (!entry) return null;
  const names = streamNames(entry);
  const stream = target.stream ?? names[0]!;
  if (!names.includes(stream)) throw noSuchStream(stream, names);
  return { captures, folder: entry.folder, id, stream };
}

/** Also resolves a file that was compressed, or folded into the record, since. */
function byPath(given: string, target: Target, captures: Captures): CapturePlace | null {
  const ours = ourFile(basename(given));
  if (!ours || given.includes('\0') || !isStreamSuffix(ours.suffix)) return null;
  const roots = captureRoots(captures.home);
  const far = farPathOf(dirname(resolve(given)));
  // A disk without captures of ours may not answer.
  if (far !== null && !roots.some((root) => isWithin(root, far.mount.place))) return null;
  const folder = realOrNull(dirname(resolve(given)));
  if (folder === null || !roots.includes(dirname(folder))) return null;
  const entry = captures.load(folder, ours.id);
  const stream = entry && streamOfFile(entry, join(folder, basename(given)), ours.suffix);
  if (!entry || !stream) return null;
  if (target.stream !== undefined && target.stream !== stream) throw noSuchStream(target.stream, [stream]);
  return { captures, folder, id: ours.id, stream };
}

/** A folded stream has no file, so the suffix of its old path names it. */
function streamOfFile(entry: CaptureEntry, path: string, suffix: string): StreamName | null {
  const plain = path.replace(/\.gz$/, '');
  const name = /^(stdout|stderr)\.log(\.gz)?$/.exec(suffix)?.[1] ?? 'output';
  const stream = entry.record.streams.find(({ file }) => file !== null && join(entry.folder, file) === plain);
  return (
    (stream ?? entry.record.streams.find((each) => each.name === name && each.file === null))?.name ?? null
  );
}

/** Names of the streams; the first is the default. */
function streamNames({ record }: CaptureEntry): StreamName[] {
  const names = record.streams.map(({ name }) => name);
  return names.length > 1 ? ['combined', ...names] : names;
}

function noSuchStream(stream: StreamName, names: readonly StreamName[]): SpillwayError {
  return new SpillwayError('usage', `this artifact has no stream ${stream}`, `it has ${names.join(', ')}`);
}

function realOrNull(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}
