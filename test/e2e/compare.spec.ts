/** What a failed run has that its last passes have not: said, marked, stepped through, and side by side. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { problems } from './fixtures/axe.ts';
import { expect, type Inspector, test } from './fixtures/inspector.ts';
import { keep } from './fixtures/keep.ts';
import { ListPage } from './fixtures/list-page.ts';
import { goToFromHere } from './fixtures/text-page.ts';

/** A build whose durations, ids and number of cached files differ in each run. `broken` makes it fail. */
const BUILD = `
mode=$(cat mode); run=$(cat run); i=1
echo "build started at 12:00:0$run, process $$"
while [ $i -le 300 ]; do
  [ $i -eq 100 ] && echo "using node 22.11.0 from .tool-versions" | sed "$(cat edit)"
  [ $i -eq 120 ] && [ $mode = broken ] && echo "no lock file for package 'colours'" && echo "resolving it again takes the newest"
  [ $i -eq 150 ] && [ $mode = passes ] && echo "restored 40 files of the last build"
  echo "compiled module $i in $((i * run % 97)) ms"
  i=$((i + 1))
done
if [ $mode = broken ]; then echo "cannot link palette: symbol mix is missing"; exit 2; fi
echo "wrote dist/app.js"
`;

/** Records the build: `passes` times as it passes, then once as it fails. */
async function recordBuild(inspector: Inspector, passes: number): Promise<void> {
  const { folder, home } = inspector;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const script = join(folder, 'build.sh');
  writeFileSync(script, BUILD.replaceAll('$(cat ', `$(cat ${folder}/`));
  const record = async (run: number, mode: 'passes' | 'broken') => {
    writeFileSync(join(folder, 'run'), String(run));
    writeFileSync(join(folder, 'mode'), mode);
    writeFileSync(join(folder, 'edit'), mode === 'broken' ? 's/22.11.0/18.2.0/' : '');
    return inspector.spillway('run', '--no-pty', '--quiet', '--', 'sh', script);
  };
  for (let run = 1; run <= passes; run++) expect(await record(run, 'passes')).toBe(0);
  expect(await record(9, 'broken')).toBe(2);
}

const chip = (page: Page) => page.locator('[data-differences]').getByRole('button').first();
const panel = (page: Page) => page.getByRole('complementary', { name: 'Differences' });
const pane = (page: Page, index: number) => page.locator('[data-pane]').nth(index);
const rowIn = (page: Page, index: number, text: string) =>
  pane(page, index).locator('[data-viewer] [data-line]').filter({ hasText: text });
const topOf = (page: Page, index: number, text: string) =>
  rowIn(page, index, text).evaluate((row) => row.getBoundingClientRect().top);

