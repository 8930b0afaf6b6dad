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
import { type ClientMessage, HostMessage, type MessageChannelEnd } from './messages.ts';
import { firstProblem, fromWire, idOf } from './wire.ts';

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
  const calls = new Map<number, Call>();
  const closeListeners: Array<() => void> = [];
  let lastId = 0;
  let state: 'open' | 'closed' | 'lost' = 'open';

  const send = (message: ClientMessage) => end.post(message);

  /** Removes the call, so that later messages for it are ignored. */
  const fail = (id: number, error: SpillwayError) => {
    const call = calls.get(id);
    calls.delete(id);
    call?.fail(error);
  };

  const over = (next: 'closed' | 'lost') => {
    if (state !== 'open') return;
    state = next;
    for (const id of [...calls.keys()]) fail(id, closedError());
    if (next === 'lost') for (const listener of closeListeners) listener();
  };

  end.onMessage((raw) => {
    if (state !== 'open') return;
    const parsed = HostMessage.safeParse(raw);
    const id = parsed.success ? parsed.data.id : idOf(raw);
    const call = id === undefined ? undefined : calls.get(id);
    // Ignore answers to cancelled calls, and unknown ids.
    if (id === undefined || !call) return;
    const refuse = (problem: string) => {
      if (call.type === 'event') send({ type: 'unsubscribe', id });
      fail(id, badMessage(problem));
    };
    if (!parsed.success) return refuse(firstProblem(parsed.error));
    const message = parsed.data;
    if (message.type === 'error') return fail(id, fromWire(message.error));
    if (message.type !== call.type) return refuse(`expected ${call.type}, received ${message.type}`);
    const value = call.schema.safeParse(message.type === 'result' ? message.result : message.event);
    if (!value.success) return refuse(firstProblem(value.error));
    if (message.type === 'result') calls.delete(id);
    call.take(value.data);
  });
  end.onClose(() => over('lost'));

  return {
    request<N extends RequestName>(
      name: N,
      params: unknown,
      options?: Parameters<Connection['request']>[2],
    ): Promise<RequestResult<N>> {
      return new Promise((resolve, reject) => {
        const signal = options?.signal;
        if (state !== 'open') return reject(closedError());
        if (signal?.aborted) return reject(cancelledRequest());
        lastId += 1;
        const id = lastId;
        const onAbort = () => {
          if (!calls.has(id)) return;
          send({ type: 'cancel', id });
          fail(id, cancelledRequest());
        };
        calls.set(id, {
          type: 'result',
          schema: requests[name].result,
          take(value) {
            signal?.removeEventListener('abort', onAbort);
            resolve(value as RequestResult<N>);
          },
          fail(error) {
            signal?.removeEventListener('abort', onAbort);
            reject(error);
          },
        });
        signal?.addEventListener('abort', onAbort, { once: true });
        post(id, { type: 'request', id, name, params });
      });
    },

    subscribe<T extends StreamTopic>(
      topic: T,
      params: unknown,
      onEvent: (event: StreamEvent<T>) => void,
      onError?: (error: Error) => void,
    ): () => void {
      if (state !== 'open') {
        // Call it only after this function has returned.
        Promise.resolve().then(() => onError?.(closedError()));
        return () => {};
      }
      lastId += 1;
      const id = lastId;
      calls.set(id, {
        type: 'event',
        schema: streams[topic].event,
        take: (value) => onEvent(value as StreamEvent<T>),
        fail: (error) => onError?.(error),
      });
      post(id, { type: 'subscribe', id, topic, params });
      return () => {
        if (calls.delete(id)) send({ type: 'unsubscribe', id });
      };
    },

    onClose(listener) {
      if (state === 'lost') Promise.resolve().then(listener);
      else closeListeners.push(listener);
    },

    close() {
      over('closed');
      end.close();
    },
  };

  /** Parameters that a transport cannot carry, such as a function, fail only their own call. */
  function post(id: number, message: ClientMessage): void {
    try {
      send(message);
    } catch (error) {
      fail(id, new SpillwayError('usage', `This can't be sent to the host: ${error}`, 'send plain values'));
    }
  }
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
