/**
 * A file written at 10,000 lines a second, followed in a real browser: the time between frames, how far the screen is
 * behind the writer, whether every line arrives, and what it takes of memory. Ten minutes make 300 MB;
 * SPILLWAY_FOLLOW_MINUTES asks for another time.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright';
import { makeFolder, removeFolder } from '../fixtures/folder.ts';
import { launch, serve, watchFrames } from './browser.ts';
import { MIB, percentile, report } from './harness.ts';
import { quiet } from './quiet.ts';

const MINUTES = Number(process.env.SPILLWAY_FOLLOW_MINUTES ?? 10);
const PER_SECOND = 10_000;
/** Bytes of every line, so that a line's offset follows from its number. */
const LINE_BYTES = 50;
const EVERY_MS = 10;
const SAMPLE_MS = 5000;

const folder = makeFolder();
const path = join(folder, 'followed.log');
const file = openSync(path, 'w+');
let written = 0;
write(1000);
const served = await serve(path);
const browser = await launch();
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(served.url);
  await page.waitForSelector('[data-line="1"][data-fetched]');
  await page.keyboard.press('f');
  await page.waitForSelector('[data-line="1000"][data-fetched]');
  const busy = await quiet(30_000);
  const devtools = await page.context().newCDPSession(page);
  const frames = await watchFrames(page);
  const rows = await watchRows(page);
  const memory = await writeAndSample(devtools);
  const end = written;
  await page.waitForSelector(`[data-line="${end}"][data-fetched]`);
  const times = await frames();
  const { seen, lag } = await rows();
  await page.waitForFunction(
    (last) => document.querySelector('[data-status="where"]')?.textContent?.endsWith(`of ${last}`),
    end.toLocaleString('en-US'),
  );
  const wrong = seen.filter(({ line, text }) => text !== lineAt(line));
  const visited = await visit(page, end);
  const [first] = memory;
  const settled = memory.slice(Math.floor(memory.length / 3));
  const growth = (of: (sample: Sample) => number) =>
    Math.max(...settled.map(of)) - Math.min(...settled.map(of));
  report(
    'follow',
    [
      { what: 'megabytes written', value: (end * LINE_BYTES) / 1e6, unit: 'MB' },
      {
        what: 'following 10,000 lines a second, p95 frame',
        value: percentile(times, 95),
        unit: 'ms',
        limit: 33,
      },
      { what: '… p99 frame', value: percentile(times, 99), unit: 'ms' },
      { what: '… the screen behind the writer, median', value: percentile(lag, 50), unit: 'ms' },
      { what: '… the screen behind the writer, p95', value: percentile(lag, 95), unit: 'ms' },
      {
        what: 'rows seen on the way that are not the file’s',
        value: wrong.length,
        unit: `of ${seen.length}`,
        limit: 0,
      },
      {
        what: 'lines visited afterwards that are not the file’s',
        value: visited.wrong,
        unit: `of ${visited.lines}`,
        limit: 0,
      },
      { what: 'scripts’ memory, first', value: (first?.heap ?? 0) / MIB, unit: 'MiB' },
      {
        what: 'scripts’ memory, most less least after a third',
        value: growth(({ heap }) => heap) / MIB,
        unit: 'MiB',
        limit: 8,
      },
      {
        what: 'nodes of the page, most less least after a third',
        value: growth(({ nodes }) => nodes),
        unit: '',
        limit: 1500,
      },
    ],
    { minutes: MINUTES, busy, lines: end, memory, frames: histogram(times), lag: histogram(lag) },
  );
} finally {
  await browser.close();
  await served.stop();
  closeSync(file);
  removeFolder(folder);
}

interface Sample {
  /** Seconds since the writing began. */
  at: number;
  /** Bytes, after a collection. */
  heap: number;
  nodes: number;
}

/** Its number and when it was written, and blanks. */
function lineOf(number: number, now: number): string {
  return `${String(number).padStart(10)} ${now} followed to its end`.padEnd(LINE_BYTES - 1);
}

