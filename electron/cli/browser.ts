/** Opening an address in the person's browser, where there is one. */
import { spawn } from 'node:child_process';

/** Best effort: the address was printed, so a machine without a browser is fine. */
export function openInBrowser(url: string): void {
  // Without a display xdg-open would start a browser for terminals, in ours.
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) return;
  const { command, args } = browserCommand(url, process.platform);
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

/** The command that opens an address on a platform. */
export function browserCommand(url: string, platform: string): { command: string; args: string[] } {
  if (platform === 'darwin') return { command: 'open', args: [url] };
  // The empty argument is the window's title, which `start` takes its first quoted argument for.
  if (platform === 'win32') return { command: 'cmd', args: ['/c', 'start', '""', url.replaceAll('&', '^&')] };
  return { command: 'xdg-open', args: [url] };
}
