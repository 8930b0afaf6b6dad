import { describe, expect, it } from 'vitest';
import type { Document } from '../../../../electron/host/documents/document.ts';
import type { Generation } from '../../../../electron/host/documents/generation.ts';
import type { FoundSearch } from '../../../../electron/host/search/search-job.ts';
import { watchSearch } from '../../../../electron/host/search/window-search.ts';
import { LineSet } from '../../../../shared/line-set.ts';
import { until } from '../../../fixtures/until.ts';

/** Watches a search that finds these numbers of lines, one after the other; returns when it rested. */
async function restsOf(found: number[]): Promise<string[]> {
  const happened: string[] = [];
  let lines = new LineSet();
  const job = {
    generation: { number: 1, size: 100 } as Generation,
    get lines() {
      return lines;
    },
    results: { counts: () => [] },
    searchedBytes: 0,
    timedOut: false,
    inParts: false,
    rest: (ms: number) => happened.push(ms > 0 ? 'rests' : 'rests for no time'),
  } as unknown as FoundSearch;
  const document = {
    watch(listener: (state: object) => void) {
      listener({ generation: 1, total_bytes: 100 });
      return () => {};
    },
    use: (_: unknown, work: (generation: Generation) => Promise<void>) => work(job.generation),
  } as unknown as Document;
  const run = async (_: AbortSignal, onProgress: () => void) => {
    for (const count of found) {
      lines = new LineSet();
      lines.append(Array.from({ length: count }, (_, i) => i + 1));
      onProgress();
    }
  };
  let done = false;
  const stop = watchSearch(
    document,
    { open: () => ({ job, run }), firstRows: async () => undefined },
    (state) => {
      happened.push(`${state.match_count}${state.done ? ', done' : ''}`);
      done = state.done;
    },
    (error) => happened.push(String(error)),
  );
  await until(() => done);
  stop();
  return happened;
}

describe('a watched search', () => {
  it('rests once after its first match, for the next key', async () => {
    expect((await restsOf([0, 3, 5])).filter((what) => what.startsWith('rests'))).toEqual(['rests']);
  });

  it('does not rest without a match, or when it has ended', async () => {
    expect(await restsOf([0])).toEqual(['0', '0, done']);
    expect(await restsOf([])).toEqual(['0, done']);
  });
});
