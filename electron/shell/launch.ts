/** Reads what the process was started with, and opens the paths among it. */
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MessageChannelEnd } from '../../shared/api/wire.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import type { Host } from '../host/host.ts';

/**
 * Returns the paths on a command line, absolute: packaged `spillway PATH…`, else `electron APP PATH…`. Switches of
 * Chromium may be anywhere before `--`, also before APP. Desktops give files as `file://` URLs.
 */
export function pathsOf(argv: readonly string[], packaged: boolean, cwd: string): string[] {
  const [, ...given] = argv;
  const end = given.includes('--') ? given.indexOf('--') : given.length;
  const named = given.slice(0, end).filter((arg) => !arg.startsWith('-'));
  return [...named, ...given.slice(end + 1)].slice(packaged ? 0 : 1).map((arg) => resolve(cwd, pathOf(arg)));
}

function pathOf(given: string): string {
  if (!/^file:\/\//i.test(given)) return given;
  try {
    return fileURLToPath(given);
  } catch {
    // A file of another machine is reported as missing, by this name.
    return given;
  }
}

/** Returns the paths that a second instance hands to the first; drops everything but absolute paths. */
export function pathsHandedOver(data: unknown): string[] {
  if (typeof data !== 'object' || data === null || !('paths' in data) || !Array.isArray(data.paths))
    return [];
  return data.paths.filter((path) => typeof path === 'string' && path === resolve(path));
}

/**
 * Returns Chromium's profile folder, one for each SPILLWAY_HOME. It also decides which processes are one instance. On
 * macOS, `userData` is Spillway's own home, where only captures and settings belong.
 */
export function profileFolder(
  userData: string,
  home: string | undefined,
  platform: NodeJS.Platform = process.platform,
): string {
  const base = platform === 'darwin' ? `${userData}-window` : userData;
  if (!home) return base;
  const name = createHash('sha256').update(resolve(home)).digest('hex').slice(0, 12);
  return join(base, 'homes', name);
}

/** Opens a person's paths and shows the first artifact. Reports paths that fail in the window. */
export async function openPaths(host: WindowInspector['host'], paths: readonly string[]): Promise<void> {
  let shown = false;
  for (const path of paths) {
    try {
      const [first] = await host.openPath({ path });
      if (!first || shown) continue;
      host.notify({ type: 'show', artifact_id: first.artifact_id });
      shown = true;
    } catch (error) {
      host.notify({ type: 'message', text: toSpillwayError(error).message });
    }
  }
}

/** The part of the inspector that the window needs. The entry point builds it. */
export interface WindowInspector {
  readonly host: Pick<Host, 'openPath' | 'notify'>;
  /** Serves one window until its channel closes. */
  serve(end: MessageChannelEnd): void;
  /** Commands that agents run through it, which end with it. */
  commands(): string[];
  close(): Promise<void>;
}

/**
 * Asks the inspector that already serves this home to open the paths. Resolves with the address of its page for a
 * browser; with null if it has a desktop window.
 */
export type HandOver = (paths: string[]) => Promise<string | null>;

/** Rejects with a SpillwayError when it can't run, for instance because the home belongs to another user. */
export type StartInspector = (options: {
  /** Absolute; all are opened and the first is shown. */
  paths: string[];
  shell: 'electron';
}) => Promise<WindowInspector>;
