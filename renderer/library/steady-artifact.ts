/** Watches one artifact for a view that is drawn as a whole: reports growth alone only once a second. */
import type { Artifact } from '../../shared/artifact.ts';
import type { LibraryStore } from './library-store.ts';

/** Milliseconds between reports of growth alone. */
const GROWTH_EVERY_MS = 1000;

interface SteadyArtifact {
  subscribe: (listener: () => void) => () => void;
  get: () => Artifact | null;
}

export function steadyArtifact(library: Pick<LibraryStore, 'get' | 'subscribe'>, id: string): SteadyArtifact {
  let shown = library.get(id);
  return {
    get: () => shown,
    subscribe(listener) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const show = () => {
        clearTimeout(timer);
        timer = undefined;
        shown = library.get(id);
        listener();
      };
      const look = () => {
        const now = library.get(id);
        if (now === shown) return;
        if (now && shown && isOnlyLonger(shown, now)) timer ??= setTimeout(show, GROWTH_EVERY_MS);
        else show();
      };
      look();
      const unsubscribe = library.subscribe(look);
      return () => {
        clearTimeout(timer);
        unsubscribe();
      };
    },
  };
}

function isOnlyLonger(before: Artifact, now: Artifact): boolean {
  return withoutSizes(before) === withoutSizes(now);
}

/** Serializes an artifact without its sizes and, for a file, its end, which is its last write. */
function withoutSizes(artifact: Artifact): string {
  const streams = artifact.streams.map(({ total_bytes, total_lines, ...stream }) => stream);
  const ended_at = artifact.kind === 'file' ? null : artifact.ended_at;
  return JSON.stringify({ ...artifact, ended_at, streams });
}
