/** Opens an address in the user's browser, if there is one. */
import { spawn } from 'node:child_process';

/** Best effort: the address is printed anyway, so failures are ignored. */
export function openInBrowser(url: string): void {
  // Without a display, xdg-open would start a text browser in our terminal.
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) return;
  const { command, args } = browserCommand(url, process.platform);
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

/** Returns the platform's command for opening an address. */
export function browserCommand(url: string, platform: string): { command: string; args: string[] } {
  if (platform === 'darwin') return { command: 'open', args: [url] };
  // `start` takes its first quoted argument for the window's title, so give an empty one.
  if (platform === 'win32') return { command: 'cmd', args: ['/c', 'start', '""', url.replaceAll('&', '^&')] };
  return { command: 'xdg-open', args: [url] };
}
