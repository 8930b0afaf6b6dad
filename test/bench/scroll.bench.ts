/**
 * Scrolling 50 million rows in a real browser against a real host: the time between frames while the text is
 * wheeled, paged, and dragged by its scrollbar, and how much of a page and of memory that takes.
 */
import type { Page } from 'playwright';
import { launch, serve } from './browser.ts';
import { type Figure, generated, percentile, report, warm } from './harness.ts';

const ROWS = 50_000_000;
const PER_BLOCK = 100_000;
/** Bytes of `row 1\n` to `row 50000000\n`. */
const BYTES = 638_888_897;

/** Milliseconds between frames, and the most elements and bytes of memory seen. */
interface Scrolled {
  frames: number[];
  elements: number;
  heap: number;
}

const path = generated('fifty-million.txt', BYTES, (block) => {
  const lines = Array.from({ length: PER_BLOCK }, (_, index) => `row ${block * PER_BLOCK + index + 1}\n`);
  return lines.join('');
});
warm(path);
const served = await serve(path);
const browser = await launch();
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const opened = performance.now();
  await page.goto(served.url);
  await page.waitForSelector('[data-fetched]');
  const firstRow = performance.now() - opened;
  await page.waitForFunction(
    (last) => document.querySelector('[data-status]')?.textContent?.endsWith(last),
    ROWS.toLocaleString('en-US'),
  );
  await goTo(page, ROWS / 2 + 1);
  const view = (await page.locator('[data-viewer]').boundingBox())!;
  const over = () => page.mouse.move(view.x + view.width / 2, view.y + view.height / 2);

  const raw = {
    'a notch of the wheel at a time': await scrolled(page, 240, over, () => page.mouse.wheel(0, 120)),
    'flung, 3000 px a step': await scrolled(page, 240, over, () => page.mouse.wheel(0, 3000)),
    'a page a key': await scrolled(page, 120, over, () => page.keyboard.press('PageDown')),
    'dragged by its scrollbar': await scrolled(
      page,
      120,
      () => grab(page),
      (step) => drag(page, step),
    ),
  };
  await page.mouse.up();
  await page.locator('[data-viewer]').focus();
  await page.keyboard.press('End');
  await page.waitForSelector(`[data-line="${ROWS}"][data-fetched]`);

  const figures: Figure[] = Object.entries(raw).map(([what, { frames }]) => ({
    what: `50 million rows ${what}, p95 frame`,
    value: percentile(frames, 95),
    unit: 'ms',
    limit: 20,
  }));
  const most = (part: 'elements' | 'heap') => Math.max(...Object.values(raw).map((each) => each[part]));
  figures.push(
    { what: 'elements in the page, at most', value: most('elements'), unit: '', limit: 1000 },
    { what: 'memory of the page’s scripts, at most', value: most('heap') / 1024 / 1024, unit: 'MiB' },
    { what: 'from the address to the first row', value: firstRow, unit: 'ms' },
  );
  report('scroll', figures, raw);
} finally {
  await browser.close();
  await served.stop();
}

async function goTo(page: Page, line: number): Promise<void> {
  await page.keyboard.press('g');
  await page.getByRole('textbox', { name: 'Line' }).fill(String(line));
  await page.keyboard.press('Enter');
  await page.waitForSelector(`[data-line="${line}"][data-fetched]`);
}

/** Does `step` some 120 times a second and looks at every frame meanwhile. */
async function scrolled(
  page: Page,
  steps: number,
  before: () => Promise<unknown>,
  step: (index: number) => Promise<unknown>,
): Promise<Scrolled> {
  await before();
  await page.evaluate(() => {
    const seen = { frames: [] as number[], elements: 0, on: true };
    Object.assign(window, { seen });
    let last = 0;
    const look = (now: number) => {
      if (last > 0) seen.frames.push(Math.round((now - last) * 100) / 100);
      last = now;
      seen.elements = Math.max(seen.elements, document.getElementsByTagName('*').length);
      if (seen.on) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  for (let index = 0; index < steps; index += 1) {
    await step(index);
    await page.waitForTimeout(8);
  }
  return page.evaluate(() => {
    const { seen } = window as unknown as { seen: { frames: number[]; elements: number; on: boolean } };
    seen.on = false;
    const { memory } = performance as unknown as { memory?: { usedJSHeapSize: number } };
    return { frames: seen.frames, elements: seen.elements, heap: memory?.usedJSHeapSize ?? 0 };
  });
}

async function middleOfTrack(page: Page): Promise<{ x: number; y: number }> {
  const track = (await page.getByRole('scrollbar', { name: 'Scroll through the lines' }).boundingBox())!;
  return { x: track.x + track.width / 2, y: track.y + track.height / 2 };
}

async function grab(page: Page): Promise<void> {
  const { x, y } = await middleOfTrack(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
}

async function drag(page: Page, step: number): Promise<void> {
  const { x, y } = await middleOfTrack(page);
  await page.mouse.move(x, y + Math.sin(step / 12) * 250);
}
