/** Watches texts for a person who does something else: a line that matches, the end of a command, silence. */

import { useEffect } from 'react';
import * as z from 'zod';
import type { Connection } from '../../shared/api/api.ts';
import { DocumentRef } from '../../shared/api/rows.ts';
import { SearchQuery } from '../../shared/search-query.ts';
import { formatCount, plural } from '../../shared/text/format.ts';
import { settingsKey } from '../library/artifact-facts.ts';
import type { LibraryStore } from '../library/library-store.ts';
import { jsonOf, persisted } from '../ui/state/store.ts';

/** A text, and the events to notify of. */
const Watch = z.object({
  document: DocumentRef,
  /** Its name in notifications. */
  name: z.string(),
  /** Notify of further lines that it finds; null for none. */
  query: SearchQuery.nullable(),
  /** Notify when the command ends. */
  end: z.boolean(),
  /** Notify when nothing was written for so many seconds; null for never. */
  silence: z.number().nullable(),
});
export type Watch = z.infer<typeof Watch>;

type Event = 'end' | 'silence' | 'lines';

export interface Happened {
  watch: Watch;
  event: Event;
  text: string;
}

/** Each follows a text on the host. */
const MAX_WATCHES = 50;

export type Watches = Readonly<Record<string, Watch>>;

/** By `settingsKey`, so that a watch of a file also holds for the next file at its path. They outlast the window. */
export const watches = persisted<Watches>('spillway.watches', readWatches, true);

/** Skips what is invalid, or from a later version. */
export function readWatches(text: string | null): Watches {
  const read = Object.entries(Object(jsonOf(text))).flatMap(([key, value]) => {
    const { success, data } = Watch.safeParse(value);
    return success ? [[key, data] as const] : [];
  });
  return Object.fromEntries(read.slice(-MAX_WATCHES));
}

/** Adds a watch in place of the one of its text; null ends it. */
export function setWatch(key: string, watch: Watch | null): void {
  const { [key]: _, ...others } = watches.get();
  const all = [...Object.entries(others), ...(watch ? [[key, watch] as const] : [])];
  watches.set(Object.fromEntries(all.slice(-MAX_WATCHES)));
}

/** Keeps the watches running while their texts are listed, and calls `onHappened` with what happens. */
export function useWatches(
  connection: Connection | null,
  library: LibraryStore,
  onHappened: (happened: Happened) => void,
): void {
  useEffect(() => {
    if (!connection) return;
    const running = new Map<string, () => void>();
    const follow = () => {
      const wanted = listedWatches(watches.get(), library);
      for (const [name, stop] of running) {
        if (wanted.has(name)) continue;
        stop();
        running.delete(name);
      }
      for (const [name, { key, watch }] of wanted) {
        if (running.has(name)) continue;
        const tell = (text: string, event: Event) => onHappened({ watch, event, text });
        running.set(
          name,
          startWatch(connection, watch, tell, () => setWatch(key, null)),
        );
      }
    };
    const relist = () => {
      const { structure } = library.state();
      if (structure !== known && Object.keys(watches.get()).length > 0) follow();
      known = structure;
    };
    let known = library.state().structure;
    follow();
    const stops = [watches.subscribe(follow), library.subscribe(relist)];
    return () => {
      for (const stop of [...stops, ...running.values()]) stop();
    };
  }, [connection, library, onHappened]);
}

/** Returns the watches of listed texts, each under a name that changes with it and with the id of the text. */
function listedWatches(all: Watches, library: LibraryStore) {
  const wanted = new Map<string, { key: string; watch: Watch }>();
  const left = new Map(Object.entries(all));
  for (const { artifact } of library.sorted) {
    if (left.size === 0) break;
    const key = settingsKey(artifact);
    const kept = left.get(key);
    if (!kept) continue;
    left.delete(key);
    const watch = { ...kept, document: { ...kept.document, artifact_id: artifact.artifact_id } };
    wanted.set(JSON.stringify([key, watch]), { key, watch });
  }
  return wanted;
}

/**
 * Returns a function that stops it.
 *
 * @param onEnd called once the command has ended: nothing more happens to its text
 */
export function startWatch(
  connection: Connection,
  watch: Watch,
  tell: (text: string, event: Event) => void,
  onEnd: () => void = () => {},
): () => void {
  const { document, name, query, end, silence } = watch;
  const stops: (() => void)[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  if (end || silence !== null) {
    // It may have ended while no window was open.
    let wasRunning = end;
    let bytes: number | null = null;
    const stop = connection.subscribe(
      'document',
      document,
      ({ artifact: { kind, status, exit_code }, total_bytes }) => {
        const isRunning = status === 'running';
        if (end && wasRunning && !isRunning) {
          tell(
            `${name} ended: ${exit_code === null ? status : `${status}, exit status ${exit_code}`}`,
            'end',
          );
          onEnd();
        }
        wasRunning = isRunning;
        if (silence === null || total_bytes === bytes) return;
        bytes = total_bytes;
        clearTimeout(timer);
        // A command that has ended writes nothing more.
        if (isRunning || kind === 'file')
          timer = setTimeout(
            () => tell(`Nothing was written to ${name} for ${plural(silence, 'second')}`, 'silence'),
            silence * 1000,
          );
      },
      () => {},
    );
    stops.push(stop);
  }
  if (query) {
    let known: { generation: number; count: number } | null = null;
    let more = 0;
    const stop = connection.subscribe(
      'search',
      { document, query },
      ({ generation, match_count: count, done }) => {
        // Only further lines count. If the text was replaced, all of its lines are new.
        if (known === null) {
          if (done) known = { generation, count };
          return;
        }
        const isSame = known.generation === generation;
        const before = isSame ? known.count : 0;
        if (!isSame) more = 0;
        known = { generation, count };
        if (count <= before) return;
        more += count - before;
        tell(
          `${formatCount(more)} more ${more === 1 ? 'line matches' : 'lines match'} “${query.pattern}” in ${name}`,
          'lines',
        );
      },
      () => {},
    );
    stops.push(stop);
  }
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}

/** Asks the person whether the system may show notifications; call it from a click. */
export function askToNotify(): void {
  if ('Notification' in globalThis && Notification.permission === 'default')
    void Notification.requestPermission();
}

/** Shows a notification of the system if the person looks elsewhere and allows it. */
export function notifyElsewhere(text: string, onClick: () => void): void {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted' || document.hasFocus()) return;
  // Each window of the browser asks for it; one is shown.
  const shown = new Notification('Spillway', { body: text, tag: text });
  shown.onclick = () => {
    window.focus();
    shown.close();
    onClick();
  };
}
