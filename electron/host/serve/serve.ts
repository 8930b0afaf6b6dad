/**
 * The host's side of the connection: one window's requests and subscriptions, answered by a Host.
 *
 *     message -> ClientMessage -> name known? -> params by schema -> queue -> Host -> result | error
 *                                                             `-> subscription -> event, event, …
 *
 * No input makes it throw or grow without bound: a limited number of requests run, a limited number wait, and the rest
 * are refused. While the transport is congested, no new work starts and events are merged (streams.ts).
 */
import type { Hello } from '../../../shared/api/api.ts';
import {
  ClientMessage,
  CONGESTED_BYTES,
  type HostMessage,
  type MessageChannelEnd,
} from '../../../shared/api/messages.ts';
import { firstProblem, idOf, toWire } from '../../../shared/api/wire.ts';
import { cancelledRequest, SpillwayError } from '../../../shared/errors.ts';
import type { Host } from '../host.ts';
import { prepareRequest, type Work } from './requests.ts';
import { type EventSink, openEventStream } from './streams.ts';

/** Requests of one connection that are worked on at once. */
export const MAX_RUNNING = 64;
/** Requests that may wait for their turn. */
export const MAX_WAITING = 1024;
/** Subscriptions of one connection. */
export const MAX_SUBSCRIPTIONS = 256;

/**
 * Serves until `end` closes; then cancels everything requested over it.
 * `onDefect` receives unexpected errors whole; the window receives only their message.
 */
export function serveConnection(
  end: MessageChannelEnd,
  host: Host,
  hello: Hello,
  onDefect?: (error: unknown) => void,
): void {
  new ServedConnection(end, host, hello, onDefect).serve();
}

class ServedConnection {
  readonly #end: MessageChannelEnd;
  readonly #host: Host;
  readonly #hello: Hello;
  readonly #onDefect: ((error: unknown) => void) | undefined;
  readonly #running = new Map<number, AbortController>();
  readonly #waiting = new Map<number, Work>();
  readonly #outlets = new Map<number, EventSink>();

  constructor(end: MessageChannelEnd, host: Host, hello: Hello, onDefect?: (error: unknown) => void) {
    this.#end = end;
    this.#host = host;
    this.#hello = hello;
    this.#onDefect = onDefect;
  }

  serve(): void {
    this.#end.onMessage((raw) => {
      const parsed = ClientMessage.safeParse(raw);
      try {
        if (!parsed.success) throw malformed(firstProblem(parsed.error));
        this.#take(parsed.data);
      } catch (error) {
        const id = idOf(raw);
        // A message without an id can't be answered.
        if (id !== undefined) this.#sendError(id, error);
      }
    });
    this.#end.onDrain?.(() => {
      for (const outlet of this.#outlets.values()) outlet.flush();
      this.#startWaiting();
    });
    this.#end.onClose(() => {
      this.#waiting.clear();
      for (const abort of this.#running.values()) abort.abort();
      for (const outlet of this.#outlets.values()) outlet.close();
      this.#outlets.clear();
    });
  }

  #take(message: ClientMessage): void {
    const { id } = message;
    if (message.type === 'cancel') this.#cancel(id);
    if (message.type === 'unsubscribe') this.#unsubscribe(id);
    if (message.type !== 'request' && message.type !== 'subscribe') return;
    if (this.#running.has(id) || this.#waiting.has(id) || this.#outlets.has(id)) {
      throw new SpillwayError('usage', `The id ${id} is in use`, 'give each request an id of its own');
    }
    if (message.type === 'subscribe') this.#subscribe(id, message.topic, message.params);
    else this.#accept(id, prepareRequest(message.name, message.params, this.#host, this.#hello));
  }

  #accept(id: number, work: Work): void {
    if (this.#waiting.size >= MAX_WAITING) {
      throw new SpillwayError('busy', 'Too many requests are waiting', 'ask again when some are answered');
    }
    this.#waiting.set(id, work);
    this.#startWaiting();
  }

  #startWaiting(): void {
    for (const [id, work] of this.#waiting) {
      if (this.#running.size >= MAX_RUNNING || this.#isCongested()) return;
      this.#waiting.delete(id);
      void this.#run(id, work);
    }
  }

  async #run(id: number, work: Work): Promise<void> {
    const abort = new AbortController();
    this.#running.set(id, abort);
    try {
      const result = await work(abort.signal);
      if (!abort.signal.aborted) this.#send({ type: 'result', id, result });
    } catch (error) {
      if (!abort.signal.aborted) this.#sendError(id, error);
    }
    this.#running.delete(id);
    this.#startWaiting();
  }

  #cancel(id: number): void {
    const abort = this.#running.get(id);
    // It counts as running until the host has let go of it, but its answer is given now.
    if (abort && !abort.signal.aborted) abort.abort();
    else if (!this.#waiting.delete(id)) return;
    this.#sendError(id, cancelledRequest());
  }

  #subscribe(id: number, topic: string, params: unknown): void {
    if (this.#outlets.size >= MAX_SUBSCRIPTIONS) {
      throw new SpillwayError('busy', 'Too many streams are open', 'close streams that are no longer needed');
    }
    const outlet = openEventStream(topic, params, this.#host, {
      ready: () => !this.#isCongested(),
      event: (event) => this.#send({ type: 'event', id, event }),
      failed: (error) => {
        this.#outlets.delete(id);
        this.#sendError(id, error);
      },
    });
    // A document may fail before its stream is even open.
    if (!outlet.closed()) this.#outlets.set(id, outlet);
  }

  #unsubscribe(id: number): void {
    this.#outlets.get(id)?.close();
    this.#outlets.delete(id);
  }

  #isCongested(): boolean {
    return (this.#end.bufferedAmount?.() ?? 0) > CONGESTED_BYTES;
  }

  #send(message: HostMessage): void {
    try {
      this.#end.post(message);
    } catch (error) {
      // A value the transport can't carry, or more text than one string can hold.
      this.#end.post({ type: 'error', id: message.id, error: toWire(error) });
    }
  }

  #sendError(id: number, error: unknown): void {
    const wire = toWire(error);
    if (wire.code === 'internal') this.#onDefect?.(error);
    this.#send({ type: 'error', id, error: wire });
  }
}

function malformed(problem: string): SpillwayError {
  return new SpillwayError(
    'usage',
    `This is not a message of the API (${problem})`,
    'see shared/api/messages.ts',
  );
}
