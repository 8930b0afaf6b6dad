/** Tabs of open artifacts, and two panes side by side. */
import type { Page } from '@playwright/test';
import { expect, type Inspector, test } from './fixtures/inspector.ts';
import { keep } from './fixtures/keep.ts';
import { ListPage } from './fixtures/list-page.ts';
import { logLine, writeLines } from './fixtures/logs.ts';
import { goToFromHere, type TextPage } from './fixtures/text-page.ts';

const bar = (page: Page) => page.getByRole('navigation', { name: 'Tabs' });
const tab = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true });
const pane = (page: Page, index: number) => page.locator('[data-pane]').nth(index);
const inPane = (page: Page, index: number) => ({
  scroller: pane(page, index).locator('[data-viewer]'),
  status: pane(page, index).locator('[data-status="where"]'),
  row: (line: number) => pane(page, index).locator(`[data-viewer] [data-line="${line}"]`),
  /** The first that is wholly in view. */
  firstLine: () =>
    pane(page, index)
      .locator('[data-viewer]')
      .evaluate((scroller) => {
        const { top } = scroller.getBoundingClientRect();
        const rows = [...scroller.querySelectorAll<HTMLElement>('[data-line]')];
        const whole = rows.filter((row) => row.getBoundingClientRect().top >= top - 0.5);
        return Math.min(...whole.map((row) => Number(row.dataset.line)));
      }),
});

async function logs(inspector: Inspector, names = ['one.log', 'two.log', 'three.log']) {
  const paths = names.map((name) =>
    writeLines(inspector.folder, name, 5000, (number) => `${name} ${logLine(number)}`),
  );
  return inspector.open(paths);
}

test('tabs', async ({ inspector }) => {
  const text = await logs(inspector);
  await test.step('artifacts open in tabs by middle click, Ctrl+click and Ctrl+Enter, and tabs are closed', () =>
    openAndClose(text));
  await new ListPage(text.page).filter.fill('');
  await test.step('each tab keeps its place, its search and its selection, also when the window is opened again', () =>
    keepTheirPlaces(text, inspector.url));
});

async function openAndClose(text: TextPage): Promise<void> {
  const { page } = text;
  const list = new ListPage(page);
  await list.item('one.log').click();
  await text.counted(5000);
  await expect(bar(page)).toHaveCount(0);
  await list.item('two.log').click({ button: 'middle' });
  await expect(text.row(1)).toContainText('two.log');
  await list.item('three.log').click({ modifiers: ['Control'] });
  await expect(text.row(1)).toContainText('three.log');
  await expect(tab(page, 'three.log')).toHaveAttribute('aria-current', 'true');
  await keep(page, 'tabs');
  await expect(bar(page).getByRole('listitem')).toHaveCount(3);
  // By keys: `l` is the filter, Ctrl+Enter a new tab.
  await page.keyboard.press('l');
  await page.keyboard.type('one');
  await list.shows(['one.log']);
  await page.keyboard.press('Control+Enter');
  await expect(bar(page).getByRole('listitem')).toHaveCount(4);
  await expect(text.scroller).toBeFocused();
  await page.keyboard.press('q');
  await expect(bar(page).getByRole('listitem')).toHaveCount(3);
  await tab(page, 'two.log').click({ button: 'middle' });
  await tab(page, 'Close one.log').click();
  await expect(bar(page)).toHaveCount(0);
  await expect(text.row(1)).toContainText('three.log');
}

