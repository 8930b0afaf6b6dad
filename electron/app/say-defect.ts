/** Prints an unexpected error with its stack to stderr; the window and agents get only a short message. */
export function sayDefect(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`spillway: a defect in Spillway, please report it: ${text}\n`);
}
