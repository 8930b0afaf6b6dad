/** Work on a stored text in steps of some milliseconds. Without an import, so that asking for it loads nothing else. */

/** Yields the number of bytes read so far, and returns the result. */
export type ReadingSteps<T> = Generator<number, T, void>;

export const READING_STEP_BYTES = 1024 * 1024;

/** Takes all steps. */
export function lastOf<T>(steps: ReadingSteps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
