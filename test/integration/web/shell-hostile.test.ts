/** Clients of the browser shell that send too much, too slowly, or stop reading. */
import { once } from 'node:events';
import net from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { documentState } from '../../contract/connection/memory-artifact.ts';
import { memoryHost } from '../../contract/connection/memory-host.ts';
import { ask, raw, setUpWebShells, sockets, start, token, window } from '../../fixtures/set-up/web-shell.ts';
import { untilPasses } from '../../fixtures/until.ts';

setUpWebShells();

describe('a client that behaves badly', () => {
  it('with headers beyond 16 KiB is refused', async () => {
    const answer = await raw(
      await start(),
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });

  it.each([
    [
      'two Hosts',
      'GET /?token=T HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n',
      /^HTTP\/1\.1 40[03] /,
    ],
    ['no Host', 'GET /?token=T HTTP/1.0\r\n\r\n', /^HTTP\/1\.1 403 /],
    [
      'a proxy request',
      'GET http://localhost/?token=T HTTP/1.1\r\nHost: localhost\r\n\r\n',
      /^HTTP\/1\.1 400 /,
    ],
    ['a tunnel', 'CONNECT evil.example:80 HTTP/1.1\r\nHost: localhost\r\n\r\n', /^$/],
    ['no HTTP at all', 'SSH-2.0-hello\r\n\r\n', /^HTTP\/1\.1 400 /],
  ])('with %s gets nowhere', async (_, text, wanted) => {
    const shell = await start();
    const answer = await raw(
      shell,
      text.replace('token=T', `token=${token}`).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
    );
    expect(answer).toMatch(wanted);
    expect(answer).not.toContain('<title>Spillway</title>');
  });

  it('with a body has it ignored, and the connection closed', async () => {
    const answer = await raw(
      await start(),
      `GET /?token=${token} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\nGET /x HTTP/1.1\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('\r\nConnection: close\r\n');
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('does not keep it from ending at once', async () => {
    const shell = await start();
    const idle = net.connect(shell.port, '127.0.0.1');
    const half = net.connect(shell.port, '127.0.0.1');
    sockets.push(idle, half);
    half.write('GET / HTTP/1.1\r\nHost: loc');
    const socket = await window(shell);
    const ended = Promise.all([once(idle, 'close'), once(half, 'close'), once(socket, 'close')]);
    for (const one of [idle, half]) one.on('error', () => {}).resume();
    await shell.close();
    await ended;
    await expect(ask(shell, '/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('a window that stops reading', () => {
  const subscribe = (id: number) =>
    `{"type":"subscribe","id":${id},"topic":"document","params":{"artifact_id":"a"}}`;
  const big = (n: number) => ({ ...documentState(n), notice: { at: 'now', text: 'x'.repeat(100_000) } });

  it('is owed a bounded amount, and gets the newest state when it reads on', async () => {
    const host = memoryHost();
    const shell = await start({ host });
    const socket = await window(shell);
    const sizes: number[] = [];
    socket.on('message', (data) => sizes.push(JSON.parse(String(data)).event.total_bytes));
    socket.send(subscribe(1));
    await untilPasses(() => expect(sizes).toHaveLength(1));
    socket.pause();
    const last = 1000;
    for (let n = 1; n <= last; n++) {
      host.changeDocument(big(n));
      await new Promise((resolve) => setImmediate(resolve));
    }
    socket.resume();
    await untilPasses(() => expect(sizes.at(-1)).toBe(last));
    // 100 MB were offered; what its socket and ours could hold came through, the rest was skipped.
    expect(sizes.length).toBeLessThan(400);
    // The first is the state before.
    const seen = sizes.slice(1);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
  });

  it('and answers no ping is dropped, and its streams with it', async () => {
    const host = memoryHost();
    const watched = vi.spyOn(host, 'watchDocument');
    const shell = await start({ host, keepAliveMs: 1000 });
    const socket = await window(shell, { autoPong: false });
    const dropped = once(socket, 'close');
    socket.send(subscribe(1));
    await dropped;
    expect(watched).toHaveBeenCalledTimes(1);
    await untilPasses(() => expect(host.watchers().document).toBe(0));
  });

  it('but answers pings is kept', async () => {
    const shell = await start({ keepAliveMs: 400 });
    const socket = await window(shell);
    let pings = 0;
    socket.on('ping', () => {
      pings += 1;
    });
    await untilPasses(() => expect(pings).toBeGreaterThan(3));
    expect(socket.readyState).toBe(WebSocket.OPEN);
  });
});
