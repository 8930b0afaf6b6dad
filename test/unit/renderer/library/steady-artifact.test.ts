import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { steadyArtifact } from '../../../../renderer/library/library-store.ts';
import { createStore } from '../../../../renderer/ui/state/store.ts';
import type { Artifact } from '../../../../shared/artifact.ts';

const grown = (total_bytes: number, more: object = {}): Artifact =>
  ({
    kind: 'file',
    status: 'finished',
    ended_at: new Date(total_bytes).toISOString(),
    streams: [{ name: 'output', total_bytes, total_lines: null, dropped_bytes: 0 }],
    ...more,
  }) as unknown as Artifact;

describe('one artifact of the list', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('reports growth once a second, and any other change at once', () => {
    const store = createStore<Artifact | null>(grown(1));
    const steady = steadyArtifact({ get: store.get, subscribe: store.subscribe }, 'file-x');
    const listener = vi.fn();
    const unsubscribe = steady.subscribe(listener);
    for (let ms = 0; ms < 3000; ms += 100) {
      store.set(grown(2 + ms));
      expect(steady.get()).toBe(steady.get());
      vi.advanceTimersByTime(100);
    }
    expect(listener).toHaveBeenCalledTimes(3);

    store.set(grown(5000, { warnings: ['It is full'] }));
    expect(listener).toHaveBeenCalledTimes(4);
    expect(steady.get()).toBe(store.get());
    store.set(null);
    expect(steady.get()).toBeNull();

    unsubscribe();
    store.set(grown(6000));
    vi.advanceTimersByTime(2000);
    expect(listener).toHaveBeenCalledTimes(5);
  });
});
