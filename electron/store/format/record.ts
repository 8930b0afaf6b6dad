/**
 * The format of `<artifact>.meta.json`, the record of one capture. Its one writer replaces it atomically. While the
 * command runs, sizes and line counts in it lag behind the files.
 */

import { hostname } from 'node:os';
import * as z from 'zod';
import {
  AgentMark,
  ArtifactId,
  Cause,
  ContentType,
  Kind,
  type MadeIn,
  Origin,
  Status,
  StreamName,
} from '../../../shared/artifact.ts';
import { usualSecrets } from '../../../shared/secrets/mask.ts';
import { Owner } from './owner.ts';
import { MAX_SMALL_BYTES } from './small-file.ts';

export const RECORD_VERSION = 1;
/** A larger stream is not folded into the record, whatever its inline budget. */
export const MAX_FOLDED_BYTES = 256 * 1024;
/** Arguments beyond this, as JSON, are not kept. */
export const MAX_ARGS_BYTES = 256 * 1024;

/** Bytes of the stream that were dropped: printed between the stored bytes before `offset` and those after it. */
export const Gap = z.object({
  /** Bytes into the stored stream; its size when the end was dropped. */
  offset: z.number().int().min(0),
  /** Line ends in the stored stream before it. */
  line: z.number().int().min(0),
  bytes: z.number().int().min(0),
  /** Line ends among the dropped bytes. */
  lines: z.number().int().min(0),
});
export type Gap = z.infer<typeof Gap>;

export const StreamRecord = z.object({
  name: StreamName.exclude(['combined']),
  /** File name beside the record; null when the stream was folded into the record, or nothing could be written. */
  file: z
    .string()
    .regex(/^[A-Za-z0-9._-]+$/)
    .nullable(),
  /** The whole stream in base64, when it stayed within its inline budget. */
  folded: z.string().nullable(),
  /** Bytes stored, before any compression. */
  total_bytes: z.number().int().min(0),
  /** Counts the lines of the gap too. Null until the stream has ended. */
  total_lines: z.number().int().min(0).nullable(),
  gap: Gap.nullable(),
  content_type: ContentType,
});
export type StreamRecord = z.infer<typeof StreamRecord>;

export const CaptureRecord = z.object({
  version: z.literal(RECORD_VERSION),
  artifact_id: ArtifactId,
  kind: Kind.exclude(['file']),
  label: z.string(),
  command: z.string().nullable(),
  args: z.array(z.string()).nullable(),
  cwd: z.string().nullable(),
  env_names: z.array(z.string()).nullable(),
  /** The session's name, not the name of its folder. */
  session: z.string(),
  /** Which agent ran it in its shell tool, and in which of its conversations; null when none did. */
  agent: AgentMark.pick({ name: true, session: true, recorded: true }).nullable().default(null),
  /** Path of the file of another program that it is a copy of, or where it was made. */
  origin: Origin.nullable().default(null),
  status: Status,
  exit_code: z.number().int().nullable(),
  signal: z.string().nullable(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  duration_ms: z.number().min(0).nullable(),
  /** The line that best explains the failure; null without one. Absent where the recorder could not look for it. */
  cause: Cause.nullable().optional(),
  /** Sentences: what was lost or not stored, and why. */
  warnings: z.array(z.string()),
  /** The process that writes the record and its files; null when it has finished. */
  recorder: Owner.nullable(),
  /**
   * How a person stops the command: the recorder passes SIGTERM on to it; or it records other commands too, and this
   * is the command's own process, which leads a group. Null when it ended, or in older records.
   */
  stop: z
    .union([z.literal('recorder'), Owner])
    .nullable()
    .default(null),
  streams: z.array(StreamRecord).min(1).max(2),
  /** Arrival times (times.ts) in base64 when the streams were folded; else null, and in `.times`. */
  times: z.string().nullable(),
  /** Last size of a terminal, in characters. */
  terminal: z.object({ columns: z.number().int(), rows: z.number().int() }).nullable().default(null),
});
export type CaptureRecord = z.infer<typeof CaptureRecord>;

export type ParsedRecord =
  | { ok: true; record: CaptureRecord }
  /** `problem` is a sentence; `newer`: a later version of Spillway wrote it, so it must not be touched. */
  | { ok: false; problem: string; newer: boolean };

export function parseRecord(text: string): ParsedRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, problem: 'its record is cut short or damaged', newer: false };
  }
  const version = (value as { version?: unknown } | null)?.version;
  if (typeof version === 'number' && version > RECORD_VERSION) {
    return { ok: false, problem: `a newer version of Spillway wrote its record (${version})`, newer: true };
  }
  const parsed = CaptureRecord.safeParse(value);
  if (parsed.success) return { ok: true, record: parsed.data };
  const where = parsed.error.issues[0]?.path.join('.') ?? '';
  return { ok: false, problem: `its record is not valid (${where})`, newer: false };
}

