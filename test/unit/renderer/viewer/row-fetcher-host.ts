import { vi } from 'vitest';
import { RowFetcher } from '../../../../renderer/viewer/document/row-fetcher.ts';
import type { Row, RowsResult } from '../../../../shared/api/rows.ts';
import { SpillwayError } from '../../../../shared/errors.ts';
import { ROWS_PER_BLOCK } from '../../../../shared/limits.ts';

interface Asked {
  block: number;
  signal: AbortSignal;
  answer(result: Partial<RowsResult> & { count?: number; word?: string }): void;
  fail(error: Error): void;
}

/** A row fetcher, and a host whose answers the test triggers. */
export function setUp(
  state: Parameters<RowFetcher['update']>[0] | null = {
    generation: 1,
    total_lines: 100_000,
    total_bytes: 5_000_000,
  },
  unsettledRows?: number,
) {
  const asked: Asked[] = [];
  const onChange = vi.fn();
  const fetcher = new RowFetcher(
    (startLine, _count, signal) =>
      new Promise<RowsResult>((resolve, reject) => {
        signal.addEventListener('abort', () =>
          reject(new SpillwayError('cancelled', 'cancelled', 'ask again')),
        );
        asked.push({
          block: (startLine - 1) / ROWS_PER_BLOCK,
          signal,
          answer: ({ count = ROWS_PER_BLOCK, word = 'line', ...rest }) =>
            resolve({ generation: 1, start_line: startLine, rows: rows(startLine, count, word), ...rest }),
          fail: reject,
        });
      }),
    onChange,
    undefined,
    unsettledRows,
  );
  if (state) fetcher.update(state);
  return { fetcher, asked, onChange };
}

export const rows = (startLine: number, count: number, word: string): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    text: `${word} ${startLine + index}`,
    runs: null,
    offset: 0,
    bytes: 0,
    clipped: false,
  }));

/** Resolves after everything that the answers so far set off. */
export const settled = () => new Promise((resolve) => setImmediate(resolve));
export const row = (block: number, within = 0) => block * ROWS_PER_BLOCK + within;
