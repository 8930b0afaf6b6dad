/**
 * Time from a pattern's last key to its first match on the screen: 1 GiB of real text in a real browser,
 * patterns typed key by key that match early and are new to the host.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright';
import { systemBrowser } from '../../electron/tooling/machine/browser.mjs';
import { makeFolder, removeFolder } from '../fixtures/folder.ts';
import { GIB, median, percentile, realText, report, warm } from './harness.ts';
import { quiet } from './quiet.ts';

const RUNS = 25;
/** Milliseconds between keys: a quick typist. */
const KEY_MS = 60;

const path = realText(GIB);
warm(path);
const home = makeFolder();
const { host, url } = await serve();
const executablePath = systemBrowser();
const browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  chromiumSandbox: process.getuid?.() !== 0,
});
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(url);
  await page.waitForSelector('[data-fetched]');
  // The whole file is counted.
  await page.waitForFunction(() =>
    /\b\d\d,\d{3},\d{3}$/.test(document.querySelector('[data-status]')?.textContent ?? ''),
  );
  // A first start asks about agents on this machine.
  const done = page.getByRole('dialog').getByRole('button', { name: 'Done' });
  if (await done.isVisible()) await done.click();
  const runs: { pattern: string; ms: number; busy: number }[] = [];
  for (const pattern of earlyWords(path).slice(0, RUNS)) {
    await page.keyboard.press('Control+f');
    await page.getByRole('textbox', { name: 'Pattern' }).fill('');
    await page.waitForFunction(() => !document.querySelector('[aria-label="Matching lines"]'));
    const busy = await quiet(1000);
    runs.push({ pattern, ms: await typed(page, pattern), busy });
  }
  const times = runs.map(({ ms }) => ms);
  report(
    'first-hit',
    [
      {
        what: 'last key to the first match on screen, 1 GiB, median',
        value: median(times),
        unit: 'ms',
        limit: 30,
      },
      { what: 'the same, 90th percentile', value: percentile(times, 90), unit: 'ms', limit: 60 },
    ],
    runs,
  );
} finally {
  await browser.close();
  host.kill('SIGTERM');
  removeFolder(home);
}

/** Words of the first 64 KiB that hold a letter; none is part of another. */
function earlyWords(path: string): string[] {
  const file = openSync(path, 'r');
  const bytes = Buffer.alloc(64 * 1024);
  readSync(file, bytes);
  closeSync(file);
  const words = new Set(bytes.toString('latin1').match(/\b[a-z]{5,12}\b/g) ?? []);
  return [...words].filter((word) => ![...words].some((other) => other !== word && other.startsWith(word)));
}

/** Types the pattern; milliseconds from the last key to the frame that shows the first line it matches. */
async function typed(page: Page, pattern: string): Promise<number> {
  const shown = page.evaluate(
    (pattern) =>
      new Promise<number>((resolve) => {
        let key = 0;
        const onKey = (event: KeyboardEvent) => {
          key = event.timeStamp;
        };
        addEventListener('keydown', onKey, true);
        const look = () => {
          const results = document.querySelector('[aria-label="Results"]');
          const row = results?.querySelector('[role="row"][data-index="0"][data-fetched]');
          const there =
            results?.querySelector('header code')?.textContent === pattern &&
            row?.textContent?.toLowerCase().includes(pattern);
          if (!there) return requestAnimationFrame(look);
          removeEventListener('keydown', onKey, true);
          // The message is handled after this frame is drawn.
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.now() - key);
          port2.postMessage(null);
        };
        requestAnimationFrame(look);
      }),
    pattern,
  );
  await page.keyboard.type(pattern, { delay: KEY_MS });
  return shown;
}

function serve(): Promise<{ host: ChildProcess; url: string }> {
  const host = spawn(process.execPath, [join('dist', 'node', 'cli.js'), 'serve', '--port', '0', path], {
    env: { ...process.env, SPILLWAY_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let said = '';
    host.stdout.on('data', (chunk: Buffer) => {
      said += chunk;
      const url = /^Spillway is at (\S+)$/m.exec(said)?.[1];
      if (url) resolve({ host, url });
    });
    host.on('exit', (code) => reject(new Error(`serve ended with ${code}`)));
  });
}
