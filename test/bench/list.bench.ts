/**
 * A list of ten thousand files in a real browser: how long a window takes to open on it, and what typing in the filter
 * and scrolling the list cost while nothing happens and while a thousand files change each second.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { makeFolder, removeFolder } from '../fixtures/folder.ts';
import { launch, serve, watchFrames } from './browser.ts';
import { type Figure, median, percentile, report } from './harness.ts';
import { quiet } from './quiet.ts';

const FILES = 10_000;
const CHANGES = 1000;
const OPENINGS = 7;
const ROUND_MS = 20;

const folder = makeFolder();
const paths = Array.from({ length: FILES }, (_, index) =>
  join(folder, `${['build', 'test', 'deploy', 'access'][index % 4]}-of-service-${index}.log`),
);
for (const [index, path] of paths.entries()) writeFileSync(path, `line one of ${index}\n`);
const served = await serve(folder);
const browser = await launch();
try {
  await opened(browser);
  const othersBusy = await quiet(30_000);
  const openings: Opening[] = [];
  for (let turn = 0; turn < OPENINGS; turn += 1) openings.push(await opened(browser));
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(served.url);
  await page.getByText('10,000 items').waitFor();
  await page.waitForTimeout(1000);
  const still = { typing: await typed(page), scrolling: await scrolled(page) };
  const stop = change();
  await page.waitForTimeout(1000);
  const changing = { typing: await typed(page), scrolling: await scrolled(page) };
  const changed = stop();
  const figures: Figure[] = [
    {
      what: 'from the address to the list’s rows',
      value: median(openings.map(({ list }) => list)),
      unit: 'ms',
      limit: 500,
    },
    {
      what: 'from the address to the first line of text',
      value: median(openings.map(({ text }) => text)),
      unit: 'ms',
    },
    {
      what: 'from the address to all 10,000 in the list',
      value: median(openings.map(({ all }) => all)),
      unit: 'ms',
    },
    {
      what: 'a key in the filter to its frame, p95',
      value: percentile(still.typing, 95),
      unit: 'ms',
      limit: 50,
    },
    {
      what: '… while 1,000 files change a second',
      value: percentile(changing.typing, 95),
      unit: 'ms',
      limit: 50,
    },
    { what: 'the list scrolled, p95 frame', value: percentile(still.scrolling, 95), unit: 'ms', limit: 33 },
    {
      what: '… while 1,000 files change a second',
      value: percentile(changing.scrolling, 95),
      unit: 'ms',
      limit: 33,
    },
    { what: 'changes a second that were made', value: changed, unit: '' },
  ];
  report('list', figures, { othersBusy, openings, still, changing });
} finally {
  await browser.close();
  await served.stop();
  removeFolder(folder);
}

/** Milliseconds since the navigation began. */
interface Opening {
  list: number;
  text: number;
  all: number;
}

async function opened(browser: Browser): Promise<Opening> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const opening: Record<string, number> = {};
    Object.assign(window, { opening });
    const look = () => {
      const drawn = (selector: string) => document.querySelector(selector) !== null;
      if (drawn('[data-artifact]')) opening.list ??= performance.now();
      if (drawn('[data-fetched]')) opening.text ??= performance.now();
      if (document.querySelector('aside [role="status"]')?.textContent === '10,000 items')
        opening.all ??= performance.now();
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(served.url);
  await page.waitForFunction(() => 'all' in (window as unknown as { opening: object }).opening);
  await page.waitForFunction(() => 'text' in (window as unknown as { opening: object }).opening);
  const opening = await page.evaluate(() => (window as unknown as { opening: Opening }).opening);
  await context.close();
  return opening;
}

/** Milliseconds from each key to the frame that follows it, painted. */
async function typed(page: Page): Promise<number[]> {
  await page.evaluate(() => {
    const keys: number[] = [];
    const listen = (event: Event) => {
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () =>
          keys.push(Math.round((performance.now() - event.timeStamp) * 100) / 100);
        channel.port2.postMessage(null);
      });
    };
    window.addEventListener('keydown', listen, true);
    Object.assign(window, { keys, deaf: () => window.removeEventListener('keydown', listen, true) });
  });
  const filter = page.getByRole('searchbox', { name: 'Filter the list' });
  await filter.focus();
  for (const word of ['deploy service 12', 'build 777', 'access of serv', 'test-of-service-9']) {
    await page.keyboard.type(word, { delay: 60 });
    for (let each = 0; each < word.length; each += 1) await page.keyboard.press('Backspace', { delay: 20 });
  }
  return page.evaluate(() => {
    const { keys, deaf } = window as unknown as { keys: number[]; deaf: () => void };
    deaf();
    return keys;
  });
}

/** Milliseconds between frames. */
async function scrolled(page: Page): Promise<number[]> {
  const list = (await page.getByRole('tree').boundingBox())!;
  await page.mouse.move(list.x + 100, list.y + 200);
  const frames = await watchFrames(page);
  for (let step = 0; step < 300; step += 1) {
    await page.mouse.wheel(0, step < 240 ? 240 : -900);
    await page.waitForTimeout(8);
  }
  return frames();
}

/** Starts to change files. The returned function stops, and returns the number of changes a second. */
function change(): () => number {
  const began = performance.now();
  let changed = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - began) / 1000) * CHANGES);
    for (; changed < due; changed += 1)
      appendFileSync(paths[(changed * 7919) % FILES]!, 'and another line\n');
  }, ROUND_MS);
  return () => {
    clearInterval(timer);
    return changed / ((performance.now() - began) / 1000);
  };
}
