/**
 * Holds the listeners of a transport's end, and closes exactly once. A transport reports events to the returned
 * controls; the API uses the `end`.
 */
import type { MessageChannelEnd } from './wire.ts';

interface Transport {
  /** Called only while open. */
  post(message: unknown): void;
  /** Called at most once. */
  close(): void;
  /** Called with the first listener, for transports that hold messages back until then. */
  start?(): void;
  bufferedAmount?(): number;
}

export interface EndControls {
  readonly end: MessageChannelEnd;
  received(message: unknown): void;
  /** Call when the other side closed, or the transport failed. */
  closed(): void;
  drained(): void;
}

export function channelEnd(transport: Transport): EndControls {
  const onMessage: Array<(message: unknown) => void> = [];
  const onDrain: Array<() => void> = [];
  let onClose: Array<() => void> = [];
  let open = true;
  let started = false;

  const closed = () => {
    if (!open) return;
    open = false;
    const listeners = onClose;
    onClose = [];
    for (const listener of listeners) listener();
  };

  const end: MessageChannelEnd = {
    post(message) {
      if (open) transport.post(message);
    },
    onMessage(listener) {
      onMessage.push(listener);
      if (started) return;
      started = true;
      transport.start?.();
    },
    onClose(listener) {
      if (open) onClose.push(listener);
      else listener();
    },
    close() {
      if (!open) return;
      transport.close();
      closed();
    },
  };
  if (transport.bufferedAmount) {
    end.bufferedAmount = () => transport.bufferedAmount?.() ?? 0;
    end.onDrain = (listener) => onDrain.push(listener);
  }

  return {
    end,
    received(message) {
      for (const listener of onMessage) if (open) listener(message);
    },
    closed,
    drained() {
      for (const listener of onDrain) if (open) listener();
    },
  };
}