async function keepTheirPlaces(text: TextPage, url: string): Promise<void> {
  const { page } = text;
  const list = new ListPage(page);
  await list.item('one.log').click();
  await text.counted(5000);
  await text.goTo('1200');
  await expect(text.status).toContainText('Line 1,200 of');
  await page.keyboard.press('/');
  await page.keyboard.type('request 77');
  await expect(page.getByRole('region', { name: 'Results' })).toContainText('matching lines');
  await page.keyboard.press('Escape');
  await list.item('two.log').click({ button: 'middle' });
  await expect(text.row(1)).toContainText('two.log');
  await text.goTo('3000');
  await expect(text.status).toContainText('Line 3,000 of');
  await expect(page.getByRole('region', { name: 'Results' })).toHaveCount(0);

  const holds = async () => {
    await tab(page, 'one.log').click();
    await expect(page.getByRole('region', { name: 'Results' })).toContainText('matching lines');
    await expect(tab(page, 'one.log')).toHaveAttribute('aria-current', 'true');
    await text.scroller.focus();
    await page.keyboard.press(']');
    await expect(text.row(3000)).toHaveAttribute('data-selected', '');
    await expect(text.row(3000)).toBeVisible();
    await page.keyboard.press('[');
    await expect(page.getByRole('region', { name: 'Results' })).toContainText('matching lines');
    await page.keyboard.press(']');
  };
  await holds();
  await page.reload();
  await expect(bar(page).getByRole('listitem')).toHaveCount(2);
  await expect(text.row(3000)).toBeVisible();
  await holds();
  // Opened anew without an address, as the desktop window is.
  await page.goto('about:blank');
  await page.goto(url);
  await expect(tab(page, 'two.log')).toHaveAttribute('aria-current', 'true');
  await expect(text.row(3000)).toBeVisible();
}

test('a selection outlasts a reload that comes before the text of its tab is there', async ({
  inspector,
  page,
}) => {
  let sockets = 0;
  let isHeld = false;
  await page.routeWebSocket(/\/api/, (socket) => {
    sockets += 1;
    const isFirst = sockets === 1;
    const host = socket.connectToServer();
    host.onMessage((message) => {
      if (!(isFirst && isHeld)) socket.send(message);
    });
  });
  const text = await logs(inspector);
  const list = new ListPage(page);
  await list.item('one.log').click();
  await text.counted(5000);
  await list.item('two.log').click({ button: 'middle' });
  await expect(text.row(1)).toContainText('two.log');
  await text.goTo('3000');
  await expect(text.row(3000)).toHaveAttribute('data-selected', '');
  await tab(page, 'one.log').click();
  await expect(text.row(1)).toContainText('one.log');
  isHeld = true;
  await tab(page, 'two.log').click();
  await expect(tab(page, 'two.log')).toHaveAttribute('aria-current', 'true');
  await expect(text.row(1)).toHaveCount(0);
  await page.reload();
  await expect(text.row(3000)).toHaveAttribute('data-selected', '');
});

test('the text is split in two, each with its own view, and keys act on the pane with the focus', async ({
  inspector,
  page,
}) => {
  const text = await logs(inspector);
  await new ListPage(page).item('one.log').click();
  await text.counted(5000);
  await text.goTo('1200');
  await page.keyboard.press('|');
  const [left, right] = [inPane(page, 0), inPane(page, 1)];
  await expect(right.scroller).toBeFocused();
  await expect(right.row(1200)).toBeVisible();
  const line = (await right.firstLine()).toLocaleString('en');
  for (const each of await bar(page).locator('[data-tab]').all())
    await expect(each).toContainText(`one.logline ${line}`);
  await page.keyboard.press('End');
  await expect(right.row(5000)).toBeVisible();
  await expect(left.row(1200)).toBeVisible();
  await page.keyboard.press('p');
  await expect(left.scroller).toBeFocused();
  await page.keyboard.press('h');
  await expect(left.row(1)).toBeVisible();
  await expect(right.row(5000)).toBeVisible();
  // Another artifact, in the pane with the focus.
  await new ListPage(page).item('two.log').click();
  await expect(left.row(1)).toContainText('two.log');
  await expect(right.row(5000)).toContainText('one.log');
  await keep(page, 'panes');
  // A click is a way to the other pane, too.
  await right.row(5000).click();
  await page.keyboard.press('s');
  await expect(pane(page, 1).getByRole('complementary', { name: 'Summary' })).toBeVisible();
  await expect(pane(page, 0).getByRole('complementary')).toHaveCount(0);
  await page.keyboard.press('|');
  await expect(page.locator('[data-pane]')).toHaveCount(1);
  await expect(text.row(5000)).toContainText('one.log');
});

