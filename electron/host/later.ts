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
