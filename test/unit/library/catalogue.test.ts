import { expect, it } from 'vitest';
import { Catalogue } from '../../../electron/library/catalogue.ts';
import { type Listed, listed } from '../../../electron/library/files/known-file.ts';
import { artifactOf, at } from '../../fixtures/library/artifacts.ts';

/** Lists `count` artifacts, each a minute older than the last. Returns the ids of artifacts as they are made. */
function unmade(catalogue: Catalogue, count: number): string[] {
  const made: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const artifact = artifactOf(`id-${i}`, { started_at: at(count - i) });
    const one: Listed = {
      ...listed(artifact),
      get artifact() {
        made.push(artifact.artifact_id);
        return artifact;
      },
    };
    catalogue.putListed(one);
  }
  return made;
}

it('makes only the artifacts of the requested page and the one after it', () => {
  const catalogue = new Catalogue();
  const made = unmade(catalogue, 100);
  const { outputs, next_cursor } = catalogue.list({ limit: 3 });
  expect(outputs.map(({ artifact_id: id }) => id)).toEqual(['id-0', 'id-1', 'id-2']);
  expect(next_cursor).not.toBeNull();
  expect(made).toEqual(['id-0', 'id-1', 'id-2', 'id-3']);
});

it('notifies listeners without making an artifact', () => {
  const catalogue = new Catalogue();
  const made = unmade(catalogue, 100);
  const told: string[] = [];
  catalogue.watchListed((changed) => told.push(...changed.map(({ artifact_id: id }) => id)));
  expect(told).toHaveLength(100);
  expect(made).toEqual([]);
});

it('continues after the last artifact of a page, whatever was added or removed since', () => {
  const catalogue = new Catalogue();
  unmade(catalogue, 6);
  const first = catalogue.list({ limit: 2 });
  catalogue.remove('id-1');
  catalogue.put(artifactOf('new', { started_at: at(50) }));
  const second = catalogue.list({ limit: 10, cursor: first.next_cursor! });
  expect(second.outputs.map(({ artifact_id: id }) => id)).toEqual(['id-2', 'id-3', 'id-4', 'id-5']);
  expect(second.next_cursor).toBeNull();
});

it('lists artifacts without a time last', () => {
  const catalogue = new Catalogue();
  catalogue.put(artifactOf('untimed', { started_at: null }));
  catalogue.put(artifactOf('timed'));
  expect(catalogue.all().map(({ artifact_id: id }) => id)).toEqual(['timed', 'untimed']);
  const { next_cursor } = catalogue.list({ limit: 1 });
  expect(catalogue.list({ cursor: next_cursor! }).outputs[0]?.artifact_id).toBe('untimed');
});