test('two panes scroll together, by line and by time', async ({ inspector, page }) => {
  const start = Date.UTC(2026, 0, 13, 10, 0, 0);
  const at = (number: number, step: number) => new Date(start + number * step).toISOString();
  const slow = writeLines(
    inspector.folder,
    'slow.log',
    1000,
    (number) => `${at(number, 10_000)} slow ${number}`,
  );
  const fast = writeLines(
    inspector.folder,
    'fast.log',
    10_000,
    (number) => `${at(number, 1000)} fast ${number}`,
  );
  const text = await inspector.open([slow, fast]);
  const list = new ListPage(page);
  await list.item('slow.log').click();
  await text.counted(1000);
  await page.keyboard.press('|');
  await list.item('fast.log').click();
  const [left, right] = [inPane(page, 0), inPane(page, 1)];
  await expect(right.row(1)).toContainText('fast 1');
  await right.scroller.focus();
  await page.keyboard.press('z');
  await goToFromHere(page, '400');
  await expect(right.row(400)).toBeVisible();
  await expect(left.row(400)).toBeVisible();
  // The other way round.
  await left.row(400).click();
  await page.keyboard.press('h');
  await expect(right.row(1)).toBeVisible();
  // By time: line n of one came when line 10 n of the other did.
  await page.keyboard.press('Z');
  await goToFromHere(page, '300');
  await expect(left.row(300)).toBeVisible();
  const top = (index: number) =>
    inPane(page, index).status.evaluate((line) =>
      Number(/Lines ([\d,]+)/.exec(line.textContent)?.[1]?.replaceAll(',', '')),
    );
  await left.row(300).click();
  await page.keyboard.press('Escape');
  await expect.poll(() => top(0)).toBeGreaterThan(200);
  await expect.poll(async () => (await top(1)) / (await top(0))).toBeCloseTo(10, 1);
  await keep(page, 'panes-together');
});

/** Logs of one day, and one of the next, whose lines say which they are. */
function dayLogs(inspector: Inspector): string[] {
  const start = Date.UTC(2026, 0, 13, 10, 0, 0);
  const log = (name: string, from: number) =>
    writeLines(
      inspector.folder,
      `${name}.log`,
      4000,
      (n) =>
        `${new Date(start + (from + n) * 1000).toISOString()} ${name} ${n % 10 === 0 ? 'tenth' : 'line'} ${n}`,
    );
  return [log('first', 0), log('second', 0), log('later', 90_000)];
}

test('two panes of one day and of another', async ({ inspector, page }) => {
  const text = await inspector.open(dayLogs(inspector));
  const list = new ListPage(page);
  await list.item('first.log').click();
  await text.counted(4000);
  await page.keyboard.press('|');
  await list.item('later.log').click();
  const [left, right] = [inPane(page, 0), inPane(page, 1)];
  await expect(right.row(1)).toContainText('later line 1');
  await right.scroller.focus();
  await test.step('a pane stays where it is when it has nothing of that time, and it is said', async () => {
    await page.keyboard.press('Z');
    await expect(page.getByText('The other pane ends before this time')).toBeVisible();
    await expect(left.row(1)).toBeVisible();
    await left.scroller.click();
    await page.keyboard.press('End');
    await expect(left.row(4000)).toBeVisible();
    await expect(page.getByText('Scroll together')).toBeVisible();
    await expect(right.row(1)).toBeVisible();
  });

  await page.keyboard.press('Z');
  await right.scroller.click();
  await list.item('second.log').click();
  await expect(right.row(1)).toContainText('second line 1');
  await test.step('scrolling together by time begins at the pane with the focus, and knows filters', async () => {
    await right.scroller.focus();
    await goToFromHere(page, '3000');
    await expect(right.row(3000)).toBeVisible();
    await page.keyboard.press('Escape');
    // Only every tenth line is shown at the left.
    await left.scroller.click();
    await page.keyboard.press('F');
    await page.keyboard.type('tenth');
    await page.keyboard.press('Enter');
    await expect(pane(page, 0).locator('[data-filter="count"]')).toHaveText('400 of 4,000 lines');
    await page.keyboard.press('p');
    await expect(right.scroller).toBeFocused();
    const top = await right.firstLine();
    await page.keyboard.press('Z');
    await expect.poll(() => left.firstLine()).toBe(Math.ceil(top / 10) * 10);
    expect(await right.firstLine()).toBe(top);
    // Line by line, too.
    await page.keyboard.press('z');
    await goToFromHere(page, '1005');
    await expect(right.row(1005)).toBeVisible();
    await expect(left.row(1010)).toBeVisible();
  });
});
