/** Gives a command a host of its own for as long as it needs it. */

import { statSync } from 'node:fs';
import { type Secrets, secretsOf } from '../../shared/secrets/mask.ts';
import { createHost } from '../host/create.ts';
import type { Host } from '../host/host.ts';
import { Lifecycle } from '../host/lifecycle/lifecycle.ts';
import { loadConfig } from '../host/settings/config.ts';
import { checkIsFolder } from '../host/settings/home.ts';
import { resolveHome } from '../host/settings/home-path.ts';
import { pathNamed } from '../reader/bytes/path-text.ts';
import { farPathOf, isServed } from '../reader/disks/mounts.ts';
import { splitAtArchive } from '../reader/disks/stats.ts';
import { tell } from './output/print.ts';

interface HostNeeds {
  /** Starts threads; else the command's own thread does all work. */
  threads?: boolean;
  /** A home of copies from the archive. */
  home?: string | undefined;
}

/** Runs `use` with a host that watches nothing and does not set up the home. Warnings go to standard error. */
export async function withHost<T>(use: (host: Host) => Promise<T>, needs: HostNeeds = {}): Promise<T> {
  const home = needs.home ?? resolveHome(process.env);
  checkIsFolder(home);
  // As a search that never ends, a person's pattern of fields can be stopped in a thread only.
  const mayNotEnd = () => loadConfig(home).settings.fieldPatterns.some((one) => MAY_NOT_END.test(one));
  const threads = needs.threads || mayNotEnd() ? {} : { threads: 0 };
  const host = await createHost({ home, watch: false, ...threads });
  try {
    for (const warning of host.warnings) await tell(`spillway: ${warning}`);
    return await use(host);
  } finally {
    await host.close();
  }
}

/** Invalid settings are reported on standard error. */
export async function withLifecycle<T>(use: (lifecycle: Lifecycle) => Promise<T>): Promise<T> {
  const home = resolveHome(process.env);
  checkIsFolder(home);
  for (const warning of loadConfig(home).warnings) await tell(`spillway: ${warning}`);
  const lifecycle = new Lifecycle(home);
  try {
    return await use(lifecycle);
  } finally {
    await lifecycle.close();
  }
}

/** How `inspect` and `read` print. */
export interface Look {
  json: boolean;
  redact: boolean;
}

/** Returns the option that masks secrets, if `--redact` was given. */
export function redacting(asked: boolean): { redact?: Secrets } {
  return asked ? { redact: secretsOf(loadConfig(resolveHome(process.env)).settings.redact) } : {};
}

/** Two threads search, summarise or compare more in less time, their start included. */
const LARGE_BYTES = 64e6;

/** Matches repetitions, groups and backreferences: without them, an expression takes little time on any line. */
const MAY_NOT_END = /[*+?{(]|\\[1-9k]/;

/**
 * Whether a search of `given` needs threads: only in one can a search that never ends be stopped. An id's size is not
 * known yet, so it may be large.
 */
export function searchNeedsThreads(given: string, pattern: string, fixed = false): boolean {
  if (!fixed && MAY_NOT_END.test(pattern)) return true;
  const bytes = sizeOf(given);
  return bytes === null || bytes > LARGE_BYTES;
}

/** Whether a summary or a comparison of `given` takes less time with threads. */
export function isLargeFile(given: string): boolean {
  return (sizeOf(given) ?? 0) > LARGE_BYTES;
}

/** Returns null if the file does not exist, or is on a share, which may not answer. */
function sizeOf(given: string): number | null {
  const path = pathNamed(given);
  const far = farPathOf(path);
  if (far !== null && isServed(far)) return null;
  return statSync(splitAtArchive(path).file, { throwIfNoEntry: false })?.size ?? null;
}

/** Resolves when this process is asked to end. */
export function untilSignalled(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => done());
  });
}
