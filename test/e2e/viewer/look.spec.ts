import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';
import { ListPage } from '../fixtures/list-page.ts';
import { logLine, writeLines } from '../fixtures/logs.ts';
import type { TextPage } from '../fixtures/text-page.ts';

const colourOf = (element: Element) => getComputedStyle(element).color;

const COLOURED = [
  'plain \x1b[31mred\x1b[0m \x1b[1;92mbold bright green\x1b[0m',
  '\x1b[38;2;255;255;0myellow by its numbers\x1b[0m',
  '\x1b[7minverse\x1b[0m \x1b[3mitalic\x1b[0m \x1b[4munderlined\x1b[0m \x1b[9mstruck\x1b[0m',
  '<script>document.title = "owned"</script><b>not bold</b> &amp;',
  '\x1b]0;title\x07\x1b]8;;https://example.com\x07link\x1b]8;;\x07 after',
];

test('colours', async ({ inspector, page }) => {
  const [coloured, levels] = ['colours.txt', 'levels.log'].map((name) => join(inspector.folder, name));
  writeFileSync(coloured!, `${COLOURED.join('\n')}\n`);
  writeFileSync(
    levels!,
    'INFO begun\nWARN slow\nERROR lost\nDEBUG detail\n\x1b[32mERROR green\x1b[0m\nno level\n',
  );
  const text = await inspector.open([coloured!, levels!]);
  await text.counted(5);
  await test.step('are those of the terminal, from the theme, and none of them is markup', () =>
    areOfTheTerminal(text));

  await test.step('of the text change with the theme', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    const yellow = text.row(2).getByText('yellow by its numbers');
    await expect.poll(() => yellow.evaluate(colourOf)).toBe('rgb(255, 255, 0)');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(() => yellow.evaluate(colourOf)).not.toBe('rgb(255, 255, 0)');
  });

  await new ListPage(page).item('levels.log').click();
  await text.counted(6);
  await test.step('lines are coloured by level until that is switched off', async () => {
    const colour = (line: number) => text.row(line).locator('[data-text]').evaluate(colourOf);
    await keep(page, 'levels');
    const plain = await colour(1);
    const [warned, failed, quiet] = await Promise.all([colour(2), colour(3), colour(4)]);
    expect(new Set([plain, warned, failed, quiet]).size).toBe(4);
    const green = await text.row(5).getByText('ERROR green').evaluate(colourOf);
    expect(green).not.toBe(failed);
    await page.keyboard.press('Shift+L');
    await expect.poll(() => colour(3)).toBe(plain);
    await page.reload();
    await text.counted(6);
    expect(await colour(3)).toBe(plain);
  });
});

async function areOfTheTerminal(text: TextPage): Promise<void> {
  const { page } = text;
  const token = (name: string) =>
    page.evaluate((property) => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = `var(${property})`;
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    }, name);

  const red = text.row(1).getByText('red', { exact: true });
  expect(await red.evaluate(colourOf)).toBe(await token('--ansi-1'));
  const green = text.row(1).getByText('bold bright green');
  expect(await green.evaluate(colourOf)).toBe(await token('--ansi-10'));
  await expect(green).toHaveCSS('font-weight', '700');

  // Yellow on white can't be read; it is darkened until it can, and stays yellow.
  const yellow = text.row(2).getByText('yellow by its numbers');
  const [r, g, b] = ((await yellow.evaluate(colourOf)).match(/\d+/g) ?? []).map(Number);
  expect(r).toBeLessThan(160);
  expect(r).toBe(g);
  expect(b).toBeLessThan(r!);

  const inverse = text.row(3).getByText('inverse');
  await expect(inverse).toHaveCSS('background-color', await token('--text'));
  await expect(inverse).toHaveCSS('color', await token('--text-surface'));
  await expect(text.row(3).getByText('italic')).toHaveCSS('font-style', 'italic');
  await expect(text.row(3).getByText('underlined')).toHaveCSS('text-decoration-line', 'underline');
  await expect(text.row(3).getByText('struck')).toHaveCSS('text-decoration-line', 'line-through');

  await expect(text.row(4).getByRole('cell')).toHaveText(COLOURED[3]!);
  await expect(text.row(4).locator('script, b')).toHaveCount(0);
  await expect(text.row(5).getByRole('cell')).toContainText('link');
  await expect(page).toHaveTitle('colours.txt – Spillway');
}

