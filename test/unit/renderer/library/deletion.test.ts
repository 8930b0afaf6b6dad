import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { canDelete, Deletion, HELD_MS } from '../../../../renderer/library/deletion.tsx';
import { LibraryStore } from '../../../../renderer/library/library-store.ts';
import { artifactOf, fileOf } from '../../../fixtures/library/artifacts.ts';

function open(stayed: { artifact_id: string; reason: string }[] = []) {
  const library = new LibraryStore((apply) => queueMicrotask(apply));
  const artifacts = ['a', 'b', 'c'].map((id) => artifactOf(id));
  library.take({ reset: true, changed: [...artifacts, artifactOf('kept', { pinned: true })], removed: [] });
  const asked: unknown[] = [];
  const states: { held: string[]; problem: string | null }[] = [];
  const deletion = new Deletion(library, ({ held, problem }) =>
    states.push({ held: held.map(({ artifact_id }) => artifact_id), problem }),
  );
  deletion.connection = {
    request: async (_: string, { artifact_ids }: { artifact_ids: string[] }) => {
      asked.push(artifact_ids);
      const gone = artifact_ids.filter((id) => stayed.every(({ artifact_id }) => artifact_id !== id));
      library.take({ reset: false, changed: [], removed: gone });
      return { stayed };
    },
  } as never;
  const listed = () =>
    library.sorted
      .map(({ id }) => id)
      .sort()
      .join('');
  return { library, deletion, asked, states, listed };
}

describe('captures deleted in the list', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are no longer listed at once, and removed after ten seconds', async () => {
    const { deletion, asked, listed } = open();
    deletion.remove(['a', 'b', 'kept']);
    expect([listed(), asked]).toEqual(['ckept', []]);
    await vi.advanceTimersByTimeAsync(HELD_MS);
    expect([listed(), asked]).toEqual(['ckept', [['a', 'b']]]);
  });

  it('come back by Undo, and a change meanwhile does not list them', async () => {
    const { library, deletion, asked, listed } = open();
    deletion.remove(['a']);
    library.take({ reset: false, changed: [artifactOf('a', { label: 'changed' })], removed: [] });
    await vi.advanceTimersByTimeAsync(0);
    expect(listed()).toBe('bckept');
    deletion.undo();
    expect(listed()).toBe('abckept');
    await vi.advanceTimersByTimeAsync(HELD_MS);
    expect(asked).toEqual([]);
  });

  it('are removed when others are deleted, and listed again if they stay', async () => {
    const { deletion, asked, states, listed } = open([{ artifact_id: 'a', reason: 'running' }]);
    deletion.remove(['a']);
    deletion.remove(['b']);
    await vi.advanceTimersByTimeAsync(0);
    expect([asked, listed()]).toEqual([[['a']], 'ackept']);
    expect(states.at(-1)).toEqual({ held: ['b'], problem: '1 capture could not be deleted: it is running' });
  });

  it('are finished captures of ours that nobody pinned', () => {
    expect(canDelete(artifactOf('a'))).toBe(true);
    for (const change of [{ pinned: true }, { status: 'running' as const }, { source: 'claude-code' }])
      expect(canDelete(artifactOf('a', change))).toBe(false);
    expect(canDelete(fileOf('/a.log', '/'))).toBe(false);
  });
});
