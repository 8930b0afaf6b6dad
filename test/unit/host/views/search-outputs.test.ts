/** A search over outputs of which one can be read only in part, and one not at all. */
import { expect, it } from 'vitest';
import { searchOutputs } from '../../../../electron/host/views/search-outputs.ts';
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
