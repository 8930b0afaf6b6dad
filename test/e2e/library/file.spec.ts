/** An open file that is renamed, replaced, deleted or changed, and one that is returned to. */
import { appendFileSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dress } from '../fixtures/dressed.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';
import { ListPage } from '../fixtures/list-page.ts';
import { logFolder, logLine, writeLines } from '../fixtures/logs.ts';
import type { TextPage } from '../fixtures/text-page.ts';

test('an open file', async ({ inspector, page }) => {
  const names = ['grown.log', 'renamed.log', 'replaced.log', 'deleted.log', 'emptied.log', 'other.log'];
  const folder = logFolder(inspector.folder, 'service', names);
  const born = new Date('2026-01-13T10:00:00Z');
  utimesSync(join(folder, 'grown.log'), born, born);
  const text = await inspector.open([folder]);
  const list = new ListPage(page);
  await test.step('that grows is as old in the list as its last change', async () => {
    await list.item('grown.log').click();
    await text.counted(40);
    const age = list.item('grown.log').locator('time');
    await expect(age).toHaveAttribute('datetime', born.toISOString());
    appendFileSync(join(folder, 'grown.log'), 'more\n');
    await text.counted(41);
    await expect(age).not.toHaveAttribute('datetime', born.toISOString());
    await expect(age).toHaveText('now');
  });

  // Before one is renamed: files that were born at once are told apart by when they came into the list.
  await test.step('that is deleted says so, keeps its lines, and shows a new file at its path', async () => {
    await list.item('deleted.log').click();
    await expect(text.row(1)).toContainText('deleted.log 1');
    const before = await text.row(1).boundingBox();
    rmSync(join(folder, 'deleted.log'));
    await expect(page.getByRole('alert').filter({ hasText: 'Gone' })).toBeVisible();
    await expect(list.item('deleted.log')).toHaveCount(0);
    await expect(text.row(1)).toContainText('deleted.log 1');
    // A message that comes by itself moves no line that somebody reads.
    expect(await text.row(1).boundingBox()).toEqual(before);
    await keep(page, 'gone');
    writeFileSync(join(folder, 'deleted.log'), 'back again\n');
    await expect(text.row(1)).toContainText('back again');
    await expect(page.getByText('Gone', { exact: true })).toHaveCount(0);
    await expect(list.item('deleted.log')).toHaveAttribute('aria-selected', 'true');
  });

  await test.step('that is renamed says so and leads to its new name', async () => {
    await list.item('renamed.log').click();
    await expect(text.row(1)).toContainText('renamed.log 1');
    renameSync(join(folder, 'renamed.log'), join(folder, 'renamed.log.1'));
    await expect(page.getByText('Renamed', { exact: true })).toBeVisible();
    await expect(text.row(1)).toContainText('renamed.log 1');
    await keep(page, 'renamed');
    await page.getByRole('button', { name: 'Show renamed.log.1' }).click();
    await expect(page.getByRole('heading', { name: 'renamed.log.1' })).toBeVisible();
    await expect(page.getByText('Renamed', { exact: true })).toHaveCount(0);
    await expect(text.row(1)).toContainText('renamed.log 1');
  });

  await list.item('emptied.log').click();
  await expect(text.row(1)).toContainText('emptied.log 1');
  await test.step('that becomes binary, or empty, says what to do', async () => {
    truncateSync(join(folder, 'emptied.log'), 0);
    await expect(page.getByText('The file is empty')).toBeVisible();
    writeFileSync(join(folder, 'binary.log'), Buffer.alloc(300));
    renameSync(join(folder, 'binary.log'), join(folder, 'emptied.log'));
    await expect(page.getByRole('button', { name: 'Show as text' })).toBeVisible();
    await keep(page, 'binary');
    writeFileSync(join(folder, 'emptied.log'), 'text again\n');
    await expect(text.row(1)).toContainText('text again');
  });

  await test.step('that is replaced stays the chosen one, and a reload finds it', async () => {
    await list.item('replaced.log').click();
    await expect(text.row(1)).toContainText('replaced.log 1');
    renameSync(join(folder, 'replaced.log'), join(folder, 'replaced.log.1'));
    writeFileSync(join(folder, 'replaced.log'), 'after rotation\n');
    await expect(text.row(1)).toContainText('after rotation');
    await expect(page.getByText('Changed', { exact: true })).toBeVisible();
    await expect(list.item('replaced.log')).toHaveAttribute('aria-selected', 'true');
    await page.reload();
    await expect(text.row(1)).toContainText('after rotation');
    await expect(list.item('replaced.log')).toHaveAttribute('aria-selected', 'true');
  });
});

