/** MCP over HTTP among pages of other sites, strangers, and clients that are slow, rude or many. */
import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import { type Agent, createAgent } from '../../../electron/mcp/agent.ts';
import { httpToken, type McpHttp, serveMcpHttp } from '../../../electron/mcp/http/serve.ts';
import { makePlace, type Place } from '../../fixtures/cli.ts';
import { callTool, connectClient, INITIALIZE, type JsonRpc, REVISIONS } from '../../fixtures/mcp/client.ts';

const TOKEN = 'a-token-of-this-test-alone-0123456789';
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

let place: Place;
let host: Host;
let served: McpHttp;
let agents = 0;
const defects: unknown[] = [];

beforeAll(async () => {
  place = makePlace();
  writeFileSync(join(place.files, 'app.log'), 'first line\nsecond line\n');
  host = await createHost({ home: place.home, watch: false, threads: 0 });
  served = await serveMcpHttp({
    port: 0,
    token: TOKEN,
    createAgent: (given) =>
      counted(createAgent(host, { home: place.home, commands: null, version: '1.0.0', ...given })),
  });
});

afterAll(async () => {
  await served?.close();
  await host?.close();
  place?.remove();
});

function counted(agent: Agent): Agent {
  agents += 1;
  return {
    ...agent,
    close: async () => {
      agents -= 1;
      await agent.close();
    },
  };
}

