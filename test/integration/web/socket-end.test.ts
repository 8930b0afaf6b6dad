import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { PAUSE_BYTES, webSocketEnd } from '../../../electron/web/socket-end.ts';
import { DRAINED_BYTES, type MessageChannelEnd } from '../../../shared/api/messages.ts';
import { untilPasses } from '../../fixtures/until.ts';

/** More than both sockets' buffers hold beside what makes a window paused. */
const MESSAGES = 64;
const mebibyte = 'é'.repeat(512 * 1024);

let server: WebSocketServer;
let client: WebSocket;
let socket: WebSocket;
let end: MessageChannelEnd;

async function open(keepAliveMs: number, options: object = {}): Promise<void> {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  client = new WebSocket(`ws://127.0.0.1:${(server.address() as { port: number }).port}`, options);
  client.on('error', () => {});
  const [accepted, request] = (await once(server, 'connection')) as [WebSocket, IncomingMessage];
  socket = accepted;
  end = webSocketEnd(socket, request.socket, keepAliveMs);
  if (client.readyState !== WebSocket.OPEN) await once(client, 'open');
}

afterEach(async () => {
  client.terminate();
  socket.terminate();
  await new Promise((resolve) => server.close(resolve));
});

describe('a window that is owed too much', () => {
  beforeEach(async () => {
    await open(600_000);
    client.pause();
    for (let n = 0; n < MESSAGES; n++) end.post({ n, mebibyte });
  });

  it('is not read from until it has taken what it was owed', async () => {
    const drained = vi.fn(() => end.bufferedAmount!());
    const heard: unknown[] = [];
    end.onDrain!(drained);
    end.onMessage((message) => heard.push(message));
    expect(end.bufferedAmount!()).toBeGreaterThan(PAUSE_BYTES);
    expect(socket.isPaused).toBe(true);
    client.send('{"hello":1}');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(heard).toEqual([]);
    expect(drained).not.toHaveBeenCalled();

    const taken: number[] = [];
    client.on('message', (data) => taken.push(JSON.parse(String(data)).n));
    client.resume();
    await untilPasses(() => expect(heard).toEqual([{ hello: 1 }]));
    expect(socket.isPaused).toBe(false);
    expect(drained).toHaveBeenCalledTimes(1);
    expect(drained.mock.results[0]!.value).toBeLessThanOrEqual(DRAINED_BYTES);
    await untilPasses(() => expect(taken).toEqual([...Array(MESSAGES).keys()]));
  });

  it('can be closed', async () => {
    const closed = vi.fn();
    end.onClose(closed);
    end.close();
    expect(closed).toHaveBeenCalledTimes(1);
    end.post({ late: true });
    client.resume();
    await once(client, 'close');
  });

  it('is closed when its client vanishes', async () => {
    const closed = vi.fn();
    end.onClose(closed);
    client.terminate();
    await untilPasses(() => expect(closed).toHaveBeenCalledTimes(1));
  });
});

describe('a sign of life', () => {
  it('is a backlog that shrinks, though no ping was answered', async () => {
    await open(1000, { autoPong: false });
    const closed = vi.fn();
    end.onClose(closed);
    // One that was sent before the backlog began.
    await once(client, 'ping');
    client.pause();
    for (let n = 0; n < MESSAGES; n++) end.post({ n, mebibyte });
    // A slow reader: a piece at a time, over many periods.
    let taken = 0;
    const slow = client;
    slow.on('message', () => {
      taken += 1;
      slow.pause();
      setTimeout(() => slow.resume(), 60);
    });
    slow.resume();
    await vi.waitFor(() => expect(taken).toBeGreaterThanOrEqual(MESSAGES / 2), {
      timeout: 30_000,
      interval: 20,
    });
    expect(closed).not.toHaveBeenCalled();
  });

  it('is not missed after a backlog, during which no ping was sent', async () => {
    await open(1000);
    client.pause();
    for (let n = 0; n < MESSAGES; n++) end.post({ n, mebibyte });
    // Past one period, and before the two after which it would count as gone.
    await new Promise((resolve) => setTimeout(resolve, 1200));
    const pings = vi.fn();
    client.on('ping', pings);
    client.resume();
    await untilPasses(() => expect(pings.mock.calls.length).toBeGreaterThanOrEqual(3));
    expect(client.readyState).toBe(WebSocket.OPEN);
  });

  it('is wanted from a window that takes nothing', async () => {
    await open(50);
    const closed = vi.fn();
    end.onClose(closed);
    client.pause();
    for (let n = 0; n < MESSAGES; n++) end.post({ n, mebibyte });
    await untilPasses(() => expect(closed).toHaveBeenCalledTimes(1));
  });
});