test('the theme and the key sheet', async ({ inspector, page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  const text = await inspector.open([writeLines(inspector.folder, 'a.log', 10, String)]);
  await test.step('the theme is the system’s until one is chosen, and the choice is remembered', async () => {
    const root = page.locator('html');
    await expect(root).toHaveAttribute('data-theme', 'dark');
    await expect(text.scroller).toBeVisible();

    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menuitemradio', { name: 'Light' }).click();
    await expect(root).toHaveAttribute('data-theme', 'light');
    await expect(root).toHaveCSS('color-scheme', 'light');
    await page.reload();
    await expect(root).toHaveAttribute('data-theme', 'light');

    // By key: light, dark, as the system.
    await text.scroller.focus();
    await page.keyboard.press('Control+Shift+L');
    await expect(root).toHaveAttribute('data-theme', 'dark');
    await page.keyboard.press('Control+Shift+L');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect(root).toHaveAttribute('data-theme', 'light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect(root).toHaveAttribute('data-theme', 'dark');
  });

  const dialog = page.getByRole('dialog', { name: 'Keys' });
  await test.step('every key has its place in the help, and the dialog gives the focus back', async () => {
    await page.keyboard.press('?');
    await expect(dialog).toContainText('Go to a line, a time, a percentage or a byte offset');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(text.scroller).toBeFocused();
  });

  await test.step('the key sheet scrolls with keys, and Space does not close it', async () => {
    await page.setViewportSize({ width: 420, height: 500 });
    await page.keyboard.press('?');
    const sheet = dialog.getByRole('region', { name: 'Keys' });
    const field = dialog.getByRole('searchbox', { name: 'Find a key' });
    await expect(field).toBeFocused();
    await page.keyboard.type('wrap');
    await expect(dialog.getByText('Wrap long lines')).toBeVisible();
    await expect(dialog.getByText('Theme: light, dark, or as the system')).toHaveCount(0);
    await field.fill('ctrl+k');
    await expect(dialog.getByRole('status')).toHaveText('1 action');
    await field.fill('');
    await page.keyboard.press('ArrowDown');
    await expect(sheet).toBeFocused();
    const top = () => sheet.evaluate((element) => element.scrollTop);
    await page.keyboard.press('Space');
    await expect.poll(top).toBeGreaterThan(100);
    await page.keyboard.press('End');
    await expect(dialog.getByText('Theme: light, dark, or as the system')).toBeInViewport();
    await page.keyboard.press('Home');
    await expect.poll(top).toBe(0);
    await page.keyboard.press('ArrowDown');
    await expect.poll(top).toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  });
});

test('a text without times has no column for them, and T says so', async ({ inspector, page }) => {
  const plain = writeLines(inspector.folder, 'plain.log', 300, (number) => `line ${number}`);
  const timed = writeLines(inspector.folder, 'timed.log', 200, logLine);
  const text = await inspector.open([plain, timed]);
  const list = new ListPage(page);
  const said = page.getByRole('region', { name: 'Status' }).getByRole('status');
  const times = text.scroller.locator('[data-time]');
  await list.item('plain.log').click();
  await text.counted(300);
  await page.keyboard.press('T');
  await expect(said).toHaveText('These lines have no times: none were recorded, and the text has none');
  await expect(times).toHaveCount(0);
  await list.item('timed.log').click();
  await text.counted(200);
  await expect(times).toHaveCount(0);
  await page.keyboard.press('T');
  await expect(text.row(1).locator('[data-time]')).toHaveText(/^\d\d:\d\d:\d\d\.\d{3}$/);
  await list.item('plain.log').click();
  await text.counted(300);
  await expect(times).toHaveCount(0);
  await page.reload();
  await text.counted(300);
  await expect(times).toHaveCount(0);
  await page.keyboard.press('T');
  await expect(said).toHaveText(/^These lines have no times/);
  await expect(times).toHaveCount(0);
  await list.item('timed.log').click();
  await expect(text.row(1).locator('[data-time]')).toHaveText(/^\d\d:/);
});

test('a narrow window', async ({ inspector, page }) => {
  const script = 'echo a name that is far too long for so narrow a window; exit 3';
  await inspector.spillway('run', '--quiet', '--', 'sh', '-c', script);
  await page.setViewportSize({ width: 700, height: 900 });
  const path = writeLines(inspector.folder, 'a.log', 1000, (number) => `line ${number} of a log`);
  const text = await inspector.open([path]);
  await text.counted(1000);
  await test.step('gives its room to the text and hides nothing that can be done', () => givesRoom(text));
  await page.keyboard.press('i');
  await page.setViewportSize({ width: 420, height: 700 });
  await page.keyboard.press('Control+b');
  await new ListPage(page).items.filter({ hasText: 'failed (3)' }).click();
  await test.step('nothing lies over anything else in the heads of a window that is very narrow', () =>
    hasFreeHeads(page));
});

async function givesRoom(text: TextPage): Promise<void> {
  const { page } = text;
  await expect(page.getByRole('complementary', { name: 'Library' })).toHaveCount(0);
  for (const name of ['Head', 'Tail', 'Go to', 'Range', 'Follow', 'Search', 'Summary', 'Details']) {
    const box = await page.getByRole('button', { name, exact: true }).boundingBox();
    expect(box!.x + box!.width, name).toBeLessThanOrEqual(700);
  }
  await page.getByRole('button', { name: 'Show the list' }).click();
  await expect(page.getByRole('complementary', { name: 'Library' })).toBeVisible();
  await page.keyboard.press('Control+b');
  await expect(page.getByRole('complementary', { name: 'Library' })).toHaveCount(0);
  await page.keyboard.press('i');
  const details = (await page.getByRole('complementary', { name: 'Details' }).boundingBox())!;
  const rows = (await text.scroller.boundingBox())!;
  expect(details.y).toBeGreaterThanOrEqual(rows.y + rows.height);
  expect(rows.width).toBeGreaterThan(600);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
}

async function hasFreeHeads(page: Page): Promise<void> {
  const head = page.getByRole('main').locator('header').first();
  await expect(head.getByText('failed (exit 3)')).toBeVisible();
  const inHead = [
    head.getByRole('heading'),
    head.getByText('failed (exit 3)'),
    head.getByRole('button', { name: 'Combined' }),
    head.getByRole('button', { name: 'Palette' }),
  ];
  await areApart(page, inHead);
  // The tail of the name is part of it, and stays within it.
  const [name, tail] = await Promise.all([
    inHead[0]!.boundingBox(),
    inHead[0]!.locator('span').last().boundingBox(),
  ]);
  expect(tail!.x + tail!.width).toBeLessThanOrEqual(name!.x + name!.width + 1);

  await page.keyboard.press('Control+b');
  const list = page.getByRole('complementary', { name: 'Library' });
  await areApart(page, [
    list.getByRole('button', { name: 'By session' }),
    list.getByRole('button', { name: '1 failed' }),
  ]);
  await expect(page.getByRole('separator', { name: 'Width of the list' })).toHaveCount(0);
}

/** All of them are in the window, and none lies over another. */
async function areApart(page: Page, parts: readonly Locator[]): Promise<void> {
  const boxes = await Promise.all(parts.map(async (part) => (await part.boundingBox())!));
  const { width } = page.viewportSize()!;
  for (const [index, a] of boxes.entries()) {
    expect(a.x).toBeGreaterThanOrEqual(0);
    expect(a.x + a.width).toBeLessThanOrEqual(width);
    for (const b of boxes.slice(index + 1)) {
      const apart =
        a.x + a.width <= b.x + 1 ||
        b.x + b.width <= a.x + 1 ||
        a.y + a.height <= b.y + 1 ||
        b.y + b.height <= a.y + 1;
      expect(apart, `${JSON.stringify(a)} and ${JSON.stringify(b)}`).toBe(true);
    }
  }
}
