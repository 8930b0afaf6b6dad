/** An open file that is renamed, replaced, deleted or changed, and one that is returned to. */
import { appendFileSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dress } from '../fixtures/dressed.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';
import { ListPage } from '../fixtures/list-page.ts';
import { logFolder, logLine, writeLines } from '../fixtures/logs.ts';

test.describe('an open file', () => {
  test('that grows is as old in the list as its last change', async ({ inspector, page }) => {
    const folder = logFolder(inspector.folder, 'service', ['app.log', 'other.log']);
    const born = new Date('2026-01-13T10:00:00Z');
    utimesSync(join(folder, 'app.log'), born, born);
    const text = await inspector.open([folder]);
    const list = new ListPage(page);
    await list.item('app.log').click();
    await text.counted(40);
    const age = list.item('app.log').locator('time');
    await expect(age).toHaveAttribute('datetime', born.toISOString());
    appendFileSync(join(folder, 'app.log'), 'more\n');
    await text.counted(41);
    await expect(age).not.toHaveAttribute('datetime', born.toISOString());
    await expect(age).toHaveText('now');
  });

  test('that is renamed says so and leads to its new name', async ({ inspector, page }) => {
    const folder = logFolder(inspector.folder, 'service', ['app.log', 'other.log']);
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
    const folder = logFolder(inspector.folder, 'service', ['app.log', 'other.log']);
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

  test('that is deleted says so, keeps its lines, and shows a new file at its path', async ({
    inspector,
    page,
  }) => {
    const folder = logFolder(inspector.folder, 'service', ['app.log', 'other.log']);
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
    const folder = logFolder(inspector.folder, 'service', ['app.log', 'other.log']);
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
    const folder = logFolder(inspector.folder, 'service', ['app.log']);
    const text = await inspector.open([folder]);
    await text.counted(40);
    truncateSync(join(folder, 'app.log'), 0);
    await expect(page.getByText('The file is empty')).toBeVisible();
    writeFileSync(join(folder, 'other.log'), Buffer.alloc(300));
    renameSync(join(folder, 'other.log'), join(folder, 'app.log'));
    await expect(page.getByRole('button', { name: 'Show as text' })).toBeVisible();
    await keep(page, 'binary');
    writeFileSync(join(folder, 'app.log'), 'text again\n');
    await expect(text.row(1)).toContainText('text again');
  });

  test('that may not be read says how it can be, and is shown once it may', async ({ inspector, page }) => {
    // Root may read everything, so tell the window that the file is unreadable.
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
              problem: { what: 'no permission to read the file', todo: 'change its permissions' },
            },
    });
    const path = writeLines(inspector.folder, 'its secret.log', 0, logLine);
    const text = await inspector.open([path]);
    await expect(page.getByRole('heading', { name: 'No permission to read the file' })).toBeVisible();
    await expect(page.getByLabel('Library').getByText('it may not be read')).toBeVisible();
    await expect(page.getByText(`chmod u+r '${path}'`)).toBeVisible();
    await keep(page, 'no-permission');
    allowed = true;
    appendFileSync(path, 'now\n');
    await expect(text.row(1)).toContainText('now');
  });
});

test('an artifact comes back as it was left: its lines, selection, search and stream', async ({
  inspector,
  page,
}) => {
  const folder = logFolder(inspector.folder, 'service', ['other.log']);
  writeLines(folder, 'app.log', 5000, logLine);
  const text = await inspector.open([folder]);
  const list = new ListPage(page);
  await list.item('app.log').click();
  await text.counted(5000);
  await text.goTo('3000');
  await expect(text.status).toHaveText('Line 3,000 of 5,000');
  await page.keyboard.press('/');
  await page.keyboard.insertText('WARN');
  await expect(page.locator('[data-search="count"]')).toHaveText('5 matching lines');
  await text.wheel(18 * 100 + 7);
  const top = await text.firstWholeLine();
  await list.item('other.log').click();
  await text.counted(40);
  await expect(page.getByRole('textbox', { name: 'Pattern' })).toHaveCount(0);
  await list.item('app.log').click();
  await text.counted(5000);
  await expect(page.getByRole('textbox', { name: 'Pattern' })).toHaveValue('WARN');
  await expect(page.locator('[data-search="count"]')).toHaveText('5 matching lines');
  await expect.poll(() => text.firstWholeLine()).toBe(top);
  await expect(text.selected).toHaveText('line 3,000 selected');
  // The Back button leads to the other one, and back again.
  await page.goBack();
  await text.counted(40);
  await page.goForward();
  await expect.poll(() => text.firstWholeLine()).toBe(top);
  await expect(text.selected).toHaveText('line 3,000 selected');
});
