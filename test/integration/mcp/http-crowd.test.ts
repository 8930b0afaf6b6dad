/** Connections that somebody opens to MCP over HTTP and leaves idle keep no client out. */
import { once } from 'node:events';
import net from 'node:net';
import { expect, test } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import { createAgent } from '../../../electron/mcp/agent.ts';
import { serveMcpHttp } from '../../../electron/mcp/http/serve.ts';
import { makePlace } from '../../fixtures/cli.ts';
import { INITIALIZE } from '../../fixtures/mcp/client.ts';

const TOKEN = 'a-token-of-this-test-alone-0123456789';
const HALF_OPEN = 600;

test('a client is answered while half-open connections take all there are', async () => {
  const place = makePlace();
  const host = await createHost({ home: place.home, watch: false, threads: 0 });
  const served = await serveMcpHttp({
    port: 0,
    token: TOKEN,
    createAgent: (given) =>
      createAgent(host, { home: place.home, commands: null, version: '1.0.0', ...given }),
  });
  const idle: net.Socket[] = [];
  try {
    for (let i = 0; i < HALF_OPEN; i += 1) {
      const socket = net.connect(served.port, '127.0.0.1', () => socket.write('POST /mcp HT'));
      socket.on('error', () => {});
      idle.push(socket);
      await once(socket, 'connect');
    }
    const reply = await fetch(served.url, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(INITIALIZE),
    });
    expect(reply.status).toBe(200);
    await reply.text();
  } finally {
    for (const socket of idle) socket.destroy();
    await served.close();
    await host.close();
    place.remove();
  }
});
