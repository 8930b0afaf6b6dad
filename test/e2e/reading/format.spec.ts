/** The format and the encoding of a text are shown, changed by a click, and remembered for files like it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { dress } from '../fixtures/dressed.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';
import { ListPage } from '../fixtures/list-page.ts';

const clock = (i: number) => `1${i % 10}:00:00`;
/** Nothing tells whether day or month comes first. */
const LINES = Array.from(
  { length: 200 },
  (_, i) => `03/0${1 + Math.floor(i / 25)}/2026 ${clock(i)} INFO line ${i}`,
);

const status = (page: Page) => page.getByRole('region', { name: 'Status' });

async function choose(page: Page, button: RegExp, group: string, item: RegExp) {
  await status(page).getByRole('button', { name: button }).click();
  await page.getByRole('group', { name: group }).getByRole('menuitemradio', { name: item }).click();
}

async function goTo(page: Page, typed: string) {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(typed);
  await expect(page.getByRole('option').first()).toContainText('Go to what came');
  await page.keyboard.press('Enter');
}

test('a format that was learnt wrong is chosen in the status line', async ({ inspector, page }) => {
  const folder = join(inspector.folder, 'logs');
  mkdirSync(folder);
  for (const name of ['dates.log', 'dates.log.1', 'other.log'])
    writeFileSync(join(folder, name), `${LINES.join('\n')}\n`);
  /** Until then, the text as it was read before stays on the screen. */
  let openAgain: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    openAgain = resolve;
  });
  await dress(page, {
    late: (name, params) => (name === 'document' && params.log_format === 'month-first' ? opened : null),
  });
  const text = await inspector.open([folder]);
  const list = new ListPage(page);
  await list.item('dates.log').click();
  await text.counted(LINES.length);
  const selected = text.scroller.locator('[data-selected]');

  await test.step('the order of day and month', async () => {
    await choose(page, /^log with times/, 'Day and month', /Day first/);
    await expect(status(page).getByRole('button', { name: 'log with times (chosen)' })).toBeVisible();
    await goTo(page, '2026-02-03');
    await expect(selected).toContainText('line 25');
    await choose(page, /chosen/, 'Day and month', /Month first/);
    // Before the text is there as it was chosen: the jump waits for it.
    await goTo(page, '2026-03-02');
    openAgain();
    await expect(selected).toContainText('line 25');
  });

  await test.step('it holds after a reload, and for a rotation, not for others', async () => {
    await page.reload();
    await expect(status(page).getByRole('button', { name: 'log with times (chosen)' })).toBeVisible();
    await list.item('dates.log.1').click();
    await expect(status(page).getByRole('button', { name: 'log with times (chosen)' })).toBeVisible();
    await list.item('other.log').click();
    await expect(status(page).getByRole('button', { name: 'log with times', exact: true })).toBeVisible();
  });

  await test.step('the zone of a typed time, and no times at all', async () => {
    await choose(page, /log with times/, 'Zone of times that name none', /UTC\+05:30/);
    await goTo(page, '2026-03-01T06:30:00Z');
    await expect(selected).toContainText('line 2');
    await choose(page, /log with times/, 'Zone of times that name none', /^UTC$/);
    await choose(page, /log with times/, 'Times', /is none/);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('2026-03-01 12:00');
    await page.keyboard.press('Enter');
    await expect(page.getByText('These lines have no times')).toBeVisible();
  });

  await test.step('the menu', async () => {
    await status(page)
      .getByRole('button', { name: /chosen/ })
      .click();
    await expect(page.getByRole('group', { name: 'Entries begin with' })).toBeVisible();
    await keep(page, 'format menu');
    await page.keyboard.press('Escape');
  });

  await test.step('an encoding for all files of a folder', async () => {
    await status(page).getByRole('button', { name: 'utf-8' }).click();
    await page.getByRole('menuitemradio', { name: /Windows-1252/ }).click();
    await choose(page, /windows-1252/, 'Remember it for', /All files of its folder/);
    await list.item('dates.log.1').click();
    await expect(status(page).getByRole('button', { name: 'windows-1252 (chosen)' })).toBeVisible();
    await status(page).getByRole('button', { name: 'windows-1252 (chosen)' }).click();
    await page.getByRole('menuitemradio', { name: 'Detect' }).click();
    await expect(status(page).getByRole('button', { name: 'utf-8' })).toBeVisible();
    await list.item('other.log').click();
    await expect(status(page).getByRole('button', { name: 'windows-1252 (chosen)' })).toBeVisible();
  });
});

test('printed times of a recording are meant, and arrivals can be chosen', async ({ inspector, page }) => {
  const path = join(inspector.folder, 'made.log');
  writeFileSync(path, `${LINES.join('\n')}\n`);
  await inspector.spillway('run', '--', 'cat', path);
  const text = await inspector.open([]);
  await new ListPage(page).items.first().click();
  await text.counted(LINES.length);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('2026-03-02');
  await expect(page.getByRole('option').first()).toContainText('by the times that the lines print');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+T');
  await expect(text.row(1).locator('[data-time]')).toHaveText('10:00:00.000');
  await choose(page, /^log with times/, 'Times', /When the lines arrived/);
  await expect(text.row(1).locator('[data-time]')).not.toHaveText('10:00:00.000');
});
