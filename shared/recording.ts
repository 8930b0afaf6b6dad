/** The replies of `run_command` and `capture_output` (CONTRACT 6), which the command line prints with `--json`. */
import type { Cause, ContentType, Status, StreamName } from './artifact.ts';

/** A part of a preview: lines `start_line` to `end_line`, joined by `\n`. */
interface PreviewPart {
  stream: Exclude<StreamName, 'combined'>;
  start_line: number;
  end_line: number;
  /** The reason it was chosen; absent for context, the head and the tail. */
  why?: string;
  /** Only the beginning of its last line is in it, or only the end of its first; absent where its lines are whole. */
  clipped?: 'beginning' | 'end';
}

export interface PreviewPartWithContent extends PreviewPart {
  content: string;
}

/** Facts about one stream of a command, in bytes and lines. */
export interface StreamHead {
  file_path: string | null;
  total_lines: number;
  total_bytes: number;
  returned_lines: number;
  returned_bytes: number;
  truncated: boolean;
  dropped_bytes: number;
  content_type: ContentType;
  /** Distinct lines at error level that the preview had no room for; absent if none. */
  errors_left_out?: number;
  /** How to read a binary stream, which has no preview; absent for text. */
  note?: string;
}

/** `stdout` and `stderr` of a command on pipes, `output` of one on a terminal. */
export interface RunHead {
  /** Null when it was not recorded; `warnings` say why. */
  artifact_id: string | null;
  command: string;
  exit_code: number | null;
  success: boolean;
  /** Milliseconds. */
  duration_ms: number;
  timed_out: boolean;
  /** Whether an earlier equal run answered. */
  cached: boolean;
  warnings: string[];
  /** The error that kept it from running, or ended it. */
  error: string | null;
  /** The line that best explains why a run failed, timed out or was killed, if its output has one. */
  cause: Cause | null;
  stdout?: StreamHead;
  stderr?: StreamHead;
  output?: StreamHead;
}

export interface CaptureHead {
  /** `not_captured`: nothing was recorded, as `warnings` say, and only a preview is here. */
  status: 'inline' | 'captured' | 'not_captured';
  truncated: boolean;
  artifact_id: string | null;
  file_path: string | null;
  total_lines: number;
  total_bytes: number;
  content_type: ContentType;
  /** Missing parts of the recording, and why. */
  warnings: string[];
}

/** Begins the text of the cause of a command that its timeout ended, where no line says what failed. */
export const TIMED_OUT_AFTER = 'timed out after ';

/** Whether it failed, timed out or was interrupted; not if a person cancelled it. */
export function isFailure(status: Status): boolean {
  return FAILURES.has(status);
}

const FAILURES: ReadonlySet<Status> = new Set(['failed', 'timed_out', 'interrupted']);
