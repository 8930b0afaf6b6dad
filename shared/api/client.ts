/**
 * The window's side of the connection: requests with their answers, subscriptions with their events. Validates every
 * message of the host by its schema; an invalid one fails only its request or subscription.
 */
import type * as z from 'zod';
import { cancelledRequest, SpillwayError } from '../errors.ts';
import {
  type Connection,
  type RequestName,
  type RequestResult,
  requests,
  type StreamEvent,
  type StreamTopic,
  streams,
} from './api.ts';
import {
  type ClientMessage,
  firstProblem,
  fromWire,
  HostMessage,
  idOf,
  type MessageChannelEnd,
} from './wire.ts';

/** A pending request or a subscription: handles the messages with its id. */
interface Call {
  /** The expected message type, and the schema of its content. */
  type: 'result' | 'event';
  schema: z.ZodType;
  take(value: unknown): void;
  fail(error: SpillwayError): void;
}

/** Takes over `end`: nothing else may use it or listen to it. */
export function connectionOver(end: MessageChannelEnd): Connection {
  return new WindowConnection(end);
}

class WindowConnection implements Connection {
  readonly #end: MessageChannelEnd;
  readonly #calls = new Map<number, Call>();
  readonly #closeListeners: Array<() => void> = [];
  #lastId = 0;
  #state: 'open' | 'closed' | 'lost' = 'open';

  constructor(end: MessageChannelEnd) {
    this.#end = end;
    end.onMessage((raw) => this.#take(raw));
    end.onClose(() => this.#finish('lost'));
  }

  request<N extends RequestName>(
    name: N,
    params: unknown,
    options?: Parameters<Connection['request']>[2],
  ): Promise<RequestResult<N>> {
    return new Promise((resolve, reject) => {
      const signal = options?.signal;
      if (this.#state !== 'open') return reject(closedError());
      if (signal?.aborted) return reject(cancelledRequest());
      const settle = () => signal?.removeEventListener('abort', onAbort);
      const id = this.#add({
        type: 'result',
        schema: requests[name].result,
        take(value) {
          settle();
          resolve(value as RequestResult<N>);
        },
        fail(error) {
          settle();
          reject(error);
        },
      });
      const onAbort = () => {
        if (!this.#calls.has(id)) return;
        this.#end.post({ type: 'cancel', id });
        this.#fail(id, cancelledRequest());
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#post(id, { type: 'request', id, name, params });
    });
  }

  subscribe<T extends StreamTopic>(
    topic: T,
    params: unknown,
    onEvent: (event: StreamEvent<T>) => void,
    onError?: (error: Error) => void,
  ): () => void {
    if (this.#state !== 'open') {
      // Call it only after this function has returned.
      Promise.resolve().then(() => onError?.(closedError()));
      return () => {};
    }
    const id = this.#add({
      type: 'event',
      schema: streams[topic].event,
      take: (value) => onEvent(value as StreamEvent<T>),
      fail: (error) => onError?.(error),
    });
    this.#post(id, { type: 'subscribe', id, topic, params });
    return () => {
      if (this.#calls.delete(id)) this.#end.post({ type: 'unsubscribe', id });
    };
  }

  onClose(listener: () => void): void {
    if (this.#state === 'lost') Promise.resolve().then(listener);
    else this.#closeListeners.push(listener);
  }

  close(): void {
    this.#finish('closed');
    this.#end.close();
  }

  #add(call: Call): number {
    this.#lastId += 1;
    this.#calls.set(this.#lastId, call);
    return this.#lastId;
  }

  /** Parameters that a transport cannot carry, such as a function, fail only their own call. */
  #post(id: number, message: ClientMessage): void {
    try {
      this.#end.post(message);
    } catch (error) {
      this.#fail(
        id,
        new SpillwayError('usage', `This can't be sent to the host: ${error}`, 'send plain values'),
      );
    }
  }

  #take(raw: unknown): void {
    if (this.#state !== 'open') return;
    const parsed = HostMessage.safeParse(raw);
    const id = parsed.success ? parsed.data.id : idOf(raw);
    const call = id === undefined ? undefined : this.#calls.get(id);
    // Ignore answers to cancelled calls, and unknown ids.
    if (id === undefined || !call) return;
    const answer = answerTo(call, parsed);
    if ('value' in answer) {
      if (call.type === 'result') this.#calls.delete(id);
      call.take(answer.value);
      return;
    }
    if (!answer.isFromHost && call.type === 'event') this.#end.post({ type: 'unsubscribe', id });
    this.#fail(id, answer.error);
  }

  /** Removes the call, so that later messages for it are ignored. */
  #fail(id: number, error: SpillwayError): void {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    call?.fail(error);
  }

  #finish(next: 'closed' | 'lost'): void {
    if (this.#state !== 'open') return;
    this.#state = next;
    for (const id of [...this.#calls.keys()]) this.#fail(id, closedError());
    if (next === 'lost') for (const listener of this.#closeListeners) listener();
  }
}

/** `isTold`: the host itself failed the call. */
type Answer = { value: unknown } | { error: SpillwayError; isFromHost: boolean };

function answerTo({ type, schema }: Call, parsed: z.ZodSafeParseResult<HostMessage>): Answer {
  const refused = (problem: string) => ({ error: badMessage(problem), isFromHost: false });
  if (!parsed.success) return refused(firstProblem(parsed.error));
  const message = parsed.data;
  if (message.type === 'error') return { error: fromWire(message.error), isFromHost: true };
  if (message.type !== type) return refused(`expected ${type}, received ${message.type}`);
  const value = schema.safeParse(message.type === 'result' ? message.result : message.event);
  return value.success ? { value: value.data } : refused(firstProblem(value.error));
}

function closedError(): SpillwayError {
  return new SpillwayError('cancelled', 'The connection to Spillway is closed', 'open it again and retry');
}

function badMessage(problem: string): SpillwayError {
  return new SpillwayError(
    'internal',
    `The host sent something this window does not understand (${problem})`,
    'reload the window, and report this if it comes back: it is a defect in Spillway',
  );
}
