/**
 * The connection's end in the web shell: a WebSocket that carries JSON. A window that stops reading is not read
 * from either, so what it is owed stays bounded; one that neither answers a ping nor takes what it is owed is dropped.
 */
import type { Socket } from 'node:net';
import type { RawData, WebSocket } from 'ws';
import { channelEnd } from '../../shared/api/end.ts';
import { DRAINED_BYTES, type MessageChannelEnd } from '../../shared/api/messages.ts';

/** With more bytes than this owed to a window, nothing is read from it: even refusals would pile up. */
export const PAUSE_BYTES = 8 * 1024 * 1024;

/**
 * `wire` is the connection below `socket`. Every `keepAliveMs` a sign of life is wanted; a window that showed none
 * between two is dropped.
 */
export function webSocketEnd(socket: WebSocket, wire: Socket, keepAliveMs: number): MessageChannelEnd {
  const owed = () => socket.bufferedAmount;
  let waitsForDrain = false;

  const { end, received, closed, drained } = channelEnd({
    post(message) {
      socket.send(JSON.stringify(message), onSent);
      if (owed() > DRAINED_BYTES) waitsForDrain = true;
      if (owed() > PAUSE_BYTES && !socket.isPaused) socket.pause();
    },
    close() {
      socket.close(1000);
      // Its answer is not waited for: a window that is gone would keep the socket for half a minute.
      setTimeout(() => socket.terminate(), 1000).unref();
    },
    bufferedAmount: owed,
  });

  function onSent(): void {
    if (!waitsForDrain || owed() > DRAINED_BYTES) return;
    waitsForDrain = false;
    if (socket.isPaused) socket.resume();
    drained();
  }

  let alive = true;
  const timer = setInterval(() => {
    // A ping behind a backlog would be answered late, or, while we do not read, not be heard of.
    const backlog = owed() > 0;
    if (!backlog && !alive) return socket.terminate();
    alive = backlog;
    if (!backlog) socket.ping();
  }, keepAliveMs);
  timer.unref();
  // Then it counts whether the backlog moves: every byte that leaves starts this anew.
  wire.setTimeout(2 * keepAliveMs, () => {
    if (owed() > 0) socket.terminate();
  });

  socket.on('pong', () => {
    alive = true;
  });
  socket.on('message', (data, isBinary) => {
    alive = true;
    received(isBinary ? undefined : parsed(data));
  });
  // A frame that is too large or not valid: ws closes the connection with the code for it.
  socket.on('error', () => {});
  socket.on('close', () => {
    clearInterval(timer);
    closed();
  });
  return end;
}

/** Undefined, which is no message, for what is no JSON. */
function parsed(data: RawData): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    return undefined;
  }
}
