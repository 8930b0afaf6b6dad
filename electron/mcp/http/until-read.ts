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
