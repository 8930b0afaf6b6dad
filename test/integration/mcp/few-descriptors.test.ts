/** An MCP server that may open few files runs every command, recorded, however many are asked for at once. */
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cliEntry, makePlace, type Place } from '../../fixtures/cli.ts';
import { capturesIn, storedBytes } from '../../fixtures/library/captured.ts';
import { connectClient } from '../../fixtures/mcp/client.ts';
import { caller } from '../../fixtures/mcp/run.ts';

let place: Place;
beforeEach(() => {
  place = makePlace({ minFreeBytes: 0 });
});
afterEach(() => place.remove());

test.runIf(process.platform === 'linux').each([
  ['in the background', 24, 100, true],
  ['that are waited for', 12, 56, false],
])('%s', async (_, runs, descriptors, background) => {
  const start = `ulimit -n ${descriptors}; exec "$@"`;
  const transport = new StdioClientTransport({
    command: '/bin/sh',
    args: ['-c', start, 'sh', process.execPath, cliEntry, 'mcp'],
    env: { ...(process.env as Record<string, string>), SPILLWAY_HOME: place.home },
    cwd: place.files,
    stderr: 'ignore',
  });
  const client = await connectClient(transport, '2025-11-25');
  const call = caller(client);
  const replies = await Promise.all(
    Array.from({ length: runs }, (_, run) =>
      call(
        'run_command',
        { command: `sleep 1; seq ${3000 + run}; exit 3`, background },
        { timeout: 100_000 },
      ),
    ),
  );
  expect(replies.filter(({ isError, head }) => isError || head.artifact_id === null)).toEqual([]);
  const outcomes = () => capturesIn(place.home).map(({ record }) => [record.status, record.exit_code]);
  await expect.poll(outcomes, { timeout: 30_000 }).toEqual(Array(runs).fill(['failed', 3]));
  const last = capturesIn(place.home).map((capture) =>
    storedBytes(capture, 'stdout').toString().split('\n').at(-2),
  );
  expect(last.sort()).toEqual(Array.from({ length: runs }, (_, run) => String(3000 + run)));
  await client.close();
});
