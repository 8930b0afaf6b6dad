/**
 * Streams of events that a slow window can't drown in: while its transport is congested, the states of a document
 * are replaced by the newest, the library's changes merged into one, and of notices only the newest kept.
 */
import { type LibraryEvent, type Notice, streams } from '../../shared/api/api.ts';
import type { DocumentState } from '../../shared/api/rows.ts';
import type { SearchState } from '../../shared/api/search.ts';
import type { Artifact } from '../../shared/artifact.ts';
import type { Host } from './host.ts';
import { knownName, validParams } from './serve-requests.ts';

export interface Outlet {
  /** Sends what was held back, if the sink is ready. */
  flush(): void;
  /** Nothing more is sent; the host is told. */
  close(): void;
  closed(): boolean;
}

export interface Sink {
  ready(): boolean;
  event(event: unknown): void;
  /** Called at most once, as the last thing; the outlet is closed by then. */
  failed(error: unknown): void;
}

/** Errors: `usage` for a topic that is not known or bad parameters, and whatever the host throws. */
export function openStream(topic: string, params: unknown, host: Host, sink: Sink): Outlet {
  const known = knownName('stream', topic, streams);
  const valid = validParams(known, params, streams[known].params);
  switch (known) {
    case 'library':
      return outlet<LibraryEvent>(sink, mergeIntoOne, (event) => host.watchLibrary(event));
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
  }
}

/** What a window that saw neither has to know after both. */
export function mergeLibraryEvents(older: LibraryEvent, newer: LibraryEvent): LibraryEvent {
  if (newer.reset) return newer;
  const changed = new Map<string, Artifact>(
    older.changed.map((artifact) => [artifact.artifact_id, artifact]),
  );
  const removed = new Set(older.removed);
  for (const id of newer.removed) {
    changed.delete(id);
    removed.add(id);
  }
  for (const artifact of newer.changed) {
    removed.delete(artifact.artifact_id);
    changed.set(artifact.artifact_id, artifact);
  }
  return { reset: older.reset, changed: [...changed.values()], removed: older.reset ? [] : [...removed] };
}

/** Notices that are held back for a window; older ones are lost. */
const MAX_NOTICES = 100;

/** What is held back once `event` is held back too. */
type Keep<E> = (held: readonly E[], event: E) => E[];

const keepNewest = <E>(_: readonly E[], event: E): E[] => [event];
const keepSome: Keep<Notice> = (held, event) => [...held, event].slice(-MAX_NOTICES);
const mergeIntoOne: Keep<LibraryEvent> = ([held], event) => [held ? mergeLibraryEvents(held, event) : event];

function outlet<E>(
  sink: Sink,
  keep: Keep<E>,
  watch: (event: (event: E) => void, fail: (error: Error) => void) => () => void,
): Outlet {
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
