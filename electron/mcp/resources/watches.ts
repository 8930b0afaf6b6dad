/**
 * Notifies subscribers of changed resources, with one watch of the document for all of an agent's subscriptions to
 * it.
 */
import type { DocumentState } from '../../../shared/api/rows.ts';
import type { Host } from '../../host/host.ts';
import type { Resources } from './resources.ts';

/** Milliseconds between two notices of one resource. */
const SETTLE_MS = 200;

interface Watch {
  readonly listeners: Set<() => void>;
  stop: () => void;
}

export class ResourceWatches {
  readonly #host: Host;
  readonly #resources: Resources;
  readonly #watches = new Map<string, Watch>();

  constructor(host: Host, resources: Resources) {
    this.#host = host;
    this.#resources = resources;
  }

  /** Silently ignores a resource that the agent may not read. */
  watch(uri: string, onUpdated: () => void): () => void {
    const watch = this.#watches.get(uri) ?? this.#begin(uri);
    const listener = () => onUpdated();
    watch.listeners.add(listener);
    return () => {
      watch.listeners.delete(listener);
      if (watch.listeners.size > 0 || this.#watches.get(uri) !== watch) return;
      this.#watches.delete(uri);
      watch.stop();
    };
  }

  close(): void {
    for (const watch of this.#watches.values()) watch.stop();
    this.#watches.clear();
  }

  #begin(uri: string): Watch {
    let stopped = false;
    const watch: Watch = {
      listeners: new Set(),
      stop: () => {
        stopped = true;
      },
    };
    this.#watches.set(uri, watch);
    void this.#resources.check(uri).then(
      ({ artifact_id, stream }) => {
        if (stopped) return;
        const tell = settled(() => {
          for (const listener of watch.listeners) listener();
        });
        const unwatch = this.#host.watchDocument({ artifact_id, stream }, onChange(tell.soon), () => {});
        watch.stop = () => {
          tell.stop();
          unwatch();
        };
      },
      () => {},
    );
    return watch;
  }
}

/** Calls back when the text has changed. A state that only counts more lines is not a change. */
function onChange(changed: () => void): (state: DocumentState) => void {
  let known: string | null = null;
  return (state) => {
    const now = `${state.generation} ${state.total_bytes} ${state.condition} ${state.artifact.status}`;
    if (known !== null && now !== known) changed();
    known = now;
  };
}

/** Limits `act` to once every SETTLE_MS, with one last call after the last request. */
function settled(act: () => void): { soon(): void; stop(): void } {
  let timer: NodeJS.Timeout | null = null;
  return {
    soon: () => {
      timer ??= setTimeout(() => {
        timer = null;
        act();
      }, SETTLE_MS);
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
