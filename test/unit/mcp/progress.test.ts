/** Progress of calls that report nothing themselves, such as a summary of a large file. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { callTool } from '../../../electron/mcp/call-tool.ts';
import type { Tool } from '../../../electron/mcp/tools/tool.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const SECONDS = 3.5;
const slow = {
  definition: { name: 'slow' },
  call: () =>
    new Promise((resolve) => {
      setTimeout(() => resolve({ content: [{ type: 'text', text: 'done' }] }), SECONDS * 1000);
    }),
} as unknown as Tool;

async function progressOf(progressToken: string | undefined): Promise<number[]> {
  const heard: number[] = [];
  const notify = async ({ params }: { params: Record<string, unknown> }) => {
    heard.push(Number(params.progress));
  };
  const meta = progressToken === undefined ? {} : { progressToken };
  const mcpReq = { _meta: meta, signal: new AbortController().signal, notify };
  const budget = { usualBytes: 1000, mostBytes: 1000 };
  const called = callTool(slow, {}, { mcpReq }, { client: null, budget, secrets: null }, () => {});
  await vi.advanceTimersByTimeAsync(SECONDS * 1000 + 1000);
  await called;
  return heard;
}

test('a call of over a second reports every second that it goes on', async () => {
  expect((await progressOf('token')).map(Math.round)).toEqual([1, 2, 3]);
});

test('a client that did not request progress gets none', async () => {
  expect(await progressOf(undefined)).toEqual([]);
});
