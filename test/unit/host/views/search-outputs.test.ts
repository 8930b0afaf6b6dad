/** A search over outputs of which some can be read only in part, too slowly, or not at all. */
import { expect, it, vi } from 'vitest';
import { searchOutputs } from '../../../../electron/host/views/search-outputs.ts';
import { cursorOf } from '../../../../electron/library/catalogue.ts';
import { SpillwayError } from '../../../../shared/errors.ts';
import type { View } from '../../../../shared/views.ts';
import { artifactOf } from '../../../fixtures/library/artifacts.ts';

it('keeps what was found in an output that cannot be searched to its end', async () => {
  const outputs = ['cmd-part-1', 'cmd-none-1'].map((id) => artifactOf(id));
  const found = await searchOutputs(
    { pattern: 'refused' },
    {
      list: async () => ({ outputs, next_cursor: null }),
      inspect: async ({ artifact_id }) => {
        const count = artifact_id === 'cmd-part-1' ? 1 : 0;
        const content = count === 1 ? '7:connection refused' : '';
        return { mode: 'grep', content, match_count: count, matches_shown: count, unsearched: true } as View;
      },
    },
  );
  expect(found).toMatchObject({ match_count: 1, searched: 1, unsearched: 1 });
  expect(found.outputs).toMatchObject([{ artifact_id: 'cmd-part-1', lines: [{ line_number: 7 }] }]);
});

it('gives up a slow output, begins none after a while, and says where to go on', async () => {
  const outputs = ['slow', 'b', 'c', 'd', 'e', 'f'].map((id) => artifactOf(`cmd-${id}-1`));
  const late = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal);
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  const empty = { mode: 'grep', content: '', match_count: 0, matches_shown: 0, timed_out: false } as View;
  const search = (surface?: 'command line') =>
    searchOutputs(
      { pattern: 'refused' },
      {
        list: async () => ({ outputs, next_cursor: null }),
        inspect: async ({ artifact_id }, options) => {
          if (surface) options?.signal?.throwIfAborted();
          if (surface) return empty;
          if (artifact_id !== 'cmd-slow-1') {
            await new Promise(setImmediate);
            return empty;
          }
          await new Promise(setImmediate);
          clock.mockReturnValue(31_000);
          late.abort();
          options?.signal?.throwIfAborted();
          throw new SpillwayError('internal', 'not aborted', '');
        },
      },
      surface ? { surface } : {},
    ).catch((error: Error) => error);
  expect(await search()).toMatchObject({
    ...{ searched: 3, unsearched: 1, slow: ['cmd-slow-1'], next_cursor: cursorOf(outputs[3]!) },
  });
  // A person waits as long as they like.
  expect(await search('command line')).toMatchObject({ searched: 6, unsearched: 0, next_cursor: null });
  vi.restoreAllMocks();
});
