import { describe, expect, it } from 'vitest';
import { type LongLinePages, readPage } from '../../../../renderer/viewer/long-line/long-line.ts';
import type { Connection } from '../../../../shared/api/api.ts';
import { SpillwayError } from '../../../../shared/errors.ts';

const long: LongLinePages = {
  document: { artifact_id: 'a' },
  generation: 2,
  line: 7,
  row: { text: 'x', runs: null, offset: 100, bytes: 90_000, clipped: true },
};

/** Reads a page from a host that has `generation` after the read. */
function read(answers: { page: unknown; generation: number }) {
  const asked: string[] = [];
  const connection = {
    async request(name: string, params: Record<string, unknown>) {
      asked.push(name);
      if (name === 'rows') return { generation: answers.generation, start_line: 1, rows: [] };
      expect(params).toEqual({ artifact_id: 'a', offset: 500, limit: 100 });
      if (answers.page instanceof Error) throw answers.page;
      return answers.page;
    },
  } as unknown as Connection;
  const page = readPage(connection, long, { offset: 500, limit: 100 }, new AbortController().signal);
  return { page, asked };
}

describe('a page of a long line', () => {
  it('is read from the file while the line’s generation is current', async () => {
    const { page, asked } = read({ page: { content: 'yes' }, generation: 2 });
    expect(await page).toEqual({ content: 'yes' });
    // Bytes first: if the generation is unchanged after the read, it was current during it.
    expect(asked).toEqual(['read', 'rows']);
  });

  it('is an error in a new generation, even if that has bytes there', async () => {
    const past = new SpillwayError('usage', 'past the end', 'stay inside');
    for (const answer of [{ content: 'other' }, past]) {
      await expect(read({ page: answer, generation: 3 }).page).rejects.toMatchObject({ code: 'changed' });
    }
    await expect(read({ page: past, generation: 2 }).page).rejects.toBe(past);
  });
});
