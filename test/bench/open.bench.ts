/**
 * A text of 1 GiB in the window: from the click on it in the list to its first screen, and the most heap that the page
 * holds while the text is scrolled through, searched, filtered, wrapped and summarised.
 */
import { basename, join } from 'node:path';
import type { CDPSession, Page } from 'playwright';
import { launch, type Served, serve } from './browser.ts';
import { GIB, MIB, median, realText, report, warm } from './harness.ts';
import { quiet } from './quiet.ts';

const ROUNDS = 5;
const SCREEN_LIMIT_MS = 300;
const HEAP_LIMIT_MIB = 150;
/** Milliseconds between looks at the heap. */
const LOOK_EVERY_MS = 50;

const path = realText(GIB);
const bigName = basename(path);
warm(path);
const small = join(process.cwd(), 'package.json');
const browser = await launch();
try {
  const busy = await quiet(30_000);
  const screens: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) screens.push(await withWindow((page) => firstScreen(page)));
  const heap = await withWindow(mostHeap);
  report(
    'open',
    [
      {
        what: '1 GiB: click to first screen, median',
        value: median(screens),
        unit: 'ms',
        limit: SCREEN_LIMIT_MS,
      },
      { what: '… longest', value: Math.max(...screens), unit: 'ms' },
      {
        what: '1 GiB: most heap, with what may be collected',
        value: heap.most / MIB,
        unit: 'MiB',
        limit: HEAP_LIMIT_MIB,
      },
      { what: '… heap in the end, after a collection', value: heap.kept / MIB, unit: 'MiB' },
    ],
    { busy, screens, heap },
  );
} finally {
  await browser.close();
}

/** Starts a host each time, so that no line is counted yet. */
async function withWindow<T>(use: (page: Page) => Promise<T>): Promise<T> {
  const served: Served = await serve(path, small);
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  try {
    await page.goto(served.url);
    await item(page, 'package.json').click();
    await page.waitForSelector('[data-line="1"][data-fetched]');
    return await use(page);
  } finally {
    await page.close();
    await served.stop();
  }
}

function item(page: Page, name: string) {
  return page.locator('[data-artifact]').filter({ hasText: name }).first();
}

/** Milliseconds until the rows of the first screen were painted. */
async function firstScreen(page: Page): Promise<number> {
  const shown = page.evaluate(
    (name) =>
      new Promise<number>((resolve) => {
        let began = 0;
        addEventListener('click', () => (began ||= performance.now()), { capture: true });
        const look = () => {
          const isBig = document.title.startsWith(name);
          const rows = document.querySelectorAll('[data-viewer] [data-line][data-fetched]').length;
          // By the next frame, the drawing of this one is on the screen.
          if (began > 0 && isBig && rows > 20)
            requestAnimationFrame(() => resolve(performance.now() - began));
          else requestAnimationFrame(look);
        };
        look();
      }),
    bigName,
  );
  await item(page, bigName).click();
  return shown;
}

async function mostHeap(page: Page): Promise<{ most: number; kept: number }> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  let most = 0;
  let isOver = false;
  const looking = (async () => {
    while (!isOver) {
      most = Math.max(most, await heapOf(devtools));
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  })();
  await firstScreen(page);
  await page.waitForFunction(
    () => !/counting/.test(document.querySelector('[data-status="where"]')?.textContent ?? 'counting'),
    null,
    { timeout: 120_000 },
  );
  await page.locator('[data-viewer]').focus();
  await page.keyboard.press('s');
  await page.keyboard.press('/');
  await page.keyboard.type('call', { delay: 50 });
  await page.keyboard.press('Enter');
  await page.locator('[data-viewer]').focus();
  for (const mode of ['as it is', 'wrapped', 'filtered']) {
    if (mode === 'wrapped') await page.keyboard.press('w');
    if (mode === 'filtered') await filter(page);
    for (let turn = 0; turn < 60; turn += 1) {
      await page.keyboard.press('PageDown');
      if (turn % 3 === 0) await goTo(page, `${(turn * 97) % 100}%`);
    }
  }
  await page.waitForFunction(
    () => !/[0-9] %/.test(document.querySelector('[data-filter="count"]')?.textContent ?? ''),
    null,
    { timeout: 120_000 },
  );
  isOver = true;
  await looking;
  await devtools.send('HeapProfiler.collectGarbage');
  return { most, kept: await heapOf(devtools) };
}

async function heapOf(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN;
}

async function filter(page: Page): Promise<void> {
  await page.keyboard.press('Shift+F');
  await page.getByRole('textbox', { name: 'Lines with' }).fill('mov');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-filter="count"]');
  await page.locator('[data-viewer]').focus();
}

async function goTo(page: Page, destination: string): Promise<void> {
  await page.keyboard.press('g');
  await page.getByRole('textbox', { name: 'Line' }).fill(destination);
  await page.keyboard.press('Enter');
}
