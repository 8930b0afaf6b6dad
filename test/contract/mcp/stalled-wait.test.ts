/** `wait_for_output` with an expression that gets nowhere: it says what it did not search, and keeps to its time. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectClient, REVISIONS, socketTransport } from '../../fixtures/mcp/client.ts';
import { type Call, caller } from '../../fixtures/mcp/run.ts';
import { type ServedMcp, serveMcp } from '../../fixtures/mcp/served.ts';

/** Takes for ever on a line of `a` that ends otherwise. */
const PATTERN = '(a+)+(b|\\1)$|finished';
const LINE = `${'a'.repeat(60)}!\n`;

let mcp: ServedMcp;
let client: Client;
let call: Call;

beforeAll(async () => {
  // A thread of its own is ended when it gets nowhere.
  mcp = await serveMcp(1);
  client = await connectClient(socketTransport(mcp.path), REVISIONS[0]!);
  call = caller(client);
});
afterAll(async () => {
  await client?.close();
  await mcp?.close();
});

async function printed(text: string): Promise<string> {
  writeFileSync(join(mcp.place.files, 'text.log'), text);
  const { head } = await call('run_command', { command: 'cat text.log; echo over' });
  return head.artifact_id;
}

const GAVE_UP = { unsearched: true, note: expect.stringContaining('stopped making progress') };

test('of a command that has ended', async () => {
  const artifact_id = await printed(LINE);
  const { head } = await call('wait_for_output', { artifact_id, pattern: PATTERN, timeout: 60_000 });
  expect(head).toMatchObject({ reason: 'exited', status: 'succeeded', ...GAVE_UP });
});

test('of a command that still runs', async () => {
  const command = `echo ${LINE.trim()}; echo begun; sleep 300`;
  const { artifact_id } = (await call('run_command', { command, background: true })).head;
  await call('wait_for_output', { artifact_id, pattern: 'begun', timeout: 600_000 });
  const { head } = await call('wait_for_output', { artifact_id, pattern: PATTERN, timeout: 600_000 });
  expect(head).toMatchObject({ reason: 'timed_out', running: true, ...GAVE_UP });
  await call('stop_command', { artifact_id });
});

test('when its time is over before the search gives up', async () => {
  // Two stretches, each of which is given up after two seconds.
  const artifact_id = await printed(LINE.repeat(10_000));
  const { head } = await call('wait_for_output', { artifact_id, pattern: PATTERN, timeout: 0 });
  expect(head).toMatchObject({
    reason: 'timed_out',
    unsearched: true,
    note: expect.stringContaining('not searched to its end in time'),
  });
});

test('a search that reaches the end says nothing of it', async () => {
  const artifact_id = await printed('plain\n');
  const { head } = await call('wait_for_output', { artifact_id, pattern: 'nowhere' });
  expect(head).toMatchObject({ reason: 'exited' });
  expect(head).not.toHaveProperty('unsearched');
});
