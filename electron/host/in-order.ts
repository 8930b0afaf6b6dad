/** Runs tasks in parallel, and takes their results in order. */

/**
 * Runs `work` on the items, `width` at a time, and passes the results to `take` in the items' order. No item runs far
 * ahead of the slowest, so few results wait. Rejects with the first error, and then starts and takes nothing more.
 */
export async function runInOrder<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
  take: (result: Result, item: Item) => void,
): Promise<void> {
  const early = new Map<number, { result: Result }>();
  const waiting: (() => void)[] = [];
  let next = 0;
  let taken = 0;
  let failed = false;
  const wake = () => {
    for (const go of waiting.splice(0)) go();
  };
  const run = async () => {
    while (next < items.length && !failed) {
      const mine = next;
      next += 1;
      early.set(mine, { result: await work(items[mine]!) });
      for (let ready = early.get(taken); ready && !failed; ready = early.get(taken)) {
        early.delete(taken);
        take(ready.result, items[taken]!);
        taken += 1;
      }
      wake();
      if (next - taken > 2 * width && !failed) await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  await Promise.all(
    Array.from({ length: Math.min(width, items.length) }, () =>
      run().catch((error) => {
        failed = true;
        wake();
        throw error;
      }),
    ),
  );
}

/** Begins when the promise resolves, unless stopped before. */
export function later<T>(
  promise: Promise<T>,
  onError: (error: Error) => void,
  begin: (value: T) => () => void,
): () => void {
  let stop: (() => void) | null = null;
  let stopped = false;
  promise
    .then((value) => {
      if (!stopped) stop = begin(value);
    })
    .catch((error: Error) => {
      if (!stopped) onError(error);
    });
  return () => {
    stopped = true;
    stop?.();
  };
}
