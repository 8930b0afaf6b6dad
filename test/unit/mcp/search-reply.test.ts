/** The size of replies of `search_outputs`. */
import { expect, test } from 'vitest';
import type { WithArchive } from '../../../electron/mcp/tools/list-outputs.ts';
import { searchOutputs } from '../../../electron/mcp/tools/search-outputs.ts';
import type { FoundOutputs } from '../../../shared/search-outputs.ts';

const MOST_BYTES = 4096;
const ids = Array.from(
  { length: 40 },
  (_, i) => `cmd-make-2026-01-13T10-30-00-${String(i).padStart(6, '0')}`,
);

/** Finds a line in each output, page by page; a cursor is the index of the next one. */
const host: Pick<WithArchive, 'searchOutputs'> = {
  async searchOutputs({ limit = 20, cursor = '0' }): Promise<FoundOutputs> {
    const from = Number(cursor);
    const lines = [{ shape: 'x', count: 1, line_number: 1, text: 'an error' }];
    return {
      outputs: ids.slice(from, from + limit).map((artifact_id) => ({
        ...{ artifact_id, label: 'make', status: 'failed', exit_code: 2, started_at: null },
        ...{ match_count: 1, lines, truncated: false },
      })),
      ...{ shapes: [], match_count: limit, searched: limit, unsearched: 0, timed_out: false },
      next_cursor: from + limit < ids.length ? String(from + limit) : null,
    };
  },
};

test('more outputs than a reply holds come in pages, none left out', async () => {
  const tool = searchOutputs(host as WithArchive);
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const { content } = await tool.call(
      { pattern: 'error', limit: 1000, ...(cursor === undefined ? {} : { cursor }) },
      {
        ...{ access: 'agent', signal: new AbortController().signal, client: null, report: () => {} },
        budget: { usualBytes: MOST_BYTES, mostBytes: MOST_BYTES },
      },
    );
    const texts = content.map((block) => (block.type === 'text' ? block.text : ''));
    expect(Buffer.byteLength(texts.join(''))).toBeLessThanOrEqual(MOST_BYTES);
    const { outputs, next_cursor } = JSON.parse(texts[0]!);
    found.push(...outputs.map((one: { artifact_id: string }) => one.artifact_id));
    for (const id of found.slice(-outputs.length)) expect(texts[1]).toContain(`[${id}, make: 1 match]`);
    cursor = next_cursor;
  } while (cursor !== undefined);
  expect(found).toEqual(ids);
});
