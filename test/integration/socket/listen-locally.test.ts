import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limitConnections } from '../../../electron/host/socket/local-http.ts';

const MAX = 3;

let server: http.Server;
let port: number;
const clients: net.Socket[] = [];

beforeEach(async () => {
  server = http.createServer((request, response) => {
    if (request.url !== '/slow') response.end('ok');
  });
  limitConnections(server, MAX);
  server.on('upgrade', (_, socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as net.AddressInfo).port;
});
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  server.close();
});

/** A connection that the server has accepted. */
async function connect(send = ''): Promise<net.Socket> {
  const accepted = once(server, 'connection');
  const client = net.connect(port, '127.0.0.1', () => client.write(send));
  client.on('error', () => {});
  clients.push(client);
  await accepted;
  return client;
}

/** Resolves with the reply to one request on a connection of its own. */
async function ask(): Promise<string> {
  const client = await connect('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  let text = '';
  for await (const chunk of client) text += chunk;
  return text;
}

describe('a server with all connections taken', () => {
  it('answers a new one, and closes the oldest half-open one for it', async () => {
    const [oldest, second] = [await connect('GET / HT'), await connect(), await connect()];
    const closed = once(oldest.resume(), 'close');
    expect(await ask()).toMatch(/^HTTP\/1\.1 200 .*ok$/s);
    await closed;
    expect(second.destroyed).toBe(false);
  });

  it('keeps those that wait for an answer, and WebSockets', async () => {
    const slow = await connect('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const upgraded = await connect(
      'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    await once(upgraded, 'data');
    const idle = await connect();
    const closed = once(idle.resume(), 'close');
    expect(await ask()).toMatch(/^HTTP\/1\.1 200 /);
    await closed;
    expect([slow.destroyed, upgraded.destroyed]).toEqual([false, false]);
  });

  it('closes a connection idle longer before one that just had an answer', async () => {
    const first = await connect('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await connect();
    await connect();
    await once(first, 'data');
    expect(await ask()).toMatch(/^HTTP\/1\.1 200 /);
    expect(first.destroyed).toBe(false);
  });
});
