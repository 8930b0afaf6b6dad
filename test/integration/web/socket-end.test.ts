import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { PAUSE_BYTES, webSocketEnd } from '../../../electron/web/shell.ts';
import { DRAINED_BYTES, type MessageChannelEnd } from '../../../shared/api/wire.ts';
import { untilPasses } from '../../fixtures/until.ts';

/** More than both sockets' buffers hold beside what makes a window paused. */
const MESSAGES = 64;
/** So long that only the test ends one: the system's own timer, of two periods, is real. */
const PERIOD_MS = 600_000;
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
    // Another window, which says hello later and is heard.
    const other = new WebSocket(client.url);
    const [accepted] = (await once(server, 'connection')) as [WebSocket];
    other.on('open', () => other.send('{"hello":2}'));
    await once(accepted, 'message');
    other.terminate();
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
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());

  it('is a backlog that shrinks, though no ping was answered', async () => {
    await open(PERIOD_MS, { autoPong: false });
    const closed = vi.fn();
    end.onClose(closed);
    // One that was sent before the backlog began.
    const pinged = once(client, 'ping');
    vi.advanceTimersByTime(PERIOD_MS);
    await pinged;
    client.pause();
    for (let n = 0; n < MESSAGES; n++) end.post({ n, mebibyte });
    // A slow reader: a piece in each period.
    let taken = 0;
    client.on('message', () => {
      taken += 1;
      if (taken <= MESSAGES / 2) vi.advanceTimersByTime(PERIOD_MS);
    });
    client.resume();
    await untilPasses(() => expect(taken).toBeGreaterThanOrEqual(MESSAGES / 2));
    expect(closed).not.toHaveBeenCalled();
  });

  it('is not missed after a backlog, during which no ping was sent', async () => {
    await open(PERIOD_MS);
    const pings = vi.fn();
    client.on('ping', pings);
    client.pause();
    for (let n = 0; n < MESSAGES; n++) end.post({ n, mebibyte });
    for (let periods = 0; periods < 3; periods += 1) vi.advanceTimersByTime(PERIOD_MS);
    let taken = 0;
    client.on('message', () => (taken += 1));
    client.resume();
    await untilPasses(() => expect([taken, end.bufferedAmount!()]).toEqual([MESSAGES, 0]));
    expect(pings).not.toHaveBeenCalled();
    for (let periods = 1; periods <= 3; periods += 1) {
      const answered = once(socket, 'pong');
      vi.advanceTimersByTime(PERIOD_MS);
      await answered;
      expect(pings).toHaveBeenCalledTimes(periods);
    }
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
