/**
 * Ends a terminal's input by typing Ctrl-D, again and again: once may end only the current line, and a program that is
 * busy or changes its terminal may miss it.
 */
const END_OF_INPUT = '\x04';
/** Between one and the next; the last repeats. */
const PAUSES_MS = [0, 100, 200, 400, 1000];

/** Returns what stops it. */
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
