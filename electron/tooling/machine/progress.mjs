/** Shows progress on stderr after a second. Nothing here needs an installed package. */

/** @typedef {{ verbose?: boolean }} ProgressOptions `verbose` reports fast steps too */

/**
 * Runs one step. After a second, shows the step and the time so far (on a terminal every second, else every
 * fifteen), and at the end the time it took.
 * @template T
 * @param {string} doing as in `installing packages`
 * @param {() => Promise<T>} work
 * @param {ProgressOptions} [options]
 * @returns {Promise<T>}
 */
export async function step(doing, work, { verbose = false } = {}) {
  const started = Date.now();
  const seconds = () => `${((Date.now() - started) / 1000).toFixed(1)} s`;
  const live = Boolean(process.stderr.isTTY);
  let ticks = 0;
  const tell = () => {
    ticks += 1;
    if (live)
      process.stderr.write(`\r\x1b[Kspillway: ${doing}, ${Math.round((Date.now() - started) / 1000)} s`);
    else if (ticks % 15 === 1) say(ticks === 1 ? `${doing} …` : `${doing}, ${seconds()}`);
  };
  const timer = setInterval(tell, 1000);
  const finish = (/** @type {string} */ how) => {
    clearInterval(timer);
    if (live && ticks > 0) process.stderr.write('\r\x1b[K');
    if (ticks > 0 || verbose) say(`${doing}: ${how} ${seconds()}`);
  };
  try {
    const result = await work();
    finish('done in');
    return result;
  } catch (error) {
    finish('failed after');
    throw error;
  }
}

/** @param {string} text */
export function say(text) {
  process.stderr.write(`spillway: ${text}\n`);
}

/** An error that the user can fix: printed without a stack. */
export class Problem extends Error {
  /** @param {string} what @param {string} todo */
  constructor(what, todo) {
    super(`${what}: ${todo}`);
  }
}

/**
 * Reports an entry point's error: a Problem as one line, exit 2; anything else with its stack, exit 1.
 * @param {unknown} error
 */
export function fail(error) {
  if (error instanceof Problem) {
    say(error.message);
    process.exitCode = 2;
    return;
  }
  console.error(error);
  process.exitCode = 1;
}
