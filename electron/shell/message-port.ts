/**
 * The connection's end in the main process, over an Electron port. Electron's MessagePortMain can't transfer
 * ArrayBuffers, so messages are structured clones; nor does it say how much is buffered.
 */
import { channelEnd } from '../../shared/api/end.ts';
import type { MessageChannelEnd } from '../../shared/api/messages.ts';

/** The part of Electron's MessagePortMain that is used. */
export interface MessagePortMainLike {
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  postMessage(message: unknown): void;
  start(): void;
  close(): void;
}

/** Takes the port over; it is started when the end is first listened to, so no message is lost before. */
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
