/** The body of a request, up to a limit. */
import type { IncomingMessage } from 'node:http';

/** Returns null for a body of more than `most` bytes, and drops the rest of it. Rejects when the client disconnects. */
export async function readBody(request: IncomingMessage, most: number): Promise<string | null> {
  if (Number(request.headers['content-length'] ?? 0) > most) return null;
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Keep the connection open after a body that is too long, to answer that it is.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes).toString('utf8');
}
