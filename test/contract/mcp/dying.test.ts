/** Clients that die without a word (CONTRACT 6): what they run ends with them, however their connection stood. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAgent } from '../../../electron/mcp/agent.ts';
import { type McpHttp, serveMcpHttp } from '../../../electron/mcp/http/serve.ts';
import {
  callTool as call,
  INITIALIZE,
  RawConnection,
  REVISIONS,
  type Revision,
} from '../../fixtures/mcp/client.ts';
import { family, isAlive, pidsIn } from '../../fixtures/mcp/run.ts';
import { type ServedMcp, serveMcp } from '../../fixtures/mcp/served.ts';
import { untilPasses } from '../../fixtures/until.ts';

const TOKEN = 'a-token-of-this-test-alone-0123456789';

let mcp: ServedMcp;
let http: McpHttp;
let file: string;
let count = 0;
const clients: ChildProcess[] = [];

beforeAll(async () => {
  mcp = await serveMcp();
  const { host, commands, place } = mcp;
  http = await serveMcpHttp({
    port: 0,
    token: TOKEN,
    lostMs: 100,

    createAgent: (given) => createAgent(host, { home: place.home, commands, version: '1.0.0', ...given }),
  });
});

afterAll(async () => {
  for (const client of clients) client.kill('SIGKILL');
  await http?.close();
  await mcp?.close();
});

/** Starts a process that sends the messages and then stays. `ends`: it ends its side, and still waits for replies. */
function startClient(messages: object[], { ends = false, reads = true } = {}): ChildProcess {
  const script = `
    const { path, lines, ends, reads } = JSON.parse(require('fs').readFileSync(0, 'utf8'));
    const socket = require('net').connect({ path, allowHalfOpen: true });
    socket.on('error', () => {});
    if (reads) socket.resume();
    socket[ends ? 'end' : 'write'](lines);
    setInterval(() => {}, 1000);`;
  const lines = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
  const client = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'ignore', 'inherit'] });
  client.stdin!.end(JSON.stringify({ path: mcp.path, lines, ends, reads }));
  clients.push(client);
  return client;
}

function run(id: number, more: object = {}): object {
  count += 1;
  file = join(mcp.place.files, `of-the-dead-${count}`);
  return call(id, 'run_command', { command: family(file), timeout: 0, ...more });
}

async function expectEndsWith(client: ChildProcess): Promise<void> {
  await untilPasses(() => expect(existsSync(file) && pidsIn(file)).toHaveLength(2));
  client.kill('SIGKILL');
  await untilPasses(() => expect(pidsIn(file).filter(isAlive)).toEqual([]));
}

test('a command ends with its client', async () => {
  await expectEndsWith(startClient([INITIALIZE, run(1)]));
});

test('a command ends with a client that has ended its side and waits for the reply', async () => {
  await expectEndsWith(startClient([INITIALIZE, run(1)], { ends: true }));
});

test('a client that has ended its side gets the reply of a command that takes long', async () => {
  const client = new RawConnection(mcp.path).read();
  client.send(INITIALIZE, call(1, 'run_command', { command: 'sleep 1.2; echo done' }));
  client.socket.end();
  const [, reply] = await client.replies(2);
  expect(reply!.result.content[1].text).toBe('done');
});

test('a command ends with a client that has sent more than is read ahead', async () => {
  const busy = Array.from({ length: 7 }, (_, index) =>
    call(100 + index, 'run_command', { command: 'sleep 300', timeout: 0 }),
  );
  const waiting = Array.from({ length: 200 }, (_, index) =>
    call(200 + index, 'capture_output', { content: 'x'.repeat(500_000 / 200) }),
  );
  await expectEndsWith(startClient([INITIALIZE, ...busy, run(1), ...waiting]));
});

test('a command ends with a client that reads nothing', async () => {
  const unread = Array.from({ length: 400 }, (_, index) => ({
    ...{ jsonrpc: '2.0', id: 100 + index, method: 'tools/list', params: {} },
  }));
  await expectEndsWith(startClient([INITIALIZE, run(1), ...unread], { reads: false }));
});

/** Starts an official client over HTTP that calls run_command, and stays. */
function startHttpClient(revision: Revision, args: object): ChildProcess {
  const script = `
    import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
    const mode = '${revision}' === '2026-07-28' ? { pin: '2026-07-28' } : 'legacy';
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL('${http.url}'), {
      requestInit: { headers: { authorization: 'Bearer ${TOKEN}' } },
    }));
    await client.callTool({ name: 'run_command', arguments: ${JSON.stringify(args)} });
    setInterval(() => {}, 1000);`;
  const client = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  clients.push(client);
  return client;
}

const familyArgs = () => (run(0) as { params: { arguments: object } }).params.arguments;

test.each(REVISIONS)('over HTTP, too, a command ends with its client, in %s', async (revision) => {
  await expectEndsWith(startHttpClient(revision, familyArgs()));
});

test('over HTTP, a command in the background ends when its client has lost its event stream', async () => {
  await expectEndsWith(startHttpClient('2025-11-25', { ...familyArgs(), background: true }));
});
