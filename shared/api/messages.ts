/** The messages that carry the API. Each side validates every message where it enters. */
import * as z from 'zod';

const id = z.number().int().min(0);
const errorShape = z.object({ code: z.string(), what: z.string(), todo: z.string() });

export const ClientMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('request'), id, name: z.string(), params: z.unknown() }),
  z.object({ type: z.literal('cancel'), id }),
  z.object({ type: z.literal('subscribe'), id, topic: z.string(), params: z.unknown() }),
  z.object({ type: z.literal('unsubscribe'), id }),
]);
export type ClientMessage = z.infer<typeof ClientMessage>;

export const HostMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('result'), id, result: z.unknown() }),
  z.object({ type: z.literal('error'), id, error: errorShape }),
  z.object({ type: z.literal('event'), id, event: z.unknown() }),
]);
export type HostMessage = z.infer<typeof HostMessage>;

/** One end of a transport. Messages arrive whole and in order; what was posted after a close is dropped. */
export interface MessageChannelEnd {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  onClose(listener: () => void): void;
  close(): void;
}
