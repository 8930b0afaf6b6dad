/**
 * The web shell's end of a connection: a WebSocket that carries JSON. While a window does not read, it is not read
 * from either, so its backlog stays bounded. A window that neither answers pings nor drains its backlog is dropped.
 */
import type { Socket } from 'node:net';
import type { RawData, WebSocket } from 'ws';
import { channelEnd } from '../../shared/api/end.ts';
import { DRAINED_BYTES, type MessageChannelEnd } from '../../shared/api/wire.ts';

/** Above this backlog nothing is read from a window: even refusals would pile up. */
export const PAUSE_BYTES = 8 * 1024 * 1024;

/**
 * `wire` is the connection below `socket`. A window that gives no sign of life within `keepAliveMs` of a ping is
 * dropped.
 */
export function webSocketEnd(socket: WebSocket, wire: Socket, keepAliveMs: number): MessageChannelEnd {
  const backlogBytes = () => socket.bufferedAmount;
  let waitsForDrain = false;

  const { end, received, closed, drained } = channelEnd({
    post(message) {
      socket.send(JSON.stringify(message), onSent);
      if (backlogBytes() > DRAINED_BYTES) waitsForDrain = true;
      if (backlogBytes() > PAUSE_BYTES && !socket.isPaused) socket.pause();
    },
    close() {
      socket.close(1000);
      // Don't wait for the answer: a window that is gone would keep the socket for half a minute.
      setTimeout(() => socket.terminate(), 1000).unref();
    },
    bufferedAmount: backlogBytes,
  });

  function onSent(): void {
    if (!waitsForDrain || backlogBytes() > DRAINED_BYTES) return;
    waitsForDrain = false;
    if (socket.isPaused) socket.resume();
    drained();
  }

  let alive = true;
  const timer = setInterval(() => {
    // Behind a backlog a ping would be answered late, and while we don't read its answer is not seen.
    const backlog = backlogBytes() > 0;
    if (!backlog && !alive) return socket.terminate();
    alive = backlog;
    if (!backlog) socket.ping();
  }, keepAliveMs);
  timer.unref();
  // With a backlog, progress counts instead: every byte sent restarts this timeout.
  wire.setTimeout(2 * keepAliveMs, () => {
    if (backlogBytes() > 0) socket.terminate();
  });

  socket.on('pong', () => {
    alive = true;
  });
  socket.on('message', (data, isBinary) => {
    alive = true;
    received(isBinary ? undefined : parsed(data));
  });
  // An invalid or oversized frame: ws closes the connection with the matching code.
  socket.on('error', () => {});
  socket.on('close', () => {
    clearInterval(timer);
    closed();
  });
  return end;
}

/** Returns undefined, which is not a valid message, for text that is not JSON. */
function parsed(data: RawData): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    return undefined;
  }
}
