/** The request for a recorded run, and its result. */
import type { Status } from '../../../shared/artifact.ts';
import type { PreviewPartWithContent, RunHead } from '../../../shared/recording.ts';
import type { StreamPlan } from '../../recorder/command/stream-plan.ts';
import type { RecordedStreamName } from '../../recorder/streams/outcome.ts';
import type { FinishedStream } from '../../recorder/streams/recorded-stream.ts';
import type { PreviewLimitsAsked } from './heads.ts';

export interface RunRequest extends PreviewLimitsAsked {
  command: string;
  args: readonly string[];
  session?: string | undefined;
  /** Absolute. */
  cwd: string;
  /** All of it. */
  env: NodeJS.ProcessEnv;
  /** Names that were asked for beside the inherited ones. */
  envNames?: readonly string[] | null;
  /** Milliseconds; null for none. */
  timeout?: number | null;
  /** Bytes of one stream that are kept, instead of `maxStreamBytes`. */
  maxBytes?: number | undefined;
  stdin: 'inherit' | 'ignore';
  /** The command leads a process group: a signal meant for us alone does not reach it. */
  ownGroup: boolean;
  /** By default two pipes. */
  plan?: StreamPlan;
  /** Starts `recordOn` for background children that print after the command's end; else this process reads on. */
  recorder?: readonly string[] | null;
  /**
   * Our own stdout carries something else (MCP, one JSON document), so output of background children must not reach it.
   */
  keepsOutput?: boolean;
  /** The shell and its options that run `command`, a whole line. The record names the line, and no arguments. */
  shell?: readonly string[] | undefined;
}

export interface RunHooks {
  /** Receives each chunk. The next one is read, into the same memory, when the promise resolves. */
  onOutput?: (stream: RecordedStreamName, chunk: Uint8Array) => Promise<void> | null;
  /** The person pressed a key that asks the command to end, at a terminal that is joined to the command's. */
  onKey?: (signal: NodeJS.Signals) => void;
  /** Ends the command with all it started. */
  abort?: AbortSignal | undefined;
}

export interface RunResult {
  head: RunHead;
  parts: PreviewPartWithContent[];
  status: Status;
  /** `SIGTERM`, or `SIGRTMIN+3`. */
  signal: string | null;
  /** A stream outgrew its inline budget. */
  spilled: boolean;
  /** All it printed is stored, and what its background children print will be. */
  whole: boolean;
  streams: FinishedStream[];
  /** Processes that the command left running; null when there are none, as far as is known. */
  background: BackgroundRun | null;
  /** Done when what background children print is recorded too; at once when nobody records it. */
  rest: Promise<void>;
}

export interface BackgroundRun {
  readonly isOver: boolean;
  /** Ends all of it. Returns false when there was nothing any more. */
  end(): Promise<boolean>;
}

export interface RunningRecorded {
  readonly artifactId: string | null;
  readonly pid: number;
  /** Why nothing is recorded, or what of it is not, so far. */
  warnings(): readonly string[];
  /** Bytes and line ends that came so far. */
  progress(stream: RecordedStreamName): { bytes: number; newlines: number };
  /** Resolves with whether a signal that reached us was sent to the whole process group, and so to the command. */
  sawSignal(signal: NodeJS.Signals): Promise<boolean>;
  /** Takes a signal that was sent to us, and passes it on unless it has `reached` the command already. */
  signal(signal: NodeJS.Signals, reached?: boolean): void;
  /** The reader of the stream has gone. */
  hangUp(stream: RecordedStreamName): void;
  readonly result: Promise<RunResult>;
}
