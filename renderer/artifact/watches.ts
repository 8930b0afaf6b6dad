/** Watches texts for a person who does something else: a line that matches, the end of a command, silence. */

import { useEffect } from 'react';
import type { Connection } from '../../shared/api/api.ts';
import type { DocumentRef } from '../../shared/api/rows.ts';
import type { SearchQuery } from '../../shared/search-query.ts';
import { formatCount, plural } from '../../shared/text/format.ts';
import { createStore } from '../ui/state/store.ts';

export interface Watch {
  document: DocumentRef;
  /** Its name in notifications. */
  name: string;
  /** Notify of further lines that it finds; null for none. */
  query: SearchQuery | null;
  /** Notify when the command ends. */
  end: boolean;
  /** Notify when nothing was written for so many seconds; null for never. */
  silence: number | null;
}

export interface Happened {
  watch: Watch;
  text: string;
}

/** The watches of this window, by their texts. They last until it is closed or reloaded. */
export const watches = createStore<ReadonlyMap<string, Watch>>(new Map());

export function watchKey(document: DocumentRef): string {
  return JSON.stringify(document);
}

/** Adds a watch in place of the one of its text; null ends it. */
export function setWatch(document: DocumentRef, watch: Watch | null): void {
  const all = new Map(watches.get());
  if (watch) all.set(watchKey(document), watch);
  else all.delete(watchKey(document));
  watches.set(all);
}

/** Keeps the watches running, and calls `onHappened` with what happens. */
export function useWatches(connection: Connection | null, onHappened: (happened: Happened) => void): void {
  useEffect(() => {
    if (!connection) return;
    const running = new Map<Watch, () => void>();
    const follow = () => {
      const wanted = new Set(watches.get().values());
      for (const [watch, stop] of running) {
        if (wanted.has(watch)) continue;
        stop();
        running.delete(watch);
      }
      for (const watch of wanted) {
        if (running.has(watch)) continue;
        running.set(
          watch,
          startWatch(connection, watch, (text) => onHappened({ watch, text })),
        );
      }
    };
    follow();
    const stopFollowing = watches.subscribe(follow);
    return () => {
      stopFollowing();
      for (const stop of running.values()) stop();
    };
  }, [connection, onHappened]);
}

/** Returns a function that stops it. */
export function startWatch(connection: Connection, watch: Watch, tell: (text: string) => void): () => void {
  const { document, name, query, end, silence } = watch;
  const stops: (() => void)[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  if (end || silence !== null) {
    let wasRunning: boolean | null = null;
    let bytes: number | null = null;
    const stop = connection.subscribe(
      'document',
      document,
      ({ artifact: { kind, status, exit_code }, total_bytes }) => {
        const isRunning = status === 'running';
        if (end && wasRunning && !isRunning)
          tell(`${name} ended: ${exit_code === null ? status : `${status}, exit status ${exit_code}`}`);
        wasRunning = isRunning;
        if (silence === null || total_bytes === bytes) return;
        bytes = total_bytes;
        clearTimeout(timer);
        // A command that has ended writes nothing more.
        if (isRunning || kind === 'file')
          timer = setTimeout(
            () => tell(`Nothing was written to ${name} for ${plural(silence, 'second')}`),
            silence * 1000,
          );
      },
      () => {},
    );
    stops.push(stop);
  }
  if (query) {
    let known: { generation: number; count: number } | null = null;
    const stop = connection.subscribe(
      'search',
      { document, query },
      ({ generation, match_count: count, done }) => {
        // Only further lines count. If the text was replaced, all of its lines are new.
        if (known === null) {
          if (done) known = { generation, count };
          return;
        }
        const before = known.generation === generation ? known.count : 0;
        known = { generation, count };
        if (count > before)
          tell(
            `${formatCount(count - before)} more ${count - before === 1 ? 'line matches' : 'lines match'} “${query.pattern}” in ${name}`,
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
  const shown = new Notification('Spillway', { body: text });
  shown.onclick = () => {
    window.focus();
    shown.close();
    onClick();
  };
}
