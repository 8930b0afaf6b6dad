/** `spillway serve`: runs the inspector without a window until it is told to end. */

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { SpillwayError } from '../../../shared/errors.ts';
import { resolveHome } from '../../host/settings/home-path.ts';
import { print, tell } from '../output/print.ts';
import type { ServedInspector, ServedWebShell, Services } from '../services.ts';
import { untilSignalled } from '../with-host.ts';
import { mustExist, whenReady } from './open.ts';

/** How often to check for connections. */
const CHECK_MS = 5000;

export interface ServeOptions {
  port?: number;
  open?: boolean;
  /** Agents may read the paths. */
  agents?: boolean;
  /** Ends after this many milliseconds without a page or an agent. */
  untilUnused?: number;
  /** A port; true takes any free one. */
  mcpHttp?: number | true;
}

export async function serve(
  given: readonly string[],
  options: ServeOptions,
  services: Services,
): Promise<number> {
  const home = resolveHome(process.env);
  await Promise.all(given.map(mustExist));
  const paths = given.map((path) => resolve(path));
  // A signal during the start takes effect once the start is complete.
  const signalled = untilSignalled();
  const inspector = await services
    .startInspector({ home, paths, agents: options.agents, mcpHttp: httpPort(options) })
    .catch(async (error: unknown) => {
      if (!isBusy(error) || (paths.length === 0 && !options.open)) throw error;
      return handOver(home, paths, options, services, error);
    });
  if (inspector === null) return 0;
  try {
    for (const warning of inspector.host.warnings) await tell(`spillway: ${warning}`);
    const shell = await services.startWebShell({ inspector, port: options.port });
    inspector.setPage(shell);
    try {
      await print(`Spillway is at ${shell.url}\n`);
      if (inspector.mcpHttpUrl !== null) {
        const token = join(home, 'run', 'mcp-http.token');
        await tell(`spillway: MCP over HTTP is at ${inspector.mcpHttpUrl}, its bearer token in ${token}`);
      }
      if (options.open) openInBrowser(shell.browserUrl(), home);
      const { untilUnused } = options;
      await (untilUnused === undefined
        ? signalled
        : Promise.race([signalled, unused(inspector, shell, untilUnused)]));
    } finally {
      await shell.close();
    }
  } finally {
    await inspector.close();
  }
  return 0;
}

/** Hands the paths to the inspector that already runs. */
async function handOver(
  home: string,
  paths: readonly string[],
  options: ServeOptions,
  services: Services,
  busy: SpillwayError,
): Promise<ServedInspector | null> {
  const asked = await services.askRunning(home, {
    open: [...paths],
    ...(options.agents ? { agents: true } : {}),
  });
  if (asked === null) throw busy;
  const running = await whenReady(asked, home, services);
  if (options.port !== undefined) await tell('spillway: it runs already, so its own port stays');
  await tell(`spillway: opened in the inspector that runs already (process ${running.pid})`);
  if (running.url !== null) {
    await print(`Spillway is at ${running.url}\n`);
    if (!options.open) return null;
    const { url } = (await services.askRunning(home, { open: [], for_browser: true })) ?? running;
    if (url !== null) openInBrowser(url, home);
  }
  return null;
}

function httpPort({ mcpHttp }: ServeOptions): number | undefined {
  return mcpHttp === true ? 0 : mcpHttp;
}

function isBusy(error: unknown): error is SpillwayError {
  return error instanceof SpillwayError && error.code === 'busy';
}

/**
 * Resolves once nothing has been connected for `ms` milliseconds. Counts looks instead of time: on a busy machine the time
 * may pass before a waiting connection is accepted.
 */
async function unused(inspector: ServedInspector, shell: ServedWebShell, ms: number): Promise<void> {
  const checkMs = Math.min(CHECK_MS, ms / 4);
  const looks = Math.ceil(ms / checkMs);
  for (let left = looks; left > 0; ) {
    await wait(checkMs);
    left = shell.windows() + inspector.agents() > 0 ? looks : left - 1;
  }
}

// Opens the page in the user's browser, if there is one. Every user of the machine can read a program's arguments. On
// Linux the address in them lets in only this user's processes (`electron/web/gate.ts`). Elsewhere nothing tells whose
// process asks, so the browser gets a private file that leads to the address. Linux needs none, and there browsers in
// a sandbox of their own (snap, Flatpak) could not read it.

/** Best effort: an address is printed anyway, so failures are ignored. */
function openInBrowser(url: string, home: string): void {
  // Without a display, xdg-open would start a text browser in our terminal.
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) return;
  try {
    const address = process.platform === 'linux' ? url : pathToFileURL(leadingFile(url, home)).href;
    const { command, args } = browserCommand(address, process.platform);
    const child = spawn(command, args, { stdio: 'ignore', detached: true });
    child.on('error', () => {});
    child.unref();
  } catch {
    // Nothing can be written, or started.
  }
}

/** Returns the platform's command for opening an address. */
export function browserCommand(url: string, platform: string): { command: string; args: string[] } {
  if (platform === 'darwin') return { command: 'open', args: [url] };
  // `start` takes its first quoted argument for the window's title, so give an empty one.
  if (platform === 'win32') return { command: 'cmd', args: ['/c', 'start', '""', url.replaceAll('&', '^&')] };
  return { command: 'xdg-open', args: [url] };
}

/** Makes a private page that leads to the address, and removes earlier ones: their codes are spent or too old. */
export function leadingFile(url: string, home: string): string {
  const folder = join(home, 'run', 'browser');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true });
  const path = join(folder, `${randomBytes(8).toString('hex')}.html`);
  const html = `<!doctype html>\n<meta charset="utf-8">\n<meta http-equiv="refresh" content="0; url=${url}">\n<title>Spillway</title>\n`;
  writeFileSync(path, html, { flag: 'wx', mode: 0o600 });
  return path;
}
