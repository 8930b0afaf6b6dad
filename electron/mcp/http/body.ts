/** The body of a request, up to a limit. */
import type { IncomingMessage } from 'node:http';

/** Null when it has more than `most` bytes; what comes behind them is not kept. Rejects when the client goes away. */
export async function readBody(request: IncomingMessage, most: number): Promise<string | null> {
  if (Number(request.headers['content-length'] ?? 0) > most) return null;
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The connection must outlive a body that is too long: it is told so.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes).toString('utf8');
}
