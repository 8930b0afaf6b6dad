/** Ends this process with npm. Nothing here needs an installed package. */

/**
 * Ends this process as SIGTERM would when its parent process is gone. npm signals the shell between it and us, and
 * many shells die without passing the signal on, which would leave the inspector running.
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