interface Reply {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

function ask(
  body: object | string | null,
  headers: http.OutgoingHttpHeaders = {},
  given: { method?: string; path?: string } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        host: '127.0.0.1',
        port: served.port,
        path: given.path ?? '/mcp',
        method: given.method ?? 'POST',
        headers: {
          authorization: `Bearer ${TOKEN}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        );
      },
    );
    request.on('error', reject);
    if (body !== null) request.write(typeof body === 'string' ? body : JSON.stringify(body));
    request.end();
  });
}

/** The message in a reply, whether it came as JSON or as an event. */
function messageOf({ body }: Reply): JsonRpc {
  const data = /^data: (.*)$/m.exec(body)?.[1];
  return JSON.parse(data ?? body);
}

const STANDARD = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' };
const inspect = (id: string | number) => {
  const call = callTool(id, 'inspect_output', { file_path: join(place.files, 'app.log') }) as {
    params: object;
  };
  return { ...call, params: { ...call.params, _meta: META } };
};
const modern = (id: string | number) => ask(inspect(id), { ...STANDARD, 'mcp-name': 'inspect_output' });

async function openSession(): Promise<string> {
  const reply = await ask(INITIALIZE);
  expect(reply.status).toBe(200);
  return String(reply.headers['mcp-session-id']);
}

test('a client with the token is served, in both revisions', async () => {
  expect(messageOf(await modern(1)).result.content[1].text).toBe('first line\nsecond line');
  const session = await openSession();
  const reply = await ask(callTool(2, 'inspect_output', { file_path: join(place.files, 'app.log') }), {
    'mcp-session-id': session,
  });
  expect(messageOf(reply).result.content[1].text).toBe('first line\nsecond line');
});

test('a revision that is not served is refused with the names of all that are', async () => {
  const session = await openSession();
  for (const method of ['POST', 'GET']) {
    const body = method === 'POST' ? callTool(2, 'storage_stats', {}) : null;
    const headers = { 'mcp-session-id': session, 'mcp-protocol-version': '1999-01-01' };
    const reply = await ask(body, headers, { method });
    expect(reply.status).toBe(400);
    expect(messageOf(reply).error?.message).toMatch(/1999-01-01 .*2026-07-28, 2025-11-25, 2025-06-18/);
  }
});

test.each([
  ['no token', { authorization: '' }],
  ['another token', { authorization: `Bearer ${TOKEN}x` }],
  ['the token in another scheme', { authorization: `Basic ${TOKEN}` }],
  ['the token twice', { authorization: [`Bearer ${TOKEN}`, `Bearer ${TOKEN}`] }],
  ['an empty token', { authorization: 'Bearer ' }],
])('%s is not let in', async (_, headers) => {
  const reply = await ask(INITIALIZE, headers as http.OutgoingHttpHeaders);
  expect(reply.status).toBe(401);
  expect(reply.headers['www-authenticate']).toMatch(/^Bearer/);
  expect(reply.body).not.toContain(TOKEN);
});

test('a wrong token is told from none, and a body that is not JSON is called one', async () => {
  const faultOf = async (body: object | string, headers: http.OutgoingHttpHeaders) =>
    JSON.parse((await ask(body, headers)).body).error.message;
  expect(await faultOf(INITIALIZE, { authorization: '' })).toMatch(/it came without a token: send/);
  const wrong = await faultOf(INITIALIZE, { authorization: `Bearer ${TOKEN}x` });
  expect(wrong).toMatch(/its token is not this home's: send the one in/);
  expect(await faultOf('{', {})).toMatch(/the body is not JSON/);
});

test('a token in the address does not count', async () => {
  const reply = await ask(INITIALIZE, { authorization: '' }, { path: `/mcp?token=${TOKEN}` });
  expect(reply.status).toBe(401);
});

test.each([
  ['a name that DNS was made to give this address', { host: 'evil.example' }],
  ['a name that begins like this machine', { host: '127.0.0.1.evil.example' }],
  ['a name that ends like this machine', { host: 'evil.localhost:80' }],
  ['a name with a user before it', { host: 'localhost@evil.example' }],
  ['a page of another site', { origin: 'https://evil.example' }],
  ['a page without an origin', { origin: 'null' }],
  ['a page whose site begins like this machine', { origin: 'http://localhost.evil.example' }],
  ['a page of another site that hides its origin', { 'sec-fetch-site': 'cross-site' }],
])('%s is turned away, with the token and all', async (_, headers) => {
  expect((await ask(INITIALIZE, headers)).status).toBe(403);
});

test.each(['127.0.0.1', 'localhost:80', '[::1]:9', 'LOCALHOST'])('%s is this machine', async (name) => {
  expect((await ask(INITIALIZE, { host: name, origin: `http://${name}` })).status).toBe(200);
});

test('no page may read what it gets, and none is asked beforehand', async () => {
  const reply = await ask(null, { origin: 'http://localhost:1' }, { method: 'OPTIONS' });
  expect(reply.status).toBe(405);
  expect(reply.headers['access-control-allow-origin']).toBeUndefined();
});

test('only one address is served', async () => {
  expect((await ask(INITIALIZE, {}, { path: '/' })).status).toBe(404);
  expect((await ask(INITIALIZE, {}, { path: '/mcp/../mcp/x' })).status).toBe(404);
});

test.each([
  ['what is no JSON', '{"jsonrpc": "2.0", "id": 1,', -32700],
  ['nothing', '', -32700],
  ['a batch', [INITIALIZE], -32600],
  ['another jsonrpc', { jsonrpc: '1.0', id: 3, method: 'tools/list' }, -32600],
  ['no method', { jsonrpc: '2.0', id: 4 }, -32600],
])('%s is answered with its own error', async (_, body, code) => {
  const reply = await ask(body);
  expect(reply.status).toBe(400);
  expect(messageOf(reply)).toMatchObject({ jsonrpc: '2.0', error: { code } });
});

test('what is no JSON by its type is not read', async () => {
  expect((await ask(INITIALIZE, { 'content-type': 'text/plain' })).status).toBe(415);
});

test('a body that says it is too long is refused before it comes', async () => {
  const socket = net.connect(served.port, '127.0.0.1');
  socket.write(
    `POST /mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${TOKEN}\r\ncontent-type: application/json\r\ncontent-length: 99999999999\r\n\r\n{`,
  );
  const said = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
  expect(said).toMatch(/^HTTP\/1.1 413/);
  socket.destroy();
});

test('a session that nobody opened is not there, and one that was deleted is no more', async () => {
  expect((await ask(callTool(1, 'list_outputs'))).status).toBe(400);
  expect((await ask(callTool(1, 'list_outputs'), { 'mcp-session-id': 'made-up' })).status).toBe(404);
  const before = agents;
  const session = { 'mcp-session-id': await openSession() };
  expect(agents).toBe(before + 1);
  expect((await ask(null, session, { method: 'DELETE' })).status).toBe(200);
  expect((await ask(callTool(1, 'list_outputs'), session)).status).toBe(404);
  expect(agents).toBe(before);
});

test('more sessions than may be open end the oldest that is at rest', async () => {
  const first = await openSession();
  for (let opened = 0; opened < 64; opened += 1) await openSession();
  expect((await ask(callTool(1, 'list_outputs'), { 'mcp-session-id': first })).status).toBe(404);
  expect(agents).toBeLessThanOrEqual(66);
});

test('an id that is not answered yet is refused a second time', async () => {
  const session = { 'mcp-session-id': await openSession() };
  const { outputs } = await host.list({ query: 'app.log' });
  const waits = { artifact_id: outputs[0]!.artifact_id, pattern: 'never', timeout: 1500 };
  const replies = await Promise.all(
    [1, 2].map(() => ask(callTool('same', 'wait_for_output', waits), session)),
  );
  const [answered, refused] = replies.toSorted((a, b) => a.status - b.status);
  expect(messageOf(answered!)).toMatchObject({ id: 'same', result: {} });
  expect(refused!.status).toBe(400);
  expect(messageOf(refused!)).toMatchObject({ id: 'same', error: { code: -32600 } });
});

test('two hundred requests at once each get their own reply', async () => {
  const replies = await Promise.all(Array.from({ length: 200 }, (_, index) => modern(index)));
  expect(replies.map((reply) => messageOf(reply).id)).toEqual(
    Array.from({ length: 200 }, (_, index) => index),
  );
});

test('clients that vanish in the middle leave nothing behind', async () => {
  const body = JSON.stringify(inspect(1));
  for (let round = 0; round < 50; round += 1) {
    const socket = net.connect(served.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      `POST /mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${TOKEN}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\ncontent-length: ${body.length}\r\n\r\n${round % 2 ? body : '{'}`,
      () => socket.destroy(),
    );
  }
  expect(messageOf(await modern(1)).result.content[1].text).toBe('first line\nsecond line');
});

test.each(REVISIONS)('over HTTP, too, an output that grows is heard of, in %s', async (revision) => {
  const file = join(place.files, 'growing.log');
  writeFileSync(file, 'one\n');
  const { outputs } = await host.list({ query: 'growing.log' });
  const [artifact] = outputs.length > 0 ? outputs : await host.openPath({ path: file });
  const uri = `spillway://artifact/${artifact!.artifact_id}/output`;
  const transport = new StreamableHTTPClientTransport(new URL(served.url), {
    requestInit: { headers: { authorization: `Bearer ${TOKEN}` } },
  });
  const client = await connectClient(transport, revision);
  let told = '';
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    told = params.uri;
  });
  if (revision === '2025-11-25') await client.subscribeResource({ uri });
  else await client.listen({ resourceSubscriptions: [uri] });
  await vi.waitFor(
    () => {
      appendFileSync(file, 'more\n');
      expect(told).toBe(uri);
    },
    { timeout: 30_000, interval: 300 },
  );
  await client.close();
});

test('the token is made once, for this user alone, and what is no token is refused', async () => {
  const run = join(place.home, 'run');
  const token = await httpToken(run);
  expect(await httpToken(run)).toBe(token);
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  const file = join(run, 'mcp-http.token');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  writeFileSync(file, 'short\n');
  await expect(httpToken(run)).rejects.toThrow(/is not a token that Spillway wrote: look at it/);
});

test('a port that is taken is said to be', async () => {
  const again = serveMcpHttp({
    port: served.port,
    token: TOKEN,
    createAgent: () => createAgent(host, { home: place.home, commands: null, version: '1.0.0' }),
  });
  await expect(again).rejects.toThrow(/in use by another program: choose another/);
});

test('no request of this file caused a defect', () => {
  expect(defects).toEqual([]);
});
