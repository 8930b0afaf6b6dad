/** A web-standard response over Node's HTTP, no faster than its client reads. */
import type { ServerResponse } from 'node:http';

/** A client that takes nothing for this long is gone, milliseconds. */
const STALLED_AFTER_MS = 60_000;

/** Resolves when the whole body was sent, or the client went away; never rejects. */
export async function sendReply(response: Response, to: ServerResponse): Promise<void> {
  const body = response.body;
  if (to.destroyed) {
    await body?.cancel().catch(() => {});
    return;
  }
  const headers = Object.fromEntries(response.headers);
  to.writeHead(response.status, {
    ...headers,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  if (body === null) {
    to.end();
    return;
  }
  // An event stream may be silent for long: its client wants to know that it stands.
  to.flushHeaders();
  const reader = body.getReader();
  const gone = () => void reader.cancel().catch(() => {});
  to.once('close', gone);
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (!to.write(next.value) && !(await drained(to))) break;
    }
    to.end();
  } catch {
    to.destroy();
  } finally {
    to.off('close', gone);
    await reader.cancel().catch(() => {});
  }
}

/** False when the client went away, or read nothing for too long. */
function drained(to: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (ready: boolean) => {
      clearTimeout(timer);
      to.off('drain', onDrain).off('close', onClose);
      if (!ready) to.destroy();
      resolve(ready);
    };
    const onDrain = () => settle(true);
    const onClose = () => settle(false);
    const timer = setTimeout(() => settle(false), STALLED_AFTER_MS);
    to.on('drain', onDrain).on('close', onClose);
    if (to.destroyed) settle(false);
  });
}

/** A JSON-RPC error as an HTTP reply. */
export function errorReply(
  status: number,
  code: number,
  message: string,
  given: { id?: string | number | null; headers?: Record<string, string> } = {},
): Response {
  return Response.json(
    { jsonrpc: '2.0', id: given.id ?? null, error: { code, message } },
    { status, headers: given.headers ?? {} },
  );
}

/**
 * Calls `done` once: when a response's body has been read to its end, or when its reader left before that
 * (`isBroken`).
 */
export function untilRead(response: Response, done: (isBroken: boolean) => void): Response {
  let isDone = false;
  const finish = (isBroken: boolean) => {
    if (isDone) return;
    isDone = true;
    done(isBroken);
  };
  if (response.body === null) {
    finish(false);
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await reader.read();
          if (!next.done) return controller.enqueue(next.value);
          finish(false);
          controller.close();
        } catch (error) {
          finish(false);
          controller.error(error);
        }
      },
      async cancel(reason) {
        // First: the cancelled body ends, and a read that waits for it would count as its end.
        finish(true);
        await reader.cancel(reason);
      },
    },
    // Take nothing before the reader asks for it.
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
}
