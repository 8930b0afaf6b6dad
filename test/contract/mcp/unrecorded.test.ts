/** What MCP says where output cannot be recorded: no room on the disk, or a home that cannot be written. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectClient, REVISIONS, socketTransport } from '../../fixtures/mcp/client.ts';
import { type Call, caller } from '../../fixtures/mcp/run.ts';
import { type ServedMcp, serveMcp } from '../../fixtures/mcp/served.ts';

let mcp: ServedMcp;
let client: Client;
let call: Call;

beforeEach(async () => {
  mcp = await serveMcp();
  client = await connectClient(socketTransport(mcp.path), REVISIONS[0]!);
  call = caller(client);
});
afterEach(async () => {
  await client?.close();
  await mcp?.close();
});

/** Captures cannot be written, as on a disk that is mounted read-only. */
function blockCaptures(): void {
  const folder = join(mcp.place.home, 'captures');
  try {
    renameSync(folder, `${folder}-before`);
  } catch {
    // None was made yet.
  }
  writeFileSync(folder, '');
}

test('without room on the disk, who waits for a line is told that it is not stored', async () => {
  const settings = { sources: [mcp.place.files], minFreeBytes: Number.MAX_SAFE_INTEGER };
  writeFileSync(join(mcp.place.home, 'config.json'), JSON.stringify(settings));
  const { head } = await call('run_command', { command: 'echo READY; sleep 300', background: true });
  const { artifact_id } = head;
  const waited = await call('wait_for_output', { artifact_id, pattern: 'READY', timeout: 1000 });
  expect(waited.head).toMatchObject({
    reason: 'timed_out',
    warnings: [expect.stringContaining('stdout is not stored from some point on')],
  });
  await call('stop_command', { artifact_id });
});

test('a command in the background says why it is not recorded', async () => {
  blockCaptures();
  const { head } = await call('run_command', { command: 'sleep 3', background: true });
  expect(head).toMatchObject({
    status: 'running',
    warnings: [expect.stringMatching(/^this is not recorded: ./)],
  });
  expect(head).not.toHaveProperty('artifact_id');
});

test('a text that could not be captured is not said to be', async () => {
  blockCaptures();
  const { head, blocks } = await call('capture_output', { content: 'a line\n'.repeat(5000) });
  expect(head).toMatchObject({ status: 'not_captured', warnings: [expect.stringMatching(/./)] });
  expect(head).not.toHaveProperty('artifact_id');
  expect(blocks[0]).toContain('a line');
});
