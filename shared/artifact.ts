/**
 * Declares artifacts for all readers (CONTRACT 1 and 5). Times are ISO 8601 in UTC, sizes bytes, durations
 * milliseconds.
 */
import * as z from 'zod';
import { ID_REST, KINDS } from './artifact-names.ts';

export const Kind = z.enum(KINDS);
export type Kind = z.infer<typeof Kind>;

export const Status = z.enum([
  'running',
  'succeeded',
  'failed',
  'timed_out',
  'cancelled',
  'interrupted',
  'finished',
]);
export type Status = z.infer<typeof Status>;

export const StreamName = z.enum(['stdout', 'stderr', 'output', 'combined']);
export type StreamName = z.infer<typeof StreamName>;

/** The line that best explains a failure. */
export const Cause = z.object({
  stream: StreamName,
  line_number: z.number().int().min(1),
  /** The line's number in the combined view of a command's streams; absent where that is not known. */
  combined_line: z.number().int().min(1).optional(),
  /** Clipped if the line is long. */
  text: z.string(),
});
export type Cause = z.infer<typeof Cause>;

export const ContentType = z.enum(['text', 'json', 'log', 'binary', 'unknown']);
export type ContentType = z.infer<typeof ContentType>;

export const ArtifactId = z
  .string()
  .max(120)
  .regex(new RegExp(`^(${KINDS.join('|')})-${ID_REST}$`));

export const Stream = z.object({
  name: StreamName,
  /** Path of its file; null if it was folded into the record. */
  file_path: z.string().nullable(),
  /** Null until counted. */
  total_lines: z.number().nullable(),
  total_bytes: z.number(),
  dropped_bytes: z.number(),
  content_type: ContentType,
});
export type Stream = z.infer<typeof Stream>;

/** From the first line to the last. */
export const Lines = z.tuple([z.number().int().min(0), z.number().int().min(0)]);
export type Lines = z.infer<typeof Lines>;

/** How a command of an agent's own shell was recorded, and what of its output reached the agent. */
const Recorded = z.object({
  mode: z.enum(['record', 'preview', 'redact']),
  /** For each stream, bytes and lines of an excerpt that the agent's model got; null where output came as it was. */
  excerpts: z
    .array(z.object({ bytes: z.number().int().min(0), lines: z.array(Lines).max(1000) }).nullable())
    .optional(),
});

/** The agent that ran a command, or kept a capture of it. */
export const AgentMark = z.object({
  /** Its id, such as `claude-code`. */
  name: z.string(),
  /** The agent's own name for its conversation. */
  session: z.string().nullable(),
  /** Folder of the project, or the agent's name for it. */
  project: z.string().nullable(),
  /** Process id of the command. */
  pid: z.number().int().nullable(),
  /** Whether the agent kept only part of the output; null if unknown. */
  truncated: z.boolean().nullable(),
  recorded: Recorded.optional(),
});
export type AgentMark = z.infer<typeof AgentMark>;

/** Where a capture was made: in CI, and in the archive, which has captures of many machines. */
export const MadeIn = z.object({
  host: z.string(),
  /** Link to the CI job. */
  job: z.string().nullable(),
  commit: z.string().nullable(),
  branch: z.string().nullable(),
});
export type MadeIn = z.infer<typeof MadeIn>;

export const Origin = z.union([z.string(), MadeIn]);

export const Artifact = z.object({
  artifact_id: ArtifactId,
  kind: Kind,
  label: z.string(),
  command: z.string().nullable(),
  args: z.array(z.string()).nullable(),
  cwd: z.string().nullable(),
  env_names: z.array(z.string()).nullable(),
  session: z.string().nullable(),
  /** The source it was found in: `captures`, an agent's id, or the watched file or directory. */
  source: z.string().nullable(),
  /** Path of the file that it is a copy of, or where a capture was made; null where neither is known. */
  origin: Origin.nullable().default(null),
  /** Null if no agent ran or kept it. */
  agent: AgentMark.nullable().default(null),
  status: Status,
  exit_code: z.number().nullable(),
  signal: z.string().nullable(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  duration_ms: z.number().nullable(),
  pinned: z.boolean(),
  expires_at: z.string().nullable(),
  /** The line that best explains a failed command. */
  cause: Cause.nullable().default(null),
  warnings: z.array(z.string()),
  streams: z.array(Stream),
});
export type Artifact = z.infer<typeof Artifact>;

/** The `source` of Spillway's own captures. */
export const CAPTURES_SOURCE = 'captures';

/** Merges pending changes: each id is either changed or removed, whichever was last. */
export class Changes<T> {
  /** By id, in the order in which they first changed. */
  readonly changed = new Map<string, T>();
  readonly removed = new Set<string>();

  put(id: string, value: T): void {
    this.removed.delete(id);
    this.changed.set(id, value);
  }

  remove(id: string): void {
    this.changed.delete(id);
    this.removed.add(id);
  }

  get size(): number {
    return this.changed.size + this.removed.size;
  }

  clear(): void {
    this.changed.clear();
    this.removed.clear();
  }
}

/** Several artifacts merged into one text. */
export const MAX_MERGED = 32;

const MERGED = 'capture-merged-1970-01-01T00-00-00-';

/** Returns the id of the merged text: the same for the same artifacts in the same order. */
export function mergedId(ids: readonly string[]): string {
  let hash = 0x811c9dc5;
  for (const char of ids.join(' ')) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0;
  return `${MERGED}${(hash & 0xffffff).toString(16).padStart(6, '0')}`;
}

export function isMergedId(id: string): boolean {
  return id.startsWith(MERGED);
}

/** Facts about a merged text beyond those of its artifacts. */
interface MergedFacts extends Pick<Artifact, 'kind' | 'started_at' | 'warnings'> {
  label: string;
  stream: Pick<Artifact['streams'][number], 'total_lines' | 'total_bytes' | 'content_type'>;
}

/** Returns the merged text as an artifact, which is running while one of its artifacts is. */
export function mergedArtifact(
  id: string,
  parts: readonly Artifact[],
  { stream, ...facts }: MergedFacts,
): Artifact {
  return {
    artifact_id: id,
    command: null,
    args: null,
    cwd: null,
    env_names: null,
    session: null,
    source: null,
    origin: null,
    agent: null,
    status: parts.some(({ status }) => status === 'running') ? 'running' : 'finished',
    exit_code: null,
    signal: null,
    ended_at: null,
    duration_ms: null,
    pinned: false,
    expires_at: null,
    cause: null,
    streams: [{ name: 'output', file_path: null, dropped_bytes: 0, ...stream }],
    ...facts,
  };
}
