/**
 * Ends a terminal's input by typing Ctrl-D repeatedly: one may end only the current line, and a program that is busy or
 * changes its terminal's modes may miss it.
 */
const END_OF_INPUT = '\x04';
/** Pauses between them; the last one repeats. */
const PAUSES_MS = [0, 100, 200, 400, 1000];

/** Returns a function that stops it. */
export function endInput(write: (key: string) => void): () => void {
  let timer: NodeJS.Timeout | null = null;
  const next = (times: number) => {
    timer = setTimeout(
      () => {
        write(END_OF_INPUT);
        next(times + 1);
      },
      PAUSES_MS[Math.min(times, PAUSES_MS.length - 1)],
    ).unref();
  };
  next(0);
  return () => {
    if (timer) clearTimeout(timer);
  };
}
