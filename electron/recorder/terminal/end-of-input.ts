/**
 * The end of the input, as typed at a terminal: the key for it, again and again. Once ends no more than the line that was
 * begun, and a program that is busy or changes its terminal may not have heard it.
 */
const END_OF_INPUT = '\x04';
/** Between one and the next, in milliseconds; the last goes on. */
const PAUSES = [0, 100, 200, 400, 1000];

/** Until the result is called. */
export function endInput(write: (key: string) => void): () => void {
  let timer: NodeJS.Timeout | null = null;
  const next = (times: number) => {
    timer = setTimeout(
      () => {
        write(END_OF_INPUT);
        next(times + 1);
      },
      PAUSES[Math.min(times, PAUSES.length - 1)],
    ).unref();
  };
  next(0);
  return () => {
    if (timer) clearTimeout(timer);
  };
}
