/**
 * Disables Node's debugger. SIGUSR1 makes Node listen on a port of 127.0.0.1, where any local user could run code in
 * our process.
 */

/**
 * Node flags for the processes we start: the debugger's address belongs to no machine (RFC 5737), so it can't listen
 * even before our first line runs. Node 20 has no `--disable-sigusr1`.
 */
export const NO_DEBUGGER = ['--inspect-port=192.0.2.1:65535'] as const;

/** Makes SIGUSR1 do nothing. Call it first. */
export function keepDebuggerShut(): void {
  process.on('SIGUSR1', () => {});
}
