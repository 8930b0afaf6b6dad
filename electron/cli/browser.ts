/**
 * Opens the page in the user's browser, if there is one. Every user of the machine can read a program's arguments. On
 * Linux the address in them lets in only this user's processes (`electron/web/gate.ts`). Elsewhere nothing tells whose
 * process asks, so the browser gets a private file that leads to the address. Linux needs none, and there browsers in
 * a sandbox of their own (snap, Flatpak) could not read it.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Best effort: an address is printed anyway, so failures are ignored. */
export function openInBrowser(url: string, home: string): void {
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
