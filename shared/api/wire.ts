/**
 * Converts errors for the connection (three short sentences, never a stack), and makes errors for malformed messages.
 */
import * as z from 'zod';
import { type ErrorCode, SpillwayError, toSpillwayError } from '../errors.ts';

/** Longest part of an error. */
const LONGEST_CHARS = 2000;

export function toWire(error: unknown): WireError {
  const { code, what, todo } = toSpillwayError(error);
  // An unexpected error's message may continue with a code frame or another error's stack.
  const brief = code === 'internal' ? (what.split('\n', 1)[0] ?? '') : what;
  return { code, what: clip(brief, LONGEST_CHARS), todo: clip(todo, LONGEST_CHARS) };
}

/** An unknown code becomes `internal`. */
export function fromWire(error: WireError): SpillwayError {
  const code = Object.hasOwn(CODES, error.code) ? (error.code as ErrorCode) : 'internal';
  return new SpillwayError(code, error.what, error.todo);
}

/** Returns the first problem found by a schema, such as `rows[3].text: expected string, received number`. */
export function firstProblem(error: z.ZodError): string {
  const issue = error.issues[0];
  if (!issue) return 'it has the wrong form';
  const place = issue.path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${clip(String(step), 40)}`))
    .join('')
    .replace(/^\./, '');
  const message = clip(issue.message.replace(/^Invalid input: /, ''), 200);
  return place === '' ? message : `${place}: ${message}`;
}

/** Returns the id of an invalid message; undefined if it has no usable id. */
export function idOf(raw: unknown): number | undefined {
  if (typeof raw !== 'object' || raw === null || !Object.hasOwn(raw, 'id')) return undefined;
  const { id } = raw as { id: unknown };
  return Number.isSafeInteger(id) && (id as number) >= 0 ? (id as number) : undefined;
}

/** Cuts `text` to at most `longest` UTF-16 code units. */
export function clip(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

const CODES: Record<ErrorCode, true> = {
  usage: true,
  not_found: true,
  not_a_file: true,
  no_permission: true,
  out_of_range: true,
  bad_encoding: true,
  changed: true,
  unsupported: true,
  busy: true,
  home: true,
  cancelled: true,
  stalled: true,
  internal: true,
};

const id = z.number().int().min(0);

/** The messages of the API. Each side validates every message it receives. */
export const WireError = z.object({ code: z.string(), what: z.string(), todo: z.string() });
export type WireError = z.infer<typeof WireError>;

export const ClientMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('request'), id, name: z.string(), params: z.unknown() }),
  z.object({ type: z.literal('cancel'), id }),
  z.object({ type: z.literal('subscribe'), id, topic: z.string(), params: z.unknown() }),
  z.object({ type: z.literal('unsubscribe'), id }),
]);
export type ClientMessage = z.infer<typeof ClientMessage>;

export const HostMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('result'), id, result: z.unknown() }),
  z.object({ type: z.literal('error'), id, error: WireError }),
  z.object({ type: z.literal('event'), id, event: z.unknown() }),
]);
export type HostMessage = z.infer<typeof HostMessage>;

/** One end of a transport. Messages arrive whole and in order; messages posted after a close are dropped. */
export interface MessageChannelEnd {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, whichever side closed; at once if already closed. */
  onClose(listener: () => void): void;
  close(): void;
  /** Bytes posted that have not left this process; absent if the transport does not say. */
  bufferedAmount?(): number;
  /** Called each time the buffer has emptied after having been full. */
  onDrain?(listener: () => void): void;
}

/** A transport with more buffered bytes is congested: new events are merged, new work waits. */
export const CONGESTED_BYTES = 1024 * 1024;
/** `onDrain` is called when no more bytes than this are left. */
export const DRAINED_BYTES = 256 * 1024;

/**
 * Holds the listeners of a transport's end, and closes exactly once. A transport reports events to the returned
 * controls; the API uses the `end`.
 */
interface Transport {
  /** Called only while open. */
  post(message: unknown): void;
  /** Called at most once. */
  close(): void;
  /** Called with the first listener, for transports that hold messages back until then. */
  start?(): void;
  bufferedAmount?(): number;
}

export interface EndControls {
  readonly end: MessageChannelEnd;
  received(message: unknown): void;
  /** Call when the other side closed, or the transport failed. */
  closed(): void;
  drained(): void;
}

export function channelEnd(transport: Transport): EndControls {
  const onMessage: Array<(message: unknown) => void> = [];
  const onDrain: Array<() => void> = [];
  let onClose: Array<() => void> = [];
  let open = true;
  let started = false;

  const closed = () => {
    if (!open) return;
    open = false;
    const listeners = onClose;
    onClose = [];
    for (const listener of listeners) listener();
  };

  const end: MessageChannelEnd = {
    post(message) {
      if (open) transport.post(message);
    },
    onMessage(listener) {
      onMessage.push(listener);
      if (started) return;
      started = true;
      transport.start?.();
    },
    onClose(listener) {
      if (open) onClose.push(listener);
      else listener();
    },
    close() {
      if (!open) return;
      transport.close();
      closed();
    },
  };
  if (transport.bufferedAmount) {
    end.bufferedAmount = () => transport.bufferedAmount?.() ?? 0;
    end.onDrain = (listener) => onDrain.push(listener);
  }

  return {
    end,
    received(message) {
      for (const listener of onMessage) if (open) listener(message);
    },
    closed,
    drained() {
      for (const listener of onDrain) if (open) listener();
    },
  };
}
