/**
 * Keeps Node's debugger shut. On SIGUSR1 Node listens on a port of 127.0.0.1, where any local user could run code in
 * our process.
 */

/**
 * Flags for the processes that we start: the debugger would listen on an address that no machine has (RFC 5737), so it
 * cannot open even before our first line runs. Node 20 has no `--disable-sigusr1`.
 */
export const NO_DEBUGGER = ['--inspect-port=192.0.2.1:65535'] as const;

/** From now on SIGUSR1 does nothing. To be called before anything else. */
export function keepDebuggerShut(): void {
  process.on('SIGUSR1', () => {});
}
