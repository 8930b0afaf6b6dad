/** A file of a source in its last known state. Its artifact is made on request. */
import type { Artifact, ContentType, Kind } from '../../../shared/artifact.ts';
import type { AgentFile, FileDescription, FileState } from '../../agents/facts/described.ts';
import { birthTime } from '../../store/format/names.ts';
import { namesWithin, type Source, sourceName } from '../source.ts';
import { fileArtifact } from './file-artifact.ts';

/** Counts that only reading a file gives, and the state of the file they are for. */
export interface FileCounts {
  fileSize: number;
  mtimeMs: number;
  total_lines: number;
  total_bytes: number;
  content_type: ContentType;
}

/** Warning for a file that this user can see but not read. */
export const UNREADABLE = 'no permission to read it: change its permissions, or open it as its owner';

export class KnownFile implements Listed {
  readonly path: string;
  seen: FileState;
  source: Source;
  readable: boolean;
  artifact_id = '';
  startedMs = 0;
  reported: FileDescription = NOTHING;
  counts: FileCounts | null = null;
  /** Why it is not followed any more. */
  stopped: string | null = null;
  /** The trees that hold it; overlapping sources share files. */
  holders: readonly object[];
  #artifact: Artifact | null = null;

  constructor(path: string, seen: FileState, source: Source, readable: boolean, holders: readonly object[]) {
    this.path = path;
    this.seen = seen;
    this.source = source;
    this.readable = readable;
    this.holders = holders;
    this.startedMs = this.#started();
  }

  get kind(): 'file' {
    return 'file';
  }

  get sourceName(): string {
    return sourceName(this.source);
  }

  get bytes(): number {
    return this.seen.size;
  }

  get command(): string | null {
    return this.reported.command ?? null;
  }

  get artifact(): Artifact {
    this.#artifact ??= this.#made();
    return this.#artifact;
  }

  /** The file as its kind of source looks at it. */
  get file(): AgentFile {
    const { command } = this.reported;
    return { path: this.path, names: namesWithin(this.source, this.path), stats: this.seen, command };
  }

  /** Drops the artifact after a change; the next request makes a new one. */
  changed(): void {
    this.#artifact = null;
    this.startedMs = this.#started();
  }

  #started(): number {
    const { describe } = this.source.kind;
    const reported = this.reported.started_at ?? describe?.(this.file).started_at;
    return reported ? startMs(reported) : birthTime(this.seen).getTime();
  }

  #made(): Artifact {
    const artifact = fileArtifact(this.path, this.seen, this.source, {
      id: this.artifact_id,
      warnings: [...(this.readable ? [] : [UNREADABLE]), ...(this.stopped === null ? [] : [this.stopped])],
      reported: this.reported,
    });
    return withCounts(artifact, this.counts, this.seen);
  }
}

const NOTHING: FileDescription = {};

/** Adds counts to an artifact, if the file is still in the state that was read. */
export function withCounts(
  artifact: Artifact,
  counts: FileCounts | null | undefined,
  seen: Pick<FileState, 'size' | 'mtimeMs'>,
): Artifact {
  const [stream] = artifact.streams;
  if (!counts || !stream || !fits(counts, seen)) return artifact;
  const { total_lines, total_bytes, content_type } = counts;
  return { ...artifact, streams: [{ ...stream, total_lines, total_bytes, content_type }] };
}

/** Whether the counts belong to this state of the file. */
export function fits(counts: FileCounts, seen: Pick<FileState, 'size' | 'mtimeMs'>): boolean {
  return counts.fileSize === seen.size && counts.mtimeMs === seen.mtimeMs;
}

/** The few facts that the catalogue holds of each artifact: thousands of files are found before one is shown. */
export interface Listed {
  readonly artifact_id: string;
  /** Milliseconds since 1970, by which the list is ordered; -Infinity when not known. */
  readonly startedMs: number;
  readonly kind: Kind;
  /** `source` of the artifact. */
  readonly sourceName: string | null;
  readonly command: string | null;
  /** Size of all streams together. */
  readonly bytes: number;
  /** Made when it is first asked for, and then kept. */
  readonly artifact: Artifact;
}

export function listed(artifact: Artifact): Listed {
  const { artifact_id, started_at, kind, source, command, streams } = artifact;
  const bytes = streams.reduce((sum, { total_bytes }) => sum + total_bytes, 0);
  return { artifact_id, startedMs: startMs(started_at), kind, sourceName: source, command, bytes, artifact };
}

/** Milliseconds since 1970 of an artifact's `started_at`. */
export function startMs(startedAt: string | null): number {
  const ms = startedAt === null ? Number.NaN : Date.parse(startedAt);
  return Number.isNaN(ms) ? Number.NEGATIVE_INFINITY : ms;
}

/** Equal times are ordered by id, so pages are stable. */
export function newestFirst(
  a: Pick<Listed, 'artifact_id' | 'startedMs'>,
  b: Pick<Listed, 'artifact_id' | 'startedMs'>,
): number {
  if (a.startedMs !== b.startedMs) return a.startedMs < b.startedMs ? 1 : -1;
  return a.artifact_id < b.artifact_id ? -1 : 1;
}
