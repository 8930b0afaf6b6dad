import { describe, expect, it, vi } from 'vitest';
import { renamedTo } from '../../../../renderer/artifact/Bars.tsx';
import { LibraryStore, wordsIn } from '../../../../renderer/library/library-store.ts';
import type { Artifact } from '../../../../shared/artifact.ts';
import fc from '../../../fixtures/fast-check.ts';
import { artifactOf, at, fileOf, streamOf } from '../../../fixtures/library/artifacts.ts';

/** A library whose animation frames the test triggers. */
function setUp() {
  const frames: Array<() => void> = [];
  const library = new LibraryStore((run) => frames.push(run));
  const told = vi.fn();
  library.subscribe(told);
  const frame = () => {
    for (const run of frames.splice(0)) run();
  };
  const change = (changed: Artifact[], removed: string[] = []) =>
    library.take({ reset: false, changed, removed });
  const ids = () => library.sorted.map(({ id }) => id);
  return { library, frames, frame, told, change, ids };
}

const first = artifactOf('a', { started_at: at(0) });
const second = artifactOf('b', { started_at: at(60) });

describe('the library', () => {
  it('tells an empty list from one that has not arrived', () => {
    const { library } = setUp();
    expect(library.state()).toMatchObject({ known: false, total: 0 });
    library.take({ reset: true, changed: [], removed: [] });
    expect(library.state()).toMatchObject({ known: true, total: 0 });
  });

  it('shows the first artifacts at once, newest first, and applies later changes once a frame', () => {
    const { library, frames, frame, told, change, ids } = setUp();
    library.take({ reset: true, changed: [first, second], removed: [] });
    expect(ids()).toEqual(['b', 'a']);
    expect(told).toHaveBeenCalledTimes(1);
    for (let minute = 1; minute <= 1000; minute += 1)
      change([artifactOf(`c${minute % 10}`, { started_at: at(minute % 10) })]);
    expect(frames).toHaveLength(1);
    expect(told).toHaveBeenCalledTimes(1);
    frame();
    expect(told).toHaveBeenCalledTimes(2);
    expect(library.state().total).toBe(12);
  });

  it('shows an artifact’s last state, also after it was removed and added again', () => {
    const { library, frame, change } = setUp();
    library.take({ reset: true, changed: [first, second], removed: [] });
    change([{ ...first, status: 'running' }]);
    change([{ ...first, status: 'failed' }], ['b']);
    change([second], ['a']);
    frame();
    expect(library.get('a')).toBeNull();
    expect(library.get('b')).toBe(second);
  });

  it('keeps the order when an artifact only grew', () => {
    const { library, frame, change } = setUp();
    const growing = artifactOf('g', { streams: [streamOf('output', 1)] });
    library.take({ reset: true, changed: [first, growing], removed: [] });
    const { structure, version } = library.state();
    const { sorted } = library;
    const grown = { ...growing, ended_at: at(90), streams: [streamOf('output', 2)] };
    change([grown]);
    frame();
    expect(library.state().structure).toBe(structure);
    expect(library.state().version).toBeGreaterThan(version);
    expect(library.sorted).toBe(sorted);
    expect(library.get('g')).toBe(grown);
  });

  it('reports changes to how an artifact is found, grouped or counted', () => {
    const changes: Array<Partial<Artifact>> = [
      { status: 'failed' },
      { session: 's' },
      { source: '/x' },
      { label: 'other' },
      { command: 'make', args: ['a'] },
      { args: ['b'] },
      { args: ['b', 'c'] },
      { streams: [streamOf('output', 1, '/elsewhere')] },
    ];
    const { library, frame, change } = setUp();
    library.take({ reset: true, changed: [first], removed: [] });
    let now = first;
    for (const part of changes) {
      const { structure } = library.state();
      const before = wordsIn(library.sorted[0]!);
      now = { ...now, ...part };
      change([now]);
      frame();
      expect(library.state().structure, JSON.stringify(part)).toBe(structure + 1);
      if ('label' in part) expect(wordsIn(library.sorted[0]!)).not.toBe(before);
    }
  });

  it('moves an artifact whose time changed', () => {
    const { library, frame, change, ids } = setUp();
    library.take({ reset: true, changed: [first, second], removed: [] });
    change([{ ...first, started_at: at(90) }]);
    frame();
    expect(ids()).toEqual(['a', 'b']);
  });

  it('starts over after a reset, and drops waiting changes', () => {
    const { library, frame, change, ids } = setUp();
    library.take({ reset: true, changed: [first], removed: [] });
    change([artifactOf('waiting')]);
    library.take({ reset: true, changed: [second], removed: [] });
    frame();
    expect(ids()).toEqual(['b']);
  });

  it('equals the sum of any events, newest first', () => {
    const some = fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      minute: fc.integer({ min: 0, max: 3 }),
    });
    const step = fc.oneof(
      fc.constant('frame' as const),
      fc.record({
        reset: fc.boolean(),
        changed: fc.uniqueArray(some, { selector: ({ id }) => id, maxLength: 4 }),
        removed: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 3 }),
      }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const { library, frame } = setUp();
        const expected = new Map<string, string>();
        for (const each of steps) {
          if (each === 'frame') {
            frame();
            continue;
          }
          const changed = each.changed.map(({ id, minute }) => artifactOf(id, { started_at: at(minute) }));
          library.take({ ...each, changed });
          if (each.reset) expected.clear();
          else for (const id of each.removed) expected.delete(id);
          for (const { artifact_id, started_at } of changed) expected.set(artifact_id, started_at!);
        }
        frame();
        const right = [...expected].sort(([a, x], [b, y]) => (x === y ? (a < b ? -1 : 1) : x < y ? 1 : -1));
        expect(library.sorted.map(({ id, time }) => [id, time])).toEqual(right);
        expect(library.state().total).toBe(right.length);
        for (const [id, time] of right) expect(library.get(id)?.started_at).toBe(time);
      }),
    );
  });
});

describe('a file that no longer exists at its path', () => {
  const artifact = fileOf('/logs/app.log', '/logs', { started_at: at(5) });
  const born = { started_at: at(5) };

  /** Returns the path that `file` seems to be renamed to if `others` were just listed. */
  function found(others: Artifact[], gone: { since?: number; at?: number } = {}) {
    const { library, frame, change } = setUp();
    library.take({ reset: true, changed: [], removed: [] });
    change(others);
    frame();
    const renamed = renamedTo(library.sorted, { artifact, since: 0, at: Date.now(), ...gone });
    return renamed?.artifact_id ?? null;
  }

  it('is found under its new name by its birth time', () => {
    expect(found([fileOf('/logs/app.log.1', '/logs', born)])).toBe('file /logs/app.log.1');
  });

  it('is not taken for another file', () => {
    expect(found([fileOf('/logs/other.log', '/logs', { started_at: at(6) })])).toBeNull();
    expect(found([fileOf('/logs/app.log', '/logs', born)])).toBeNull();
    const small = { ...born, streams: [streamOf('output', 99, '/logs/small.log')] };
    expect(found([fileOf('/logs/small.log', '/logs', small)])).toBeNull();
    expect(found([fileOf('/logs/1', '/logs', born), fileOf('/logs/2', '/logs', born)])).toBeNull();
  });

  it('is not an older file, nor one that appeared together with it', () => {
    const twin = [fileOf('/logs/twin.log', '/logs', born)];
    expect(found(twin, { at: Date.now() + 60_000 })).toBeNull();
    expect(found(twin, { since: Date.now() + 1000 })).toBeNull();
  });
});
