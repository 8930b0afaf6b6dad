/**
 * The host's side of the connection: one window's requests and subscriptions, answered by a Host.
 *
 *     message -> ClientMessage -> name known? -> params by schema -> queue -> Host -> result | error
 *                                                             `-> subscription -> event, event, …
 *
 * No input makes it throw or grow without bound: a limited number of requests run, a limited number wait, and the rest
 * are refused. While the transport is congested, no new work starts and events are merged (streams.ts).
 */
import type * as z from 'zod';
import {
  type Hello,
  type LibraryEvent,
  type Notice,
  requests,
  type SummaryState,
  streams,
} from '../../shared/api/api.ts';
import { type FilterState, mergeFilterStates } from '../../shared/api/filters.ts';
import type { DocumentState } from '../../shared/api/rows.ts';
import type { AcrossEvent, HistogramState, SearchState } from '../../shared/api/search.ts';
import {
  ClientMessage,
  CONGESTED_BYTES,
  clip,
  firstProblem,
  type HostMessage,
  idOf,
  type MessageChannelEnd,
  toWire,
} from '../../shared/api/wire.ts';
import { type Artifact, Changes } from '../../shared/artifact.ts';
import { cancelledRequest, SpillwayError } from '../../shared/errors.ts';
import { MAX_EVENT_ARTIFACTS } from '../../shared/limits.ts';
import { nearest } from '../../shared/text/nearest.ts';
import type { Host, RequestOptions } from './host.ts';
import { mergeAcross } from './search/search-across.ts';

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
    'see shared/api/wire.ts',
  );
}

/**
 * Streams of events that a slow window can't drown in: while its transport is congested, the states of a document
 * are replaced by the newest, the library's changes merged, and of notices only the newest kept.
 */
interface EventSink {
  /** Sends held-back events, if the sink is ready. */
  flush(): void;
  /** Stops sending, and cancels the subscription in the host. */
  close(): void;
  closed(): boolean;
}

interface Sink {
  ready(): boolean;
  event(event: unknown): void;
  /** Called at most once, as the last thing; the outlet is closed by then. */
  failed(error: unknown): void;
}

/** Errors: `usage` for a topic that is not known or bad parameters, and whatever the host throws. */
function openEventStream(topic: string, params: unknown, host: Host, sink: Sink): EventSink {
  const known = knownName('stream', topic, streams);
  const valid = validParams(known, params, streams[known].params);
  switch (known) {
    case 'library':
      return outlet<LibraryEvent>(sink, mergeIntoPages(), (event) => host.watchLibrary(event));
    case 'notices':
      return outlet<Notice>(sink, keepSome, (event) => host.watchNotices(event));
    case 'document': {
      const ref = valid as ReturnType<typeof streams.document.params.parse>;
      return outlet<DocumentState>(sink, keepNewest, (event, fail) => host.watchDocument(ref, event, fail));
    }
    case 'search': {
      const ref = valid as ReturnType<typeof streams.search.params.parse>;
      return outlet<SearchState>(sink, keepNewest, (event, fail) => host.watchSearch(ref, event, fail));
    }
    case 'filter': {
      const ref = valid as ReturnType<typeof streams.filter.params.parse>;
      return outlet<FilterState>(sink, mergeFilters, (event, fail) => host.watchFilter(ref, event, fail));
    }
    case 'search_across': {
      const ref = valid as ReturnType<typeof streams.search_across.params.parse>;
      return outlet<AcrossEvent>(sink, keepAcross, (event, fail) => host.watchAcross(ref, event, fail));
    }
    case 'summary': {
      const ref = valid as ReturnType<typeof streams.summary.params.parse>;
      return outlet<SummaryState>(sink, keepNewest, (event, fail) => host.watchSummary(ref, event, fail));
    }
    case 'histogram': {
      const ref = valid as ReturnType<typeof streams.histogram.params.parse>;
      return outlet<HistogramState>(sink, keepNewest, (event, fail) => host.watchHistogram(ref, event, fail));
    }
  }
}

/** Merges events into one with the same effect on a window that saw none of them. */
export function mergeLibraryEvents(events: readonly LibraryEvent[]): LibraryEvent {
  let reset = false;
  const changes = new Changes<Artifact>();
  for (const event of events) {
    if (event.reset) {
      reset = true;
      changes.clear();
    }
    for (const id of event.removed) changes.remove(id);
    for (const artifact of event.changed) changes.put(artifact.artifact_id, artifact);
  }
  return { reset, changed: [...changes.changed.values()], removed: reset ? [] : [...changes.removed] };
}