function write(count: number): void {
  const now = Date.now();
  let text = '';
  for (let index = 1; index <= count; index += 1) text += `${lineOf(written + index, now)}\n`;
  writeSync(file, text);
  written += count;
}

function lineAt(number: number): string {
  const line = Buffer.alloc(LINE_BYTES - 1);
  readSync(file, line, 0, line.length, (number - 1) * LINE_BYTES);
  return line.toString();
}

async function writeAndSample(devtools: CDPSession): Promise<Sample[]> {
  const began = performance.now();
  const before = written;
  const samples: Sample[] = [];
  let stopped = false;
  const writing = (async () => {
    for (let spent = 0; spent < MINUTES * 60_000; spent = performance.now() - began) {
      const due = before + Math.floor((spent / 1000) * PER_SECOND) - written;
      if (due > 0) write(due);
      await wait(EVERY_MS);
    }
    stopped = true;
  })();
  await devtools.send('Performance.enable');
  for (let next = 0; !stopped; await wait(50)) {
    const at = performance.now() - began;
    if (at < next) continue;
    next += SAMPLE_MS;
    await devtools.send('HeapProfiler.collectGarbage');
    const { metrics } = await devtools.send('Performance.getMetrics');
    const metric = (name: string) => metrics.find((each) => each.name === name)?.value ?? Number.NaN;
    samples.push({ at: Math.round(at / 1000), heap: metric('JSHeapUsedSize'), nodes: metric('Nodes') });
  }
  await writing;
  return samples;
}

/** Looks every frame at how old the last row on the screen is, and four times a second at all rows. */
async function watchRows(page: Page) {
  await page.evaluate(() => {
    const looked = { seen: [] as { line: number; text: string }[], lag: [] as number[], on: true };
    Object.assign(window, { looked });
    const read = (row: HTMLElement) => ({
      line: Number(row.dataset.line),
      text: row.querySelector('[role="cell"]')?.textContent ?? '',
    });
    let turn = 0;
    const look = () => {
      const rows = [...document.querySelectorAll<HTMLElement>('[data-viewer] [data-line][data-fetched]')].map(
        read,
      );
      const last = rows.reduce((a, b) => (b.line > a.line ? b : a), { line: 0, text: '' });
      if (last.line > 0) looked.lag.push(Date.now() - Number(last.text.trim().split(' ')[1]));
      if (turn % 15 === 0) looked.seen.push(...rows.filter((_, index) => index % 7 === 0));
      turn += 1;
      if (looked.on) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  return () =>
    page.evaluate(() => {
      const { looked } = window as unknown as {
        looked: { seen: { line: number; text: string }[]; lag: number[]; on: boolean };
      };
      looked.on = false;
      return looked;
    });
}

/** Goes to lines all over the text and compares the screen with the file. */
async function visit(page: Page, total: number): Promise<{ lines: number; wrong: number }> {
  let lines = 0;
  let wrong = 0;
  for (let stop = 0; stop <= 40; stop += 1) {
    const line = Math.max(1, Math.round((total * stop) / 40));
    await page.keyboard.press('g');
    await page.getByRole('textbox', { name: 'Line' }).fill(String(line));
    await page.keyboard.press('Enter');
    await page.waitForSelector(`[data-line="${line}"][data-fetched]`);
    const rows = await page.locator('[data-viewer] [data-line][data-fetched]').evaluateAll((each) =>
      (each as HTMLElement[]).map((row) => ({
        line: Number(row.dataset.line),
        text: row.querySelector('[role="cell"]')?.textContent ?? '',
      })),
    );
    lines += rows.length;
    wrong += rows.filter((row) => row.text !== lineAt(row.line)).length;
  }
  return { lines, wrong };
}

/** Counts of frames by whole milliseconds. */
function histogram(times: readonly number[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const time of times) counts[Math.round(time)] = (counts[Math.round(time)] ?? 0) + 1;
  return counts;
}
