/** How tabs are opened, named, moved and closed. */
import { appendFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { lines } from '../fixtures/followed.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { ListPage } from '../fixtures/list-page.ts';
import { logLine, writeLines } from '../fixtures/logs.ts';

const bar = (page: Page) => page.getByRole('navigation', { name: 'Tabs' });
const names = (page: Page) => bar(page).locator('[data-tab] button:first-child');
const current = (page: Page) => bar(page).locator('[aria-current="true"]');

test('a printed address that is opened again shows the tab that has its file', async ({
  inspector,
  page,
}) => {
  const paths = ['one.log', 'two.log'].map((name) =>
    writeLines(inspector.folder, name, 500, (number) => `${name} ${number}`),
  );
  const text = await inspector.open(paths);
  const list = new ListPage(page);
  await list.item('one.log').click();
  await text.goTo('300');
  await list.item('two.log').click({ button: 'middle' });
  await expect(current(page)).toHaveText('two.log');
  await inspector.stop();
  await inspector.start(paths);
  await page.goto(inspector.url);
  await expect(current(page)).toHaveText('one.log');
  await expect(text.row(300)).toBeInViewport();
  await expect(names(page)).toHaveText(['one.log', 'two.log']);
  // A link wins over the place at which its tab was left: its line is selected, with some lines above it.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await text.row(305).click();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('copy a link');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Copied the link')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await text.goTo('20');
  for (const path of ['about:blank', link]) await page.goto(path);
  await expect(names(page)).toHaveText(['one.log', 'two.log']);
  await expect(text.row(305)).toHaveAttribute('data-selected', '');
  await expect(text.row(301)).toBeInViewport();
  await page.keyboard.press('Escape');
  // A file that no tab has gets one.
  const other = writeLines(inspector.folder, 'three.log', 500, (number) => `three ${number}`);
  await inspector.stop();
  await inspector.start([other, ...paths]);
  await page.goto(inspector.url);
  await expect(current(page)).toHaveText('three.log');
  await expect(names(page)).toHaveText(['one.log', 'three.log', 'two.log']);
});

test('many tabs keep the ends of their names, and are moved by keys', async ({ inspector, page }) => {
  const paths = Array.from({ length: 12 }, (_, index) =>
    writeLines(
      inspector.folder,
      `a-log-with-a-long-name-${index + 10}.log`,
      50,
      (number) => `line ${number}`,
    ),
  );
  await inspector.open(paths);
  const list = new ListPage(page);
  await list.items.first().click();
  const count = paths.length;
  for (let index = 1; index < count; index += 1) {
    await list.items.nth(index).click({ button: 'middle' });
    await expect(bar(page).locator('[data-tab]')).toHaveCount(index + 1);
  }
  const end = current(page)
    .getByText(/^-?.*\d\d\.log$/)
    .last();
  const tab = (await current(page).boundingBox())!;
  const shown = (await end.boundingBox())!;
  expect(shown.x + shown.width).toBeLessThanOrEqual(tab.x + tab.width);
  const at = () =>
    bar(page)
      .locator('[data-tab]')
      .evaluateAll((tabs) => tabs.findIndex((each) => each.dataset.place === 'focused'));
  const before = await at();
  await page.keyboard.press('{');
  await expect.poll(at).toBe(before - 1);
  await page.keyboard.press('}');
  await expect.poll(at).toBe(before);
});

test('tabs that are closed and left', async ({ inspector, page }) => {
  const paths = ['one.log', 'two.log', 'app.log'].map((name) =>
    writeLines(inspector.folder, name, 50, logLine),
  );
  const text = await inspector.open(paths);
  const list = new ListPage(page);
  await test.step('closing another tab by keys leaves the focus in the text', async () => {
    await list.item('one.log').click();
    await list.item('two.log').click({ button: 'middle' });
    await bar(page).getByRole('button', { name: 'Close one.log' }).focus();
    await page.keyboard.press('Enter');
    await expect(bar(page)).toHaveCount(0);
    await expect(text.scroller).toBeFocused();
  });

  const path = paths[2]!;
  await list.item('app.log').click();
  await expect(page).toHaveTitle('app.log – Spillway');
  await text.counted(50);
  await test.step('the tab of a followed text says its line, also when it is left', async () => {
    await text.scroller.focus();
    await page.keyboard.press('d');
    await expect(names(page)).toHaveText(['app.logline 1', 'app.logline 1']);
    await page.keyboard.press('f');
    let total = 50;
    await expect
      .poll(
        async () => {
          appendFileSync(path, lines(total + 1, 100));
          total += 100;
          return current(page).textContent();
        },
        { intervals: [20] },
      )
      .toMatch(/line [\d,]{3,}$/);
    await page.keyboard.press(']');
    await expect(names(page).nth(1)).toHaveText(/line [\d,]{3,}$/);
  });
});
