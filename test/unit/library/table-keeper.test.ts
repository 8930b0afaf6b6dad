/** How much of a processor's time the tables take that a host makes ahead. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type MessageTables, TableKeeper } from '../../../electron/host/library/message-tables.ts';
import type { Artifact } from '../../../shared/artifact.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const ended = (id: number, change: Partial<Artifact> = {}) => {
  const ended_at = new Date(Date.UTC(2026, 0, 13, 10, id)).toISOString();
  return { artifact_id: `cmd-${id}`, kind: 'cmd', status: 'succeeded', ended_at, ...change } as Artifact;
};

/** Tables that take so many milliseconds each. */
function makingIn(ms: number, keeps = true) {
  const made: { id: string; at: number }[] = [];
  const make = async (id: string) => {
    made.push({ id, at: performance.now() });
    await new Promise((resolve) => setTimeout(resolve, ms));
    return true;
  };
  return { made, tables: { keeps, make } as unknown as MessageTables };
}

it('rests after each table, so that all of them take 3 % of the time, and makes the last ones first', async () => {
  const { made, tables } = makingIn(400);
  const keeper = new TableKeeper(tables);
  for (const id of [1, 3, 2]) keeper.put(ended(id));
  await vi.advanceTimersByTimeAsync(100_000);
  expect(made.map(({ id }) => id)).toEqual(['cmd-3', 'cmd-2', 'cmd-1']);
  for (const [i, { at }] of made.entries())
    if (i > 0) expect(400 / (at - made[i - 1]!.at)).toBeLessThanOrEqual(0.03);
  await keeper.close();
});

it('makes none of what runs, of what was removed, of files, or where captures hardly stay', async () => {
  const { made, tables } = makingIn(1);
  const keeper = new TableKeeper(tables);
  keeper.put(ended(1, { status: 'running', ended_at: null }));
  keeper.put(ended(2, { kind: 'file' }));
  keeper.put(ended(3));
  keeper.remove('cmd-3');
  const brief = makingIn(1, false);
  const other = new TableKeeper(brief.tables);
  other.put(ended(4));
  await vi.advanceTimersByTimeAsync(100_000);
  expect([...made, ...brief.made]).toEqual([]);
  await Promise.all([keeper.close(), other.close()]);
});
