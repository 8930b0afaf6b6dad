/** A real host and a real browser, for the benchmarks of the window. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { systemBrowser } from '../../electron/tooling/machine/browser.mjs';
import { makeFolder, removeFolder } from '../fixtures/folder.ts';

export interface Served {
  /** With its token. */
  url: string;
  /** The host's process id. */
  pid: number;
  stop(): Promise<void>;
}

/** Starts `spillway serve` on `paths` in a home of its own. */
export function serve(...paths: string[]): Promise<Served> {
  const home = makeFolder();
  const dist = process.env.SPILLWAY_DIST ?? 'dist';
  const host = spawn(process.execPath, [join(dist, 'node', 'cli.js'), 'serve', '--port', '0', ...paths], {
    // A dialog about agents would take the keys.
    env: { SPILLWAY_FIND_AGENTS: '0', ...process.env, SPILLWAY_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(host, 'exit');
  const stop = async () => {
    host.kill('SIGTERM');
    await ended;
    removeFolder(home);
  };
  return new Promise((resolve, reject) => {
    let said = '';
    host.stdout.on('data', (chunk: Buffer) => {
      said += chunk;
      const url = /^Spillway is at (\S+)$/m.exec(said)?.[1];
      if (url) resolve({ url, pid: host.pid!, stop });
    });
    host.on('exit', (code) => reject(new Error(`serve ended with ${code}`)));
  });
}

export function launch(...args: string[]): Promise<Browser> {
  const executablePath = systemBrowser();
  return chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    chromiumSandbox: process.getuid?.() !== 0,
    args,
  });
}

/** Starts to measure the milliseconds between frames of the page. The returned function stops and returns them. */
export async function watchFrames(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const watched = { frames: [] as number[], on: true };
    Object.assign(window, { watched });
    let last = 0;
    const look = (now: number) => {
      if (last > 0) watched.frames.push(Math.round((now - last) * 100) / 100);
      last = now;
      if (watched.on) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  return () =>
    page.evaluate(() => {
      const { watched } = window as unknown as { watched: { frames: number[]; on: boolean } };
      watched.on = false;
      return watched.frames;
    });
}
