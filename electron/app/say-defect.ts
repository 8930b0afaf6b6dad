/** Prints a defect for the person at the terminal; the window and the agents are told less. */
export function sayDefect(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`spillway: a defect in Spillway, please report it: ${text}\n`);
}
