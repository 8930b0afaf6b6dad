/** Only the page opens the browser shell's socket; some requests close it. */
import { once } from 'node:events';
import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { hello } from '../../contract/connection/memory-host.ts';
import {
  raw,
  setUpWebShells,
  sockets,
  start,
  token,
  upgrade,
  window,
} from '../../fixtures/set-up/web-shell.ts';
import { untilPasses } from '../../fixtures/until.ts';

setUpWebShells();

describe('the socket at /api', () => {
  it.each([
    ['/api', {}, 401],
    ['/api?token=wrong', {}, 401],
    ['/', { query: true }, 404],
    ['/api/', { query: true }, 404],
    ['/api', { query: true }, 'open'],
    ['/api', { query: true, origin: 'http://evil.example' }, 403],
    ['/api', { query: true, origin: 'null' }, 403],
    ['/api', { query: true, host: 'evil.example' }, 403],
    ['/api', { query: true, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'websocket' }, 403],
  ])('at %s with %j comes to %s', async (target, { query, ...headers }: Record<string, unknown>, wanted) => {
    const shell = await start();
    const url = query ? `${target}?token=${token}` : target;
    expect(await upgrade(shell, url, headers as Record<string, string>)).toBe(wanted);
  });

  it('is open to the page of its own origin, under whichever name and port a tunnel gave it', async () => {
    const shell = await start();
    const headers = { host: 'localhost:9999', origin: 'http://localhost:9999' };
    expect(await upgrade(shell, `/api?token=${token}`, headers)).toBe('open');
  });

  it('does not let pages of other sites read a refusal', async () => {
    const answer = await raw(
      await start(),
      'GET /api HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\nConnection: Upgrade\r\n' +
        'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
    expect(answer).toContain('Cross-Origin-Resource-Policy: same-origin');
    expect(answer).not.toContain('Access-Control');
  });

  it('refuses a window beyond the limit', async () => {
    const shell = await start();
    const results = await Promise.all([...Array(70)].map(() => upgrade(shell, `/api?token=${token}`)));
    expect(results.filter((result) => result === 'open')).toHaveLength(64);
    expect(results.filter((result) => result === 503)).toHaveLength(6);
  });

  it.each([
    ['text that is no JSON', 'hello{', false],
    ['nothing', '', false],
    ['bytes', Buffer.from('{"type":"request","id":1,"name":"hello","params":{}}'), true],
    ['an array that never closes', '['.repeat(900_000), false],
  ])('ignores %s', async (_, message, binary) => {
    const shell = await start();
    const socket = await window(shell);
    const heard: string[] = [];
    socket.on('message', (data) => heard.push(String(data)));
    socket.send(message, { binary });
    socket.send('{"type":"request","id":2,"name":"hello","params":{}}');
    await untilPasses(() => expect(heard).toHaveLength(1));
    expect(JSON.parse(heard[0]!)).toEqual({ type: 'result', id: 2, result: hello });
  });

  it.each([
    ['a message of 10 MiB', Buffer.alloc(10 * 1024 * 1024, 'x'), false, 1009],
    ['text that is no UTF-8', Buffer.from([0xc3, 0x28]), false, 1007],
  ])('hangs up on %s, and stays open for others', async (_, message, binary, code) => {
    const shell = await start();
    const socket = await window(shell);
    socket.send(message, { binary });
    const [closed] = await once(socket, 'close');
    // A large message may still be on its way when the other side hangs up.
    expect([code, 1006]).toContain(closed);
    expect(await upgrade(shell, `/api?token=${token}`)).toBe('open');
  });

  it('hangs up on what is no WebSocket frame', async () => {
    const shell = await start();
    const socket = net.connect(shell.port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => {});
    socket.write(
      `GET /api?token=${token} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    const [first] = await once(socket, 'data');
    expect(String(first)).toContain('101');
    socket.write(Buffer.alloc(64, 0xff));
    await once(socket.resume(), 'close');
  });
});
