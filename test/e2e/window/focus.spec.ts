/** The keyboard focus goes on to a neighbour when its button disappears: left on the body, nobody would see it. */
import { appendFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../fixtures/inspector.ts';
import { ListPage } from '../fixtures/list-page.ts';
import { logLine, writeLines } from '../fixtures/logs.ts';
import { SearchPage } from '../fixtures/search-page.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

async function enter(control: Locator): Promise<void> {
  await control.focus();
  await control.press('Enter');
}

test('the focus stays in sight when the focused button disappears', async ({ inspector, page }) => {
  const { path, text } = await inspector.openLog(300);
  const list = new ListPage(page);
  await test.step('between the buttons that hide and show the list, by key and by mouse', async () => {
    const [hide, show] = [button(page, 'Hide the list'), button(page, 'Show the list')];
    await enter(hide);
    await expect(show).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(hide).toBeFocused();
    await hide.click();
    await expect(show).toBeFocused();
    await show.click();
    await expect(hide).toBeFocused();
    await list.filter.focus();
    await page.keyboard.press('Control+b');
    await expect(text.scroller).toBeFocused();
    await page.keyboard.press('Control+b');
  });
  await test.step('from a mark to the next one, and from the last one to the panel', async () => {
    await text.scroller.focus();
    for (const line of ['3', '5', '8']) {
      await text.goTo(line);
      await page.keyboard.press('M');
    }
    await page.keyboard.press('Alt+m');
    const remove = (line: number) => button(page, `Remove the mark on line ${line}`);
    await enter(remove(3));
    await expect(remove(5)).toBeFocused();
    await enter(remove(8));
    await expect(remove(5)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(remove(5)).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Marks' })).toBeFocused();
    await page.keyboard.press('Alt+m');
    await expect(text.scroller).toBeFocused();
  });
  await test.step('to the other text, when its pane is closed', async () => {
    await page.keyboard.press('|');
    await expect(page.locator('[data-pane]')).toHaveCount(2);
    await enter(button(page, 'Close the other pane'));
    await expect(text.scroller).toBeFocused();
  });
  await test.step('to the text, when all lines are shown again', async () => {
    await page.keyboard.press('r');
    await page.getByLabel('From line').fill('5');
    await page.getByLabel('To line').fill('9');
    await page.keyboard.press('Enter');
    await enter(page.locator('[data-status="range"]').getByRole('button', { name: 'Show all lines' }));
    await text.counted(300);
    await expect(text.scroller).toBeFocused();
  });
  await test.step('to the next search, and from the last but one to the text', async () => {
    const search = new SearchPage(page);
    await search.search('one');
    for (const pattern of ['two', 'three']) {
      await page.keyboard.press('Alt+k');
      await page.keyboard.type(pattern);
    }
    await enter(button(page, 'Close the search one'));
    await expect(button(page, 'Close the search two')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(text.scroller).toBeFocused();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  });
  await test.step('to the list, when its filter is cleared and when none are chosen to merge', async () => {
    await list.filter.fill('nothing');
    await enter(button(page, 'Clear the filter'));
    await expect(list.items).toHaveCount(1);
    await expect(list.tree).toBeFocused();
    await list.items.first().click({ modifiers: ['Shift'] });
    await enter(button(page, 'Choose none'));
    await expect(list.tree).toBeFocused();
  });
  await test.step('to the text, when following goes on', async () => {
    await text.scroller.focus();
    await page.keyboard.press('f');
    await page.keyboard.press('Home');
    appendFileSync(path, `${logLine(301)}\n`);
    const paused = page.locator('[data-status="paused"]');
    await expect(paused).toContainText('1 new line');
    await enter(paused);
    await expect(page.getByText('Following', { exact: true })).toBeVisible();
    await expect(text.scroller).toBeFocused();
  });
});

test('the focus goes to the text when a merged text is removed', async ({ inspector, page }) => {
  const logs = ['a', 'b'].map((name) => writeLines(inspector.folder, `${name}.log`, 50, logLine));
  const text = await inspector.open(logs);
  const list = new ListPage(page);
  await text.counted(50);
  for (const name of ['a.log', 'b.log']) await list.item(name).click({ modifiers: ['Shift'] });
  await enter(button(page, 'Merge by time'));
  await text.counted(100);
  await enter(button(page, 'Remove the merged text from the list'));
  await text.counted(50);
  await expect(text.scroller).toBeFocused();
});
