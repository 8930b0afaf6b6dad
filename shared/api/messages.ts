/** The messages of the API. Each side validates every message it receives. */
import * as z from 'zod';

const id = z.number().int().min(0);

export const WireError = z.object({ code: z.string(), what: z.string(), todo: z.string() });
export type WireError = z.infer<typeof WireError>;

export const ClientMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('request'), id, name: z.string(), params: z.unknown() }),
  z.object({ type: z.literal('cancel'), id }),
  z.object({ type: z.literal('subscribe'), id, topic: z.string(), params: z.unknown() }),
  z.object({ type: z.literal('unsubscribe'), id }),
]);
export type ClientMessage = z.infer<typeof ClientMessage>;

export const HostMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('result'), id, result: z.unknown() }),
  z.object({ type: z.literal('error'), id, error: WireError }),
  z.object({ type: z.literal('event'), id, event: z.unknown() }),
]);
export type HostMessage = z.infer<typeof HostMessage>;

/** One end of a transport. Messages arrive whole and in order; messages posted after a close are dropped. */
export interface MessageChannelEnd {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, whichever side closed; at once if already closed. */
  onClose(listener: () => void): void;
  close(): void;
  /** Bytes posted that have not left this process; absent if the transport does not say. */
  bufferedAmount?(): number;
  /** Called each time the buffer has emptied after having been full. */
  onDrain?(listener: () => void): void;
}

/** A transport with more buffered bytes is congested: new events are merged, new work waits. */
export const CONGESTED_BYTES = 1024 * 1024;
/** `onDrain` is called when no more bytes than this are left. */
export const DRAINED_BYTES = 256 * 1024;
