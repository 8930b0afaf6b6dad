/**
 * Node flags for every process that is started on Spillway's behalf, by us or by an agent: SIGUSR1 would open Node's
 * debugger before our first line runs, but this address belongs to no machine (RFC 5737), so it can't listen. Node 20
 * has no `--disable-sigusr1`.
 */
export const NO_DEBUGGER = ['--inspect-port=192.0.2.1:65535'] as const;
