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
  const running = new Map<number, AbortController>();
  const waiting = new Map<number, Work>();
  const outlets = new Map<number, EventSink>();

  const congested = () => (end.bufferedAmount?.() ?? 0) > CONGESTED_BYTES;

  const send = (message: HostMessage) => {
    try {
      end.post(message);
    } catch (error) {
      // A value the transport can't carry, or more text than one string can hold.
      end.post({ type: 'error', id: message.id, error: toWire(error) });
    }
  };
  const sendError = (id: number, error: unknown) => {
    const wire = toWire(error);
    if (wire.code === 'internal') onDefect?.(error);
    send({ type: 'error', id, error: wire });
  };

  end.onMessage((raw) => {
    const parsed = ClientMessage.safeParse(raw);
    try {
      if (!parsed.success) throw malformed(firstProblem(parsed.error));
      take(parsed.data);
    } catch (error) {
      const id = idOf(raw);
      // A message without an id can't be answered.
      if (id !== undefined) sendError(id, error);
    }
  });
  end.onDrain?.(() => {
    for (const outlet of outlets.values()) outlet.flush();
    startWaiting();
  });
  end.onClose(() => {
    waiting.clear();
    for (const abort of running.values()) abort.abort();
    for (const outlet of outlets.values()) outlet.close();
    outlets.clear();
  });

  function take(message: ClientMessage): void {
    const { id } = message;
    if (message.type === 'cancel') cancel(id);
    if (message.type === 'unsubscribe') unsubscribe(id);
    if (message.type !== 'request' && message.type !== 'subscribe') return;
    if (running.has(id) || waiting.has(id) || outlets.has(id)) {
      throw new SpillwayError('usage', `The id ${id} is in use`, 'give each request an id of its own');
    }
    if (message.type === 'subscribe') subscribe(id, message.topic, message.params);
    else accept(id, prepareRequest(message.name, message.params, host, hello));
  }

  function accept(id: number, work: Work): void {
    if (waiting.size >= MAX_WAITING) {
      throw new SpillwayError('busy', 'Too many requests are waiting', 'ask again when some are answered');
    }
    waiting.set(id, work);
    startWaiting();
  }

  function startWaiting(): void {
    for (const [id, work] of waiting) {
      if (running.size >= MAX_RUNNING || congested()) return;
      waiting.delete(id);
      void run(id, work);
    }
  }

  async function run(id: number, work: Work): Promise<void> {
    const abort = new AbortController();
    running.set(id, abort);
    try {
      const result = await work(abort.signal);
      if (!abort.signal.aborted) send({ type: 'result', id, result });
    } catch (error) {
      if (!abort.signal.aborted) sendError(id, error);
    }
    running.delete(id);
    startWaiting();
  }

  function cancel(id: number): void {
    const abort = running.get(id);
    // It counts as running until the host has let go of it, but its answer is given now.
    if (abort && !abort.signal.aborted) abort.abort();
    else if (!waiting.delete(id)) return;
    sendError(id, cancelledRequest());
  }

  function subscribe(id: number, topic: string, params: unknown): void {
    if (outlets.size >= MAX_SUBSCRIPTIONS) {
      throw new SpillwayError('busy', 'Too many streams are open', 'close streams that are no longer needed');
    }
    const outlet = openEventStream(topic, params, host, {
      ready: () => !congested(),
      event: (event) => send({ type: 'event', id, event }),
      failed: (error) => {
        outlets.delete(id);
        sendError(id, error);
      },
    });
    // A document may fail before its stream is even open.
    if (!outlet.closed()) outlets.set(id, outlet);
  }

  function unsubscribe(id: number): void {
    outlets.get(id)?.close();
    outlets.delete(id);
  }
}

function malformed(problem: string): SpillwayError {
  return new SpillwayError(
    'usage',
    `This is not a message of the API (${problem})`,
    'see shared/api/messages.ts',
  );
}
