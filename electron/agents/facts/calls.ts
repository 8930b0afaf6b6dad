/** Collects from an agent's transcript which command each capture is of. Bounded: the oldest calls are dropped. */

import { isoTime } from '../../store/format/times.ts';
import { type FileDescription, outcome } from './described.ts';

/** Calls and files kept of one transcript. */
const MAX_CALLS = 4000;

export interface Call {
  command: string | null;
  cwd: string | null;
  /** Milliseconds since 1970; null when not told. */
  startedMs: number | null;
  endedMs: number | null;
  exitCode: number | null;
  /** How it ended where no exit status tells. */
  status: 'running' | 'finished' | 'cancelled' | 'timed_out' | null;
  truncated: boolean | null;
  /** The beginning of its output (`printedStart`); null when not told. */
  printed: string | null;
  /** Run by the agent's own shell tool. */
  isShell: boolean;
  /** Why it could not be recorded, where the transcript tells. */
  obstacle: string | null;
}

/** A conversation with an agent, as its transcript tells it. */
export interface Conversation {
  /** The agent's own name for it; null where its commands do not get it. */
  readonly session: string | null;
  /** When it began, in milliseconds since 1970; null when not told. */
  readonly startedMs: number | null;
  readonly calls: readonly Call[];
}

/** Conversations that are looked at, newest first, for one with commands. */
export const MAX_CONVERSATIONS = 3;

export class Calls {
  /** Folder of the project, as the transcript says it. */
  cwd: string | null = null;
  /** The conversation's own name, where the transcript tells it. */
  session: string | null = null;
  /** When the conversation began, in milliseconds since 1970. */
  startedMs: number | null = null;
  /** What keeps commands from now on from being recorded, where the transcript tells. */
  obstacle: string | null = null;
  readonly #calls = new Map<string, Call>();
  readonly #files = new Map<string, Call>();

  /** In the order in which they were last told of. */
  get all(): Call[] {
    return [...this.#calls.values()];
  }

  /** Adds facts about a call. Known facts stay unless `known` has new ones. */
  note(id: string, known: Partial<Call>): Call {
    const call = this.#calls.get(id) ?? { ...UNKNOWN, cwd: this.cwd, obstacle: this.obstacle };
    for (const [key, value] of Object.entries(known))
      if (value !== undefined) Object.assign(call, { [key]: value });
    keep(this.#calls, id, call);
    return call;
  }

  has(id: string): boolean {
    return this.#calls.has(id);
  }

  /** Notes that the output of a call is in a file, named by a part of its path. */
  attach(file: string, id: string): Call {
    const call = this.note(id, {});
    keep(this.#files, file, call);
    return call;
  }

  of(file: string): Call | undefined {
    return this.#files.get(file);
  }

  /** The calls that may have been running at a moment: begun before it, give or take `skewMs`, and not ended. */
  openAt(ms: number, skewMs: number): Call[] {
    return [...this.#calls.values()].filter(
      ({ command, startedMs, endedMs }) =>
        command !== null &&
        startedMs !== null &&
        startedMs <= ms + skewMs &&
        (endedMs === null || endedMs >= ms),
    );
  }
}

const UNKNOWN: Call = {
  command: null,
  cwd: null,
  startedMs: null,
  endedMs: null,
  exitCode: null,
  status: null,
  truncated: null,
  printed: null,
  isShell: false,
  obstacle: null,
};

function keep(map: Map<string, Call>, key: string, call: Call): void {
  map.set(key, call);
  if (map.size > MAX_CALLS) map.delete(map.keys().next().value!);
}

/** Returns the description of a capture that its call gives. */
export function described(call: Call | undefined): FileDescription {
  if (!call) return {};
  const { command, cwd, startedMs, endedMs, exitCode, status, truncated } = call;
  return {
    ...(command === null ? {} : { command }),
    ...(cwd === null ? {} : { cwd, project: cwd }),
    ...(startedMs === null ? {} : { started_at: isoTime(startedMs) }),
    ...(endedMs === null ? {} : { ended_at: isoTime(endedMs) }),
    ...(startedMs === null || endedMs === null ? {} : { duration_ms: Math.max(0, endedMs - startedMs) }),
    ...(status === null ? {} : { status }),
    ...(exitCode === null ? {} : outcome(exitCode)),
    ...(truncated === null ? {} : { truncated }),
  };
}

const PRINTED_CHARS = 256;

/** Returns the beginning of an output, by which it is found in a transcript, whatever is trimmed there. */
export function printedStart(output: string): string {
  return output
    .slice(0, 2 * PRINTED_CHARS)
    .replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
    .trim()
    .slice(0, PRINTED_CHARS);
}

/** Milliseconds since 1970 of an ISO time, or of a number of milliseconds; null for anything else. */
export function timeMs(value: unknown): number | null {
  const ms = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(ms) && ms > 0 && ms < 8.64e15 ? ms : null;
}

/** Returns when a capture began whose name tells it, in milliseconds since 1970: the first group of `pattern`. */
export function startedIn(pattern: RegExp, name: string): Pick<FileDescription, 'started_at'> {
  const ms = timeMs(Number(pattern.exec(name)?.[1]));
  return ms === null ? {} : { started_at: isoTime(ms) };
}

/** The value of a JSON text; null where there is none. */
export function parsed(json: unknown): unknown {
  try {
    return typeof json === 'string' ? (JSON.parse(json) as unknown) : null;
  } catch {
    return null;
  }
}

/** Gives a value's field where the value is an object, else undefined. Never throws. */
export function field(value: unknown, ...names: readonly string[]): unknown {
  let found: unknown = value;
  for (const name of names) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

export function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
