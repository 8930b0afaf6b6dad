/** What `run_command` and `capture_output` answer (CONTRACT 6), and the command line prints with `--json`. */
import type { Cause, ContentType, StreamName } from './artifact.ts';

/** Of a preview: lines from `start_line` to `end_line`, joined by `\n`. */
export interface PreviewPart {
  stream: Exclude<StreamName, 'combined'>;
  start_line: number;
  end_line: number;
  /** What it was chosen for; absent for context, the beginning and the end. */
  why?: string;
}

export interface PreviewPartWithContent extends PreviewPart {
  content: string;
}

/** Of one stream of a command. Bytes and lines. */
export interface StreamHead {
  file_path: string | null;
  total_lines: number;
  total_bytes: number;
  returned_lines: number;
  returned_bytes: number;
  truncated: boolean;
  dropped_bytes: number;
  content_type: ContentType;
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
  /** An equal run answered before. */
  cached: boolean;
  warnings: string[];
  /** What kept it from running, or ended it. */
  error: string | null;
  /** Of a run that failed, timed out or was killed, when its output has one. */
  cause: Cause | null;
  stdout?: StreamHead;
  stderr?: StreamHead;
  output?: StreamHead;
}

export interface CaptureHead {
  status: 'inline' | 'captured';
  truncated: boolean;
  artifact_id: string | null;
  file_path: string | null;
  total_lines: number;
  total_bytes: number;
  content_type: ContentType;
  /** What is missing and why. */
  warnings: string[];
}
