/**
 * Streams of events that a slow window can't drown in: while its transport is congested, the states of a document
 * are replaced by the newest, the library's changes merged, and of notices only the newest kept.
 */

import type { SummaryState } from '../../../shared/api/api.ts';
import { type LibraryEvent, type Notice, streams } from '../../../shared/api/api.ts';
import { type FilterState, mergeFilterStates } from '../../../shared/api/filters.ts';
import type { HistogramState } from '../../../shared/api/histogram.ts';
import type { DocumentState } from '../../../shared/api/rows.ts';
import type { AcrossEvent, SearchState } from '../../../shared/api/search.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { Changes } from '../../../shared/changes.ts';
import { MAX_EVENT_ARTIFACTS } from '../../../shared/limits.ts';
import type { Host } from '../host.ts';
import { mergeAcross } from '../search/search-across.ts';
import { knownName, validParams } from './requests.ts';

export interface EventSink {
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
export function openEventStream(topic: string, params: unknown, host: Host, sink: Sink): EventSink {
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
