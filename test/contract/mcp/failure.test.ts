/** Holds replies about failed commands to the contract: their cause and the lines that explain it. */
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import { createAgent } from '../../../electron/mcp/agent.ts';
import { type McpSocket, serveMcpSocket } from '../../../electron/mcp/socket.ts';
import { makePlace, type Place } from '../../fixtures/cli.ts';
import { connectClient, REVISIONS, socketTransport } from '../../fixtures/mcp/client.ts';
import { commandsAt } from '../../fixtures/mcp/commands-at.ts';

const CAUSE = 'gen: schema/orders.json: duplicate id 4711 in definitions';
const SCRIPT = `seq -f 'gen: schema/parcel%.0f.json pass 1' 1500; echo '${CAUSE}'; seq -f 'gen: schema/parcel%.0f.json pass 2' 1500; exit 7`;

let place: Place;
let host: Host;
let socket: McpSocket;
let client: Client;

beforeAll(async () => {
  place = makePlace();
  host = await createHost({ home: place.home, watch: false, threads: 0 });
  socket = await serveMcpSocket({
    runDir: join(place.home, 'run'),
    createAgent: () => createAgent(host, { home: place.home, commands: commandsAt(place), version: '9.9.9' }),
  });
  client = await connectClient(socketTransport(socket.path), REVISIONS[0]!);
});

afterAll(async () => {
  await client?.close();
  await socket?.close();
  await host?.close();
  place?.remove();
});

async function call(name: string, args: Record<string, unknown>) {
  const { content } = await client.callTool({ name, arguments: args });
  const texts = (content as { text: string }[]).map(({ text }) => text);
  return { head: JSON.parse(texts[0]!), blocks: texts.slice(1) };
}

test('run_command names the cause in text with a NUL, and says how to read that', async () => {
  const command = 'printf "x\\0y\\n"; printf "ERROR real\\n"; exit 1';
  const { head, blocks } = await call('run_command', { command });
  expect(head).toMatchObject({
    cause: { stream: 'stdout', line_number: 2, text: 'ERROR real' },
    stdout: { content_type: 'binary', note: '15 bytes of binary data: use as_text to see it as text anyway' },
  });
  expect(blocks).toEqual([]);
  const { artifact_id } = head;
  const shown = await call('inspect_output', { artifact_id, mode: 'failure', as_text: true });
  expect(shown.head.cause).toMatchObject({ line_number: 2, text: 'ERROR real' });
});

test('run_command names no cause in binary data', async () => {
  const command = 'head -c 40000 /dev/urandom; printf "ERROR real\\n"; exit 1';
  const { head } = await call('run_command', { command });
  expect(head.stdout).toMatchObject({ content_type: 'binary', note: expect.stringContaining('as_text') });
  expect(head).not.toHaveProperty('cause');
});

test('run_command names the cause, and labels the part that has it', async () => {
  const { head, blocks } = await call('run_command', { command: SCRIPT });
  expect(head).toMatchObject({ exit_code: 7, cause: { stream: 'stdout', line_number: 1501, text: CAUSE } });
  const at = blocks.findIndex((block) => block.includes(': reason]\n'));
  const [stream, start, end] = head.parts[at];
  expect(blocks[at]).toMatch(new RegExp(`^\\[${stream}, lines ${start}-${end} of 3001: reason\\]\\n`));
  expect(blocks[at]!.split('\n')).toContain(CAUSE);

  const again = await call('inspect_output', {
    artifact_id: head.artifact_id,
    mode: 'failure',
    stream: 'stdout',
  });
  expect(again.head).toMatchObject({ mode: 'failure', cause: { line_number: 1501, text: CAUSE } });
  expect(again.blocks.join('')).toContain(`\n${CAUSE}\n`);
  expect(again.head).not.toHaveProperty('content');
});

test('a range has its own cause', async () => {
  const { head } = await call('run_command', { command: SCRIPT });
  const view = await call('inspect_output', {
    artifact_id: head.artifact_id,
    mode: 'failure',
    start_line: 1400,
    end_line: 1600,
    max_chars: 1000,
  });
  expect(view.head.cause).toEqual({ stream: 'combined', line_number: 1501, text: CAUSE });
  expect(view.blocks.join('').length).toBeLessThan(2000);
});
