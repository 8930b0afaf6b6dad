import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifact } from '../../../shared/artifact.ts';
import { dress } from '../fixtures/dressed.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';
import { ListPage } from '../fixtures/list-page.ts';
import { logFolder, logLine, writeLines } from '../fixtures/logs.ts';
import type { TextPage } from '../fixtures/text-page.ts';

/** Commands of two sessions, by how they went. */
const RUNS: Record<string, { command: string; session: string; lines: number; change?: Partial<Artifact> }> =
  {
    running: { command: 'npm test -- --watch', session: 'fix the flaky login test', lines: 812 },
    failed: {
      command: 'cargo build --release --target x86_64-unknown-linux-gnu',
      session: 'fix the flaky login test',
      lines: 4821,
      change: { exit_code: 101, duration_ms: 83_211 },
    },
    succeeded: {
      command: 'pytest -x tests/api',
      session: 'fix the flaky login test',
      lines: 2300,
      change: { exit_code: 0, duration_ms: 12_400, pinned: true },
    },
    timed_out: {
      command: 'make -j8 all',
      session: 'nightly',
      lines: 9120,
      change: { duration_ms: 3_600_000 },
    },
    interrupted: { command: 'kubectl logs -f web', session: 'nightly', lines: 310 },
    cancelled: { command: 'terraform plan', session: 'nightly', lines: 57, change: { signal: 'SIGINT' } },
  };

/** Presents the files that `runsIn` made as outputs of commands. */
function asRuns(artifact: Artifact): Artifact {
  const status = artifact.label.match(/^run-(\w+)\.log$/)?.[1] ?? '';
  const run = RUNS[status];
  if (!run) return artifact;
  const { command, session, lines, change } = run;
  return {
    ...artifact,
    kind: 'cmd',
    source: 'captures',
    session,
    command,
    args: [],
    status: status as Artifact['status'],
    streams: artifact.streams.map((stream) => ({ ...stream, total_lines: lines })),
    ...change,
  };
}

function runsIn(parent: string): string {
  const path = join(parent, 'runs');
  mkdirSync(path);
  for (const [status, { lines }] of Object.entries(RUNS))
    writeLines(path, `run-${status}.log`, lines, logLine);
  return path;
}

test.describe('the list', () => {
  test.use({ viewport: { width: 1400, height: 800 } });

  test('is in groups', async ({ inspector, page }) => {
    const service = logFolder(inspector.folder, 'service', ['one.log', 'two.log', 'three.log']);
    const long = 'a-very-long-name-that-does-not-fit-into-the-list-2026-01-13.json';
    const other = logFolder(inspector.folder, 'other', ['x.log', long]);
    const text = await inspector.open([service, other]);
    const list = new ListPage(page);
    await test.step('is grouped by source or not at all, and remembers which', async () => {
      await expect(list.items).toHaveCount(5);
      // A button that shrank under the pointer would close its menu when the pointer is let go.
      const grouping = page.getByRole('button', { name: 'By session' });
      const width = await grouping.evaluate((button) => button.clientWidth);
      await grouping.click();
      await expect(page.getByRole('menuitemradio', { name: 'By source' })).toBeVisible();
      expect(await grouping.evaluate((button) => button.clientWidth)).toBe(width);
      await page.keyboard.press('Escape');
      await list.groupBy('Without groups');
      await expect(list.headings).toHaveCount(0);
      await list.groupBy('By source');
      await expect(list.headings).toHaveCount(2);
      await list.heading(service).click();
      await expect(list.items).toHaveCount(2);
      await expect(list.heading(service)).toHaveAttribute('aria-expanded', 'false');
      await expect(list.heading(service)).toHaveAccessibleName(`${service} 3 items`);
      await expect(list.item('x.log')).toHaveAttribute('aria-level', '2');

      // Shortened in the middle: both ends can be read.
      const name = list.items.filter({ hasText: 'a-very-long' });
      await expect(name.getByText('26-01-13.json')).toBeInViewport({ ratio: 1 });
      await expect(list.item('x.log').getByText('log', { exact: true })).toBeVisible();
      await expect(name).toContainText('KiB');
      await expect(name.locator('time')).toHaveText('now');
      await expect(name.locator('time')).toHaveAttribute(
        'title',
        /^Created \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/,
      );

      await page.reload();
      await expect(list.headings).toHaveCount(2);
      await page.getByRole('main').click();
      await page.keyboard.press('b');
      await expect(list.headings).toHaveCount(0);
      await expect(list.items).toHaveCount(5);
    });

    await test.step('is walked, folded and filtered with keys alone', () => isWalked(text));
  });

  test('shows new, growing and removed artifacts, and keeps its scroll position', async ({
    inspector,
    page,
  }) => {
    const names = Array.from({ length: 60 }, (_, number) => `log-${number}.log`);
    const folder = logFolder(inspector.folder, 'many', names);
    await inspector.open([folder]);
    const list = new ListPage(page);
    await expect(page.getByText('60 items')).toBeVisible();
    await list.tree.focus();
    await page.keyboard.press('End');
    const looked = list.items.last();
    await expect(looked).toHaveAttribute('aria-posinset', '60');
    const place = (await looked.boundingBox())!;
    writeFileSync(join(folder, 'new.log'), 'new\n');
    await expect(page.getByText('61 items')).toBeVisible();
    await expect(looked).toHaveAttribute('aria-posinset', '61');
    expect((await looked.boundingBox())!.y).toBe(place.y);

    await page.keyboard.press('Home');
    await expect(list.item('new.log')).toContainText('4 B');
    appendFileSync(join(folder, 'new.log'), 'x'.repeat(2044));
    await expect(list.item('new.log')).toContainText('2 KiB');
    rmSync(join(folder, 'new.log'));
    await expect(page.getByText('60 items')).toBeVisible();
    await expect(list.item('new.log')).toHaveCount(0);
  });

  test('shows each status in words, and filters by running and failed', async ({ inspector, page }) => {
    await dress(page, { artifact: asRuns });
    const runs = runsIn(inspector.folder);
    await inspector.open([runs, logFolder(inspector.folder, 'service', ['access.log', 'error.log'])]);
    const list = new ListPage(page);
    await expect(list.items).toHaveCount(8);
    await expect(list.headings).toHaveCount(3);
    for (const [status, words] of Object.entries({
      running: 'running',
      failed: 'failed (101)',
      succeeded: 'succeeded',
      timed_out: 'timed out',
      interrupted: 'interrupted',
      cancelled: 'cancelled (SIGINT)',
    })) {
      const item = list.items.filter({ has: page.getByTitle(RUNS[status]!.command, { exact: true }) });
      await expect(item.getByText(words, { exact: true })).toBeVisible();
    }
    const failed = list.items.filter({ hasText: 'cargo' });
    await expect(failed).toContainText('4,821 lines');
    await expect(list.item('pytest -x tests/api').getByTitle('Pinned')).toBeVisible();
    await expect(list.item('pytest -x tests/api')).toHaveAccessibleName(
      /^pytest -x tests\/api command, pinned .*succeeded/,
    );
    await expect(list.heading('fix the flaky login test')).toHaveAccessibleName(
      'fix the flaky login test 1 running 1 failed 3 items',
    );
    await failed.click();
    await expect(page.getByRole('main').getByText('failed (exit 101)')).toBeVisible();
    await keep(page, 'list-by-session');
    await page.getByRole('button', { name: '2 failed' }).click();
    await expect(list.items).toHaveCount(2);
    await page.getByRole('button', { name: '1 running' }).click();
    await list.shows(['npm test -- --watch']);
    await page.getByRole('button', { name: '1 running' }).click();
    await expect(list.items).toHaveCount(8);
    await list.groupBy('By source');
    await expect(list.heading('Captures')).toBeVisible();
    await keep(page, 'list-by-source');
    await page.setViewportSize({ width: 700, height: 800 });
    await expect(list.tree).toHaveCount(0);
    await page.keyboard.press('Control+b');
    await expect(list.tree).toBeFocused();
    await keep(page, 'list-narrow');
  });
});

