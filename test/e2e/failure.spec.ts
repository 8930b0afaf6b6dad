/** A command that failed opens at the line that explains it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { cliEntry } from '../fixtures/cli.ts';
import { expect, test } from './fixtures/inspector.ts';
import { ListPage } from './fixtures/list-page.ts';

const SCRIPT =
  'i=0; while [ $i -lt 2000 ]; do [ $i -eq 700 ] && printf "%s: cannot open settings.toml\\n" error; [ $i -eq 1300 ] && echo "warning: colours.toml is empty"; echo "step $i is done"; i=$((i+1)); done; exit 3';

const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test('the list shows the cause, the text opens there, e and E step, and y copies for an agent', async ({
  inspector,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  mkdirSync(inspector.home, { recursive: true, mode: 0o700 });
  const env = { ...process.env, SPILLWAY_HOME: inspector.home };
  const args = [cliEntry, 'run', '--no-pty', '--quiet', '--', 'sh', '-c', SCRIPT];
  expect(() => execFileSync(process.execPath, args, { env, stdio: 'pipe' })).toThrow();
  const text = await inspector.open([]);
  const list = new ListPage(page);
  await expect(list.items.first()).toContainText('error: cannot open settings.toml');
  await list.items.first().click();
  await text.counted(2002);
  await expect(text.row(701)).toBeInViewport();
  await page.keyboard.press('e');
  await expect(text.row(1302)).toBeInViewport();
  await page.keyboard.press('E');
  await expect(text.row(701)).toBeInViewport();
  await page.getByRole('button', { name: 'Next cause' }).click();
  await expect(text.row(1302)).toBeInViewport();
  await page.getByRole('button', { name: 'Previous cause' }).click();
  await expect(text.row(701)).toBeInViewport();
  await page.keyboard.press('y');
  await expect
    .poll(() => copied(page))
    .toMatch(/^cause: line 701 of \w+: .*error: cannot open settings\.toml/m);
  await text.row(700).click();
  await page.keyboard.press('M');
  await expect(text.row(700)).toHaveAttribute('data-marked', '');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save a report' }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toMatch(/^cmd-sh-.*\.html$/);
  const html = readFileSync(await saved.path(), 'utf8');
  expect(html).toContain('<pre class="cause">error: cannot open settings.toml</pre>');
  expect(html).toContain('<h2>Marked lines</h2>');
  expect(html).toContain('<i>700</i>step 699 is done');
  await expect(page.getByText('Saved a report of the failure')).toBeVisible();
  const printed = execFileSync(process.execPath, [cliEntry, 'report'], { env, encoding: 'utf8' });
  expect(printed).toContain('\n## Cause\n');
  expect(printed).toContain('Not compared: no run of this has passed here.');
  expect(await copied(page)).toMatch(/; spillway inspect \S+ --stream \w+ --start \d+ --end \d+\]$/m);

  // With several lines selected, it copies the call that shows them, and a link that selects them.
  await text.row(700).locator('[data-gutter]').click();
  await text
    .row(703)
    .locator('[data-gutter]')
    .click({ modifiers: ['Shift'] });
  await expect(text.row(702)).toHaveAttribute('data-selected', '');
  await page.keyboard.press('y');
  await expect.poll(() => copied(page)).toContain('"mode":"range","start_line":700,"end_line":703}');
  const link = (await copied(page)).split('\n').at(-1)!;
  await page.goto('about:blank');
  await page.goto(link);
  for (const line of [700, 703]) await expect(text.row(line)).toHaveAttribute('data-selected', '');
  await expect(text.row(704)).not.toHaveAttribute('data-selected', '');
});