test('a failed build says what none of its five passes has, shows only that, and stands beside one', async ({
  inspector,
  page,
}) => {
  test.setTimeout(300_000);
  await recordBuild(inspector, 5);
  const text = await inspector.open([]);
  const list = new ListPage(page);
  await list.items.first().click();
  await text.counted(305);

  await test.step('the header says how many messages are new', async () => {
    await expect(chip(page)).toHaveAccessibleName(/\d messages never seen in its last 5 passes$/);
    await keep(page, 'differences');
  });

  await test.step('the gutter and the ruler mark new and changed lines', async () => {
    await text.goTo('122');
    const fresh = text.row(122);
    await expect(fresh).toContainText("no lock file for package 'colours'");
    await expect(fresh).toHaveAttribute('data-news', 'new');
    await expect(fresh.getByRole('rowheader')).toHaveAccessibleName(/122, new/);
    const changed = text.row(101);
    await expect(changed).toContainText('using node 18.2.0');
    await expect(changed).toHaveAttribute('data-news', 'changed');
    await expect(text.row(110)).not.toHaveAttribute('data-news');
    await expect(page.locator('[data-ruler] [data-mark="news"]')).toHaveCount(1);
  });

  await test.step('n and N step through them while there is no search, and through matches while there is', async () => {
    await page.keyboard.press('Home');
    await page.keyboard.press('n');
    await expect(text.row(101)).toHaveAttribute('data-selected');
    await expect(page.getByText(/^Line 101: changed, 1 of \d/)).toBeVisible();
    await page.keyboard.press('n');
    await expect(text.row(122)).toHaveAttribute('data-selected');
    await page.keyboard.press('N');
    await expect(text.row(101)).toHaveAttribute('data-selected');
    await page.keyboard.press('/');
    await page.keyboard.type('module 200 ');
    await page.keyboard.press('Enter');
    await expect(text.scroller.locator('[data-current]')).toContainText('module 200');
    await text.scroller.focus();
    await page.keyboard.press('n');
    await expect(page.getByText(/^Line \d+: (new|changed)/)).toHaveCount(0);
    await expect(text.scroller.locator('[data-current]')).toContainText('module 200');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  });

  await test.step('one key shows only them, and again all', async () => {
    await page.keyboard.press('X');
    await expect(text.row(122)).toBeVisible();
    await expect(text.row(121)).toHaveCount(0);
    await expect(text.row(101)).toBeVisible();
    await expect(page.locator('[data-filter="count"]')).toHaveText(/^\d of 305 lines$/);
    await keep(page, 'differences-only');
    expect(await problems(page), 'only what differs').toEqual([]);
    await page.keyboard.press('n');
    await page.keyboard.press('X');
    // The line one was at stays in view, among all lines.
    await expect(text.scroller).toHaveAttribute('aria-rowcount', '305');
    await expect(text.scroller.locator('[data-selected]')).toBeInViewport();
  });

  await test.step('the panel lists them with the nearest old message, and what is missing', async () => {
    await chip(page).click();
    await expect(chip(page)).toHaveAttribute('aria-expanded', 'true');
    await expect(panel(page).getByRole('region', { name: 'New' })).toContainText('cannot link palette');
    const changed = panel(page).getByRole('region', { name: 'Changed' });
    await expect(changed.locator('ins')).toHaveText('18.2.0');
    await expect(changed.locator('del')).toHaveText('22.11.0');
    await expect(panel(page).getByRole('region', { name: 'Missing' })).toContainText('restored 40 files');
    await keep(page, 'differences-panel');
    expect(await problems(page), 'the panel').toEqual([]);
  });

  await test.step('a missing message is shown in its run beside this one, aligned', async () => {
    await panel(page)
      .getByRole('button', { name: /restored 40 files/ })
      .click();
    await expect(rowIn(page, 1, 'restored 40 files')).toBeInViewport();
    await expect(rowIn(page, 1, 'restored 40 files')).toHaveAttribute('data-news', 'only');
    // A thin mark where the other has the line.
    await expect(pane(page, 0).locator('[data-missing="1"]').first()).toBeVisible();
    // In half of the width, the panel would stand over the text.
    await expect(panel(page)).toHaveCount(0);
    await keep(page, 'differences-beside');
    expect(await problems(page), 'side by side').toEqual([]);
  });

  await test.step('both scroll together by message', async () => {
    await pane(page, 0).locator('[data-viewer]').focus();
    await page.keyboard.press('Home');
    await expect(rowIn(page, 1, 'build started')).toBeInViewport();
    for (const line of [140, 200]) {
      await pane(page, 0).locator('[data-viewer]').hover();
      await page.mouse.wheel(0, 18 * 60);
      await expect
        .poll(async () => {
          const row = pane(page, 0)
            .locator('[data-viewer] [data-line]')
            .filter({ hasText: `module ${line} in` });
          if ((await row.count()) === 0) return 'not in view';
          return (
            Math.abs(
              (await topOf(page, 0, `module ${line} in`)) - (await topOf(page, 1, `module ${line} in`)),
            ) < 20
          );
        })
        .not.toBe(false);
    }
    // Around the caret to the pixel, although one of them has a line more above it.
    const caret = 'module 165 in';
    await pane(page, 0).locator('[data-viewer]').focus();
    await goToFromHere(page, '169');
    await expect(rowIn(page, 0, caret)).toHaveAttribute('data-selected', '');
    await page.mouse.wheel(0, -14 * 18 - 7);
    await expect(rowIn(page, 1, 'restored 40 files')).toBeInViewport();
    await expect
      .poll(async () => Math.abs((await topOf(page, 0, caret)) - (await topOf(page, 1, caret))))
      .toBeLessThan(1);
    await page.keyboard.press('End');
    await expect(rowIn(page, 1, 'wrote dist/app.js')).toBeInViewport();
  });

  await test.step('at 800 × 600 each side has room for 40 characters', async () => {
    await page.setViewportSize({ width: 800, height: 600 });
    for (const index of [0, 1])
      await expect.poll(async () => (await pane(page, index).boundingBox())?.width).toBeGreaterThan(390);
    await keep(page, 'differences-800');
  });

  await test.step('in a narrow window and in forced colours it can be used, too', async () => {
    await page.setViewportSize({ width: 480, height: 720 });
    await page.emulateMedia({ forcedColors: 'active' });
    await expect(pane(page, 0).locator('[data-news="new"] [data-gutter] > span').first()).toHaveText('+');
    await keep(page, 'differences-narrow');
    await page.emulateMedia({ forcedColors: 'none' });
    await chip(page).click();
    await expect(panel(page)).toBeVisible();
    expect(await problems(page), 'narrow').toEqual([]);
    await keep(page, 'differences-narrow-panel');
  });
});