test('a command that is recorded is listed while it runs, and says how it ended', async ({
  inspector,
  page,
}) => {
  const text = await inspector.open([]);
  const list = new ListPage(page);
  const go = join(inspector.folder, 'go on');
  const script = `const fs = require('node:fs');
    console.log('it began');
    const timer = setInterval(() => {
      if (!fs.existsSync(process.argv[1])) return;
      clearInterval(timer);
      console.log('it ended');
      process.exitCode = 7;
    }, 50);`;
  const ended = inspector.spillway('run', '--session', 'one task', '--', process.execPath, '-e', script, go);
  await expect(list.items).toHaveCount(1);
  await expect(list.items.getByText('running', { exact: true })).toBeVisible();
  await expect(text.scroller).toContainText('it began');
  await expect(list.heading('one task')).toHaveAccessibleName('one task 1 running 1 item');
  writeFileSync(go, '');
  expect(await ended).toBe(7);
  await expect(list.items.getByText('failed (7)', { exact: true })).toBeVisible();
  await expect(text.scroller).toContainText('it ended');
  await expect(list.heading('one task')).toHaveAccessibleName('one task 1 failed 1 item');
});

async function isWalked(text: TextPage): Promise<void> {
  const { page } = text;
  const list = new ListPage(page);
  await list.groupBy('By source');
  await expect(list.items).toHaveCount(5);
  await list.tree.focus();
  await page.keyboard.press('Home');
  await expect(list.active).toHaveAttribute('data-group', /other$/);
  await page.keyboard.press('ArrowLeft');
  await expect(list.items).toHaveCount(3);
  await page.keyboard.press('ArrowRight');
  await expect(list.items).toHaveCount(5);
  await page.keyboard.press('ArrowRight');
  await expect(list.active).toHaveAccessibleName(/^a-very-long/);
  await page.keyboard.press('ArrowLeft');
  await expect(list.active).toHaveAttribute('data-group', /other$/);
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(text.scroller).toBeFocused();
  const last = (await list.names()).at(-1);
  await expect(page.getByRole('heading', { name: last! })).toBeVisible();

  // Letters go to the filter, also the keys of the text.
  await list.tree.focus();
  await page.keyboard.type('two');
  await expect(list.filter).toBeFocused();
  await expect(list.filter).toHaveValue('two');
  await list.shows(['two.log']);
  // The open item is not among those found: the row that Enter opens is shown, and told.
  await page.keyboard.press('ArrowDown');
  await expect(list.active).toHaveCSS('outline-style', 'solid');
  await expect(list.active).toHaveAccessibleName(/^two\.log/);
  await expect(list.filter).toHaveAttribute('aria-activedescendant', /./);
  const told = await list.filter.getAttribute('aria-activedescendant');
  await expect(list.active).toHaveAttribute('id', told!);
  await keep(page, 'list-filter-choice');
  await page.keyboard.press('Enter');
  await expect(text.row(1)).toContainText('two.log 1');
  await page.keyboard.press('l');
  await page.keyboard.press('Escape');
  await expect(list.items).toHaveCount(5);
  await page.keyboard.type('no such thing');
  await expect(page.getByText('Nothing matches “no such thing”')).toBeVisible();
  await keep(page, 'list-no-hits');
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await expect(list.items).toHaveCount(5);
}