test('an open file that may not be read, leaves the list, or comes back', async ({ inspector, page }) => {
  const secret = 'its secret.log';
  let allowed = false;
  let leaving: string | null = null;
  // Root may read everything, so tell the window that the file is unreadable.
  const isSecret = ({ label }: { label: string }) => !allowed && label === secret;
  await dress(page, {
    artifact: (artifact) =>
      isSecret(artifact) ? { ...artifact, warnings: ['it may not be read: change its mode'] } : artifact,
    document: (state) =>
      isSecret(state.artifact)
        ? {
            ...state,
            condition: 'no_permission',
            total_bytes: 0,
            indexed_bytes: 0,
            total_lines: 0,
            problem: { what: 'no permission to read the file', todo: 'change its permissions' },
          }
        : state,
    library: (event) =>
      leaving
        ? {
            ...event,
            changed: event.changed.filter((each) => each.artifact_id !== leaving),
            removed: [...event.removed, leaving],
          }
        : event,
  });
  const path = writeLines(inspector.folder, secret, 0, logLine);
  const folder = logFolder(inspector.folder, 'service', ['app.log', 'other.log']);
  writeLines(folder, 'long.log', 5000, logLine);
  const text = await inspector.open([path, folder]);
  const list = new ListPage(page);
  await test.step('may not be read: says how it can be, and is shown once it may', async () => {
    await expect(page.getByRole('heading', { name: 'No permission to read the file' })).toBeVisible();
    await expect(page.getByLabel('Library').getByText('it may not be read')).toBeVisible();
    await expect(page.getByText(`chmod u+r '${path}'`)).toBeVisible();
    await keep(page, 'no-permission');
    allowed = true;
    appendFileSync(path, 'now\n');
    await expect(text.row(1)).toContainText('now');
  });

  await test.step('leaves the list: stays readable, and says that it left', async () => {
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

  await test.step('an artifact comes back as it was left: its lines, selection, search and stream', () =>
    comesBack(text));
});

async function comesBack(text: TextPage): Promise<void> {
  const { page } = text;
  const list = new ListPage(page);
  await list.item('long.log').click();
  await text.counted(5000);
  await text.goTo('3000');
  await expect(text.status).toHaveText('Line 3,000 of 5,000');
  await page.keyboard.press('/');
  await page.keyboard.insertText('WARN');
  await expect(page.locator('[data-search="count"]')).toHaveText('5 matching lines');
  await text.wheel(18 * 100 + 7);
  const top = await text.firstWholeLine();
  await list.item('other.log').click();
  await text.counted(41);
  await expect(page.getByRole('textbox', { name: 'Pattern' })).toHaveCount(0);
  await list.item('long.log').click();
  await text.counted(5000);
  await expect(page.getByRole('textbox', { name: 'Pattern' })).toHaveValue('WARN');
  await expect(page.locator('[data-search="count"]')).toHaveText('5 matching lines');
  await expect.poll(() => text.firstWholeLine()).toBe(top);
  await expect(text.selected).toHaveText('line 3,000 selected');
  // The Back button leads to the other one, and back again.
  await page.goBack();
  await text.counted(41);
  await page.goForward();
  await expect.poll(() => text.firstWholeLine()).toBe(top);
  await expect(text.selected).toHaveText('line 3,000 selected');
}