/** Artifacts that are new or different, and as many that went, in one event. */
const PAGE_ARTIFACTS = MAX_EVENT_ARTIFACTS / 2;
/** Notices that are held back for a window; older ones are lost. */
const MAX_NOTICES = 100;

/** Adds `event` to the events held back. */
type Keep<E> = (held: readonly E[], event: E) => E[];

const keepNewest = <E>(_: readonly E[], event: E): E[] => [event];
/** Each state has only what changed since the one before. */
const mergeFilters: Keep<FilterState> = ([held], event) => [held ? mergeFilterStates(held, event) : event];
const keepAcross: Keep<AcrossEvent> = ([held], event) => [held ? mergeAcross(held, event) : event];
const keepSome: Keep<Notice> = (held, event) => [...held, event].slice(-MAX_NOTICES);

/**
 * Merges only when the events have doubled since the last merge: a large library sends its pages one after the
 * other.
 */
function mergeIntoPages(): Keep<LibraryEvent> {
  let most = 1;
  return (held, event) => {
    const all = [...held, event];
    if (all.length <= most) return all;
    const pages = pagesOf(mergeLibraryEvents(all));
    most = 2 * pages.length - 1;
    return pages;
  };
}

/** One event as several, none too large. */
function pagesOf({ reset, changed, removed }: LibraryEvent): LibraryEvent[] {
  const pages: LibraryEvent[] = [];
  for (let at = 0; at < Math.max(1, removed.length, changed.length); at += PAGE_ARTIFACTS) {
    pages.push({
      reset: reset && at === 0,
      changed: changed.slice(at, at + PAGE_ARTIFACTS),
      removed: removed.slice(at, at + PAGE_ARTIFACTS),
    });
  }
  return pages;
}

function outlet<E>(
  sink: Sink,
  keep: Keep<E>,
  watch: (event: (event: E) => void, fail: (error: Error) => void) => () => void,
): EventSink {
  let held: E[] = [];
  let closed = false;
  let stop: (() => void) | undefined;

  const close = () => {
    if (closed) return;
    closed = true;
    held = [];
    stop?.();
  };

  stop = watch(
    (event) => {
      if (closed) return;
      if (held.length === 0 && sink.ready()) sink.event(event);
      else held = keep(held, event);
    },
    (error) => {
      if (closed) return;
      close();
      sink.failed(error);
    },
  );
  // The host may have failed it before it could say how to stop it.
  if (closed) stop();

  return {
    flush() {
      while (held.length > 0 && sink.ready()) sink.event(held.shift());
    },
    close,
    closed: () => closed,
  };
}

// Checks a request of the window, and has the host's method of its name answer it.

/** A request that was found valid and only waits to be done. */
type Work = (signal: AbortSignal) => Promise<unknown>;

/** Errors: `usage` for a name that is not known and for parameters that are not of its schema. */
function prepareRequest(name: string, params: unknown, host: Host, hello: Hello): Work {
  const known = knownName('request', name, requests);
  const valid = validParams(known, params, requests[known].params);
  const answer = (known === 'hello' ? async () => hello : host[known]) as (
    params: unknown,
    options: RequestOptions,
  ) => Promise<unknown>;
  // Async, so that a host that throws at once is a rejection like any other.
  return async (signal) => answer(valid, { signal });
}

/** `name` as one of the table's own keys. Errors: `usage`, with the nearest. */
function knownName<N extends string>(what: string, name: string, table: Record<N, unknown>): N {
  // Not `in`: `__proto__` and `constructor` name no request.
  if (Object.hasOwn(table, name)) return name as N;
  const given = clip(name, 64);
  const [near] = nearest(given, Object.keys(table), 1);
  throw new SpillwayError(
    'usage',
    `There is no ${what} called ${JSON.stringify(given)}`,
    near === undefined ? 'reload the window: it may be of another version' : `the nearest is ${near}`,
  );
}

/** Errors: `usage`, with the first thing that is wrong. */
function validParams<S extends z.ZodType>(name: string, params: unknown, schema: S): z.output<S> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  throw new SpillwayError('usage', `The parameters of ${name} are not valid`, firstProblem(parsed.error));
}
