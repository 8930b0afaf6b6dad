import { appendFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifact } from '../../shared/artifact.ts';
import { dress } from './fixtures/dressed.ts';
import { expect, test } from './fixtures/inspector.ts';
import { keep } from './fixtures/keep.ts';
import { ListPage } from './fixtures/list-page.ts';
import { logLine, writeLines } from './fixtures/logs.ts';

/** A folder with a log of a few lines by each name, each born after the one before. */
function logs(parent: string, folder: string, names: readonly string[]): string {
  const path = join(parent, folder);
  mkdirSync(path);
  for (const name of names) writeLines(path, name, 40, (number) => `${name} ${number}`);
  return path;
}

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

/** Shows the files that `runsIn` made as what those commands printed. */
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

  test('is grouped by source or not at all, and remembers which', async ({ inspector, page }) => {
    const service = logs(inspector.folder, 'service', ['access.log', 'error.log']);
    const long = 'a-very-long-name-that-does-not-fit-into-the-list-2026-01-13.json';
    const other = logs(inspector.folder, 'other', ['x.log', long]);
    await inspector.open([service, other]);
    const list = new ListPage(page);
    await expect(list.items).toHaveCount(4);
    await expect(list.headings).toHaveCount(0);
    await list.groupBy('By source');
    await expect(list.headings).toHaveCount(2);
    await list.heading(service).click();
    await expect(list.items).toHaveCount(2);
    await expect(list.heading(service)).toHaveAttribute('aria-expanded', 'false');
    await expect(list.heading(service)).toHaveAttribute('aria-label', `${service}, 2 items`);
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
    await expect(list.items).toHaveCount(4);
  });

  test('is walked, folded and filtered with keys alone', async ({ inspector, page }) => {
    const folder = logs(inspector.folder, 'service', ['one.log', 'two.log', 'three.log']);
    const text = await inspector.open([folder, logs(inspector.folder, 'other', ['four.log'])]);
    const list = new ListPage(page);
    await list.groupBy('By source');
    await expect(list.items).toHaveCount(4);
    await list.tree.focus();
    await page.keyboard.press('Home');
    await expect(list.active).toHaveAttribute('data-group', /other$/);
    await page.keyboard.press('ArrowLeft');
    await expect(list.items).toHaveCount(3);
    await page.keyboard.press('ArrowRight');
    await expect(list.items).toHaveCount(4);
    await page.keyboard.press('ArrowRight');
    await expect(list.active).toHaveAttribute('aria-label', /^four\.log/);
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
    await page.keyboard.press('Enter');
    await expect(text.row(1)).toContainText('two.log 1');
    await page.keyboard.press('l');
    await page.keyboard.press('Escape');
    await expect(list.items).toHaveCount(4);
    await page.keyboard.type('no such thing');
    await expect(page.getByText('Nothing matches “no such thing”')).toBeVisible();
    await keep(page, 'list-no-hits');
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await expect(list.items).toHaveCount(4);
  });

  test('shows what comes, grows and goes, and keeps its place meanwhile', async ({ inspector, page }) => {
    const names = Array.from({ length: 60 }, (_, number) => `log-${number}.log`);
    const folder = logs(inspector.folder, 'many', names);
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
    await expect(list.item('new.log')).toContainText('2.00 KiB');
    rmSync(join(folder, 'new.log'));
    await expect(page.getByText('60 items')).toBeVisible();
    await expect(list.item('new.log')).toHaveCount(0);
  });

  test('says in words how commands went, and lists only those that run or failed', async ({
    inspector,
    page,
  }) => {
    await dress(page, { artifact: asRuns });
    const runs = runsIn(inspector.folder);
    await inspector.open([runs, logs(inspector.folder, 'service', ['access.log', 'error.log'])]);
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
    await expect(list.item('pytest -x tests/api')).toHaveAccessibleName(/, succeeded, [^,]+, pinned$/);
    await expect(list.heading('fix the flaky login test')).toHaveAttribute(
      'aria-label',
      'fix the flaky login test, 3 items, 1 running, 1 failed',
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
  await expect(list.heading('one task')).toHaveAttribute('aria-label', 'one task, 1 item, 1 running');
  writeFileSync(go, '');
  expect(await ended).toBe(7);
  await expect(list.items.getByText('failed (7)', { exact: true })).toBeVisible();
  await expect(text.scroller).toContainText('it ended');
  await expect(list.heading('one task')).toHaveAttribute('aria-label', 'one task, 1 item, 1 failed');
});

test.describe('an open file', () => {
  test('that is renamed says so and leads to its new name', async ({ inspector, page }) => {
    const folder = logs(inspector.folder, 'service', ['app.log', 'other.log']);
    const text = await inspector.open([folder]);
    const list = new ListPage(page);
    await list.item('app.log').click();
    await expect(text.row(1)).toContainText('app.log 1');
    renameSync(join(folder, 'app.log'), join(folder, 'app.log.1'));
    await expect(page.getByText('Renamed', { exact: true })).toBeVisible();
    await expect(text.row(1)).toContainText('app.log 1');
    await keep(page, 'renamed');
    await page.getByRole('button', { name: 'Show app.log.1' }).click();
    await expect(page.getByRole('heading', { name: 'app.log.1' })).toBeVisible();
    await expect(page.getByText('Renamed', { exact: true })).toHaveCount(0);
    await expect(text.row(1)).toContainText('app.log 1');
  });

  test('that is replaced stays the chosen one, and a reload finds it', async ({ inspector, page }) => {
    const folder = logs(inspector.folder, 'service', ['app.log', 'other.log']);
    const text = await inspector.open([folder]);
    const list = new ListPage(page);
    await list.item('app.log').click();
    await text.counted(40);
    renameSync(join(folder, 'app.log'), join(folder, 'app.log.1'));
    writeFileSync(join(folder, 'app.log'), 'after rotation\n');
    await expect(text.row(1)).toContainText('after rotation');
    await expect(page.getByText('Changed', { exact: true })).toBeVisible();
    await expect(list.item('app.log')).toHaveAttribute('aria-selected', 'true');
    await page.reload();
    await expect(text.row(1)).toContainText('after rotation');
    await expect(list.item('app.log')).toHaveAttribute('aria-selected', 'true');
  });

  test('that is deleted says so, keeps what was read, and shows what comes in its place', async ({
    inspector,
    page,
  }) => {
    const folder = logs(inspector.folder, 'service', ['app.log', 'other.log']);
    const text = await inspector.open([folder]);
    const list = new ListPage(page);
    await list.item('app.log').click();
    await text.counted(40);
    rmSync(join(folder, 'app.log'));
    await expect(page.getByRole('alert').filter({ hasText: 'Gone' })).toBeVisible();
    await expect(list.item('app.log')).toHaveCount(0);
    await expect(text.row(1)).toContainText('app.log 1');
    await keep(page, 'gone');
    writeFileSync(join(folder, 'app.log'), 'back again\n');
    await expect(text.row(1)).toContainText('back again');
    await expect(page.getByText('Gone', { exact: true })).toHaveCount(0);
    await expect(list.item('app.log')).toHaveAttribute('aria-selected', 'true');
  });

  test('that leaves the list stays readable, and says that it left', async ({ inspector, page }) => {
    let leaving: string | null = null;
    await dress(page, {
      library: (event) =>
        leaving
          ? {
              ...event,
              changed: event.changed.filter((each) => each.artifact_id !== leaving),
              removed: [...event.removed, leaving],
            }
          : event,
    });
    const folder = logs(inspector.folder, 'service', ['app.log', 'other.log']);
    const text = await inspector.open([folder]);
    const list = new ListPage(page);
    await list.item('app.log').click();
    await text.counted(40);
    leaving = await list.item('app.log').getAttribute('data-artifact');
    appendFileSync(join(folder, 'other.log'), 'something happens\n');
    await expect(list.item('app.log')).toHaveCount(0);
    await expect(page.getByText('Not listed', { exact: true })).toBeVisible();
    await expect(text.row(1)).toContainText('app.log 1');
    await list.item('other.log').click();
    await expect(page.getByText('Not listed', { exact: true })).toHaveCount(0);
  });

  test('that becomes binary, or empty, says what to do', async ({ inspector, page }) => {
    const folder = logs(inspector.folder, 'service', ['app.log']);
    const text = await inspector.open([folder]);
    await text.counted(40);
    truncateSync(join(folder, 'app.log'), 0);
    await expect(page.getByText('There is no output: it is empty')).toBeVisible();
    writeFileSync(join(folder, 'other.log'), Buffer.alloc(300));
    renameSync(join(folder, 'other.log'), join(folder, 'app.log'));
    await expect(page.getByRole('button', { name: 'Show as text' })).toBeVisible();
    await keep(page, 'binary');
    writeFileSync(join(folder, 'app.log'), 'text again\n');
    await expect(text.row(1)).toContainText('text again');
  });

  test('that may not be read says how it can be, and is shown once it may', async ({ inspector, page }) => {
    // As root everything may be read: the window is told of another condition.
    let allowed = false;
    await dress(page, {
      artifact: (artifact) =>
        allowed ? artifact : { ...artifact, warnings: ['it may not be read: change its mode'] },
      document: (state) =>
        allowed
          ? state
          : {
              ...state,
              condition: 'no_permission',
              total_bytes: 0,
              indexed_bytes: 0,
              total_lines: 0,
              problem: { what: 'the file may not be read', todo: 'change its permissions' },
            },
    });
    const path = writeLines(inspector.folder, 'its secret.log', 0, logLine);
    const text = await inspector.open([path]);
    await expect(page.getByRole('heading', { name: 'The file may not be read' })).toBeVisible();
    await expect(page.getByLabel('Library').getByText('it may not be read')).toBeVisible();
    await expect(page.getByText(`chmod u+r '${path}'`)).toBeVisible();
    await keep(page, 'no-permission');
    allowed = true;
    appendFileSync(path, 'now\n');
    await expect(text.row(1)).toContainText('now');
  });
});