test('any two rows of the list are compared; a run that never passed says so, and so does one that failed before', async ({
  inspector,
  page,
}) => {
  test.setTimeout(300_000);
  await recordBuild(inspector, 0);
  await recordBuild(inspector, 1);
  const text = await inspector.open([]);
  const list = new ListPage(page);
  await list.items.nth(2).click();
  await text.counted(305);
  await expect(page.locator('[data-differences]')).toContainText('No earlier run of this has passed here');

  await list.items.nth(0).click();
  await text.counted(305);
  await expect(chip(page)).toHaveAccessibleName(/never seen in its last pass$/);
  await expect(page.getByRole('button', { name: /^Same failure as/ })).toBeVisible();

  // A run that passed says nothing by itself.
  await list.items.nth(1).click();
  await text.counted(304);
  await expect(page.locator('[data-differences]')).toHaveCount(0);

  await list.items.nth(2).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Compare with…' }).click();
  await page.getByRole('combobox', { name: 'Output to compare with' }).fill('succeeded');
  await page.keyboard.press('Enter');
  await expect(pane(page, 1).locator('[data-viewer]')).toBeVisible();
  await expect(chip(page)).toHaveAttribute('title', /never seen in the other output/);
  await expect(rowIn(page, 0, 'no lock file')).toHaveAttribute('data-news', 'new');
});

test('the cause is named although the other output has its message, too', async ({ inspector, page }) => {
  const script = 'echo one; echo "error: no such host"; exit 1';
  for (const more of ['', 'echo before; '])
    await inspector.spillway('run', '--quiet', '--', 'sh', '-c', more + script);
  const text = await inspector.open([]);
  const list = new ListPage(page);
  await list.items.first().click();
  await list.items.nth(1).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Compare with the open one' }).click();
  await chip(page).click();
  const panel = page.getByRole('complementary', { name: 'Differences' });
  await panel.getByRole('region', { name: 'Cause, not new' }).getByRole('button').click();
  await expect(text.page.locator('[data-pane="focused"] [data-selected]')).toContainText('no such host');
});

test('a run that began earlier and passes only now is compared with, without a reload', async ({
  inspector,
  page,
}) => {
  const { folder } = inspector;
  const isSecond = `[ -e ${folder}/first ] && echo "no such host" && exit 1`;
  const waits = `: > ${folder}/first; until [ -e ${folder}/end ]; do sleep 0.1; done`;
  const run = () =>
    inspector.spillway('run', '--no-pty', '--quiet', '--', 'sh', '-c', `${isSecond}; ${waits}`);
  const first = run();
  await expect.poll(() => existsSync(join(folder, 'first'))).toBe(true);
  expect(await run()).toBe(1);
  await inspector.open([]);
  await new ListPage(page).item('no such host').click();
  await expect(page.locator('[data-differences]')).toContainText('No earlier run of this has passed here');
  writeFileSync(join(folder, 'end'), '');
  expect(await first).toBe(0);
  await expect(chip(page)).toHaveAccessibleName(/never seen in its last pass$/);
});

test('a watched log is compared with its last rotation', async ({ inspector, page }) => {
  const lines = (...said: string[]) => `${['start', ...said, 'end'].join('\n')}\n`;
  const log = join(inspector.folder, 'service.log');
  writeFileSync(`${log}.1`, lines('took 12 ms', 'idle'));
  writeFileSync(log, lines('took 48 ms', 'quota reached', 'idle'));
  const text = await inspector.open([log]);
  await text.counted(5);
  const list = new ListPage(page);
  await list.items.first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Compare with…' }).click();
  await expect(page.getByRole('option', { name: /^Its last rotation/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(chip(page)).toHaveAttribute('title', /^1 message never seen in its last rotation/);
  await expect(text.row(3)).toHaveAttribute('data-news', 'new');
  await expect(text.row(2)).not.toHaveAttribute('data-news');
  await keep(page, 'differences-rotation');
});
