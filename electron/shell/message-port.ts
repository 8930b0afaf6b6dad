/**
 * The main process's end of a connection, over an Electron port. MessagePortMain can't transfer ArrayBuffers, so
 * messages are structured clones; it does not tell how much is buffered either.
 */
import { channelEnd, type MessageChannelEnd } from '../../shared/api/wire.ts';

/** The part of Electron's MessagePortMain that is used. */
export interface MessagePortMainLike {
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  postMessage(message: unknown): void;
  start(): void;
  close(): void;
}

/** Wraps the port. Starts it with the first listener, so no message is lost. */
export function portEnd(port: MessagePortMainLike): MessageChannelEnd {
  const { end, received, closed } = channelEnd({
    post: (message) => port.postMessage(message),
    start: () => port.start(),
    close: () => port.close(),
  });
  port.on('message', (event) => received(event.data));
  port.on('close', closed);
  return end;
}