/** Says why a record of `bytes` bytes has no text, as a sentence. */
export function unreadableRecord(bytes: number): string {
  return bytes > MAX_SMALL_BYTES ? 'its record is damaged: it is over 1 MiB' : "its record can't be read";
}

// Offsets before and after a gap: in what a stream printed, and in the bytes that are stored of it. Apart from arrivals.ts,
// whose reader of lines the extension for VS Code is built without.

/**
 * Converts an offset in a stream's output to one in its stored bytes: they differ after a gap. Returns the gap's
 * offset for a dropped byte.
 */
export function storedOffset(gap: Gap | null, arrived: number): number {
  if (!gap || arrived <= gap.offset) return arrived;
  return Math.max(gap.offset, arrived - gap.bytes);
}

/** Converts an offset in a stream's stored bytes to one in its output: the reverse of `storedOffset`. */
export function printedOffset(gap: Gap | null, stored: number): number {
  return gap && stored >= gap.offset ? stored + gap.bytes : stored;
}

// Where a capture was made: the machine, and the job, commit and branch as CI systems tell them in variables.

/** Null outside of CI. */
export function madeIn(env: NodeJS.ProcessEnv): MadeIn | null {
  const first = (...values: (string | undefined | false)[]) => values.find(Boolean) || null;
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  const github = server && repository && run && `${server}/${repository}/actions/runs/${run}`;
  const made = {
    job: first(env.CI_JOB_URL, env.BUILDKITE_BUILD_URL, github, env.CIRCLE_BUILD_URL, env.BUILD_URL),
    commit: first(env.CI_COMMIT_SHA, env.BUILDKITE_COMMIT, env.GITHUB_SHA, env.CIRCLE_SHA1, env.GIT_COMMIT),
    branch: first(
      ...[env.CI_COMMIT_REF_NAME, env.BUILDKITE_BRANCH, env.GITHUB_HEAD_REF, env.GITHUB_REF_NAME],
      ...[env.CIRCLE_BRANCH, env.GIT_BRANCH],
    ),
  };
  return Object.values(made).some((fact) => fact !== null) ? { host: hostname(), ...made } : null;
}

/**
 * Writes records as text without secrets: a token in a command line, or in the line that explains a failure, is in no
 * file beside the stream. Nothing runs a command again by its record, and runs are told apart by it as before, since a
 * mask is as long as the secret.
 */
export function recordText(record: CaptureRecord): string {
  const mask = (text: string) => usualSecrets.mask(text).text;
  const [command, ...args] = maskedWords([record.command ?? '', ...(record.args ?? [])]);
  return JSON.stringify({
    ...record,
    label: mask(record.label),
    command: record.command === null ? null : command!,
    args: record.args === null ? null : args,
    warnings: record.warnings.map(mask),
    ...(record.cause ? { cause: { ...record.cause, text: mask(record.cause.text) } } : {}),
  } satisfies CaptureRecord);
}

/** Masks words as one line: `--token`, `abc123` are two. */
export function maskedWords(words: readonly string[]): string[] {
  const text = words.join(' ');
  const masked = usualSecrets.mask(text).text;
  if (masked === text) return [...words];
  let at = 0;
  return words.map((word) => {
    const shown = masked.slice(at, at + word.length);
    at += word.length + 1;
    return shown;
  });
}
