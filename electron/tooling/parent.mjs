/** Nothing here needs an installed package. */

/**
 * Ends this process like a SIGTERM when what started it is gone. npm passes a signal to the shell between it and us,
 * and many a shell dies of it without passing it on: without this, ending `npm start` leaves the inspector running.
 * @param {NodeJS.ProcessEnv} [env]
 */
export function followParent(env = process.env) {
  if (process.platform === 'win32' || env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  timer.unref();
}
