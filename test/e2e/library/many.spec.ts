/** A library so large that it is listed in several steps: the shown artifact is in view, unless the user scrolls. */
import { utimesSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/inspector.ts';
import { ListPage } from '../fixtures/list-page.ts';
import { logFolder, writeLines } from '../fixtures/logs.ts';
import { recordCopies } from '../fixtures/recorded-copies.ts';

const COUNT = 1200;
const sessions = (of: (number: number) => string) => Array.from({ length: COUNT }, (_, number) => of(number));
const known = (page: Page, count: string) => expect(page.getByText(count, { exact: true })).toBeVisible();

test('the shown artifact of a large library', async ({ inspector, page }) => {
  const path = writeLines(inspector.folder, 'old.log', 10, String);
  utimesSync(path, new Date('2026-01-13'), new Date('2026-01-13'));
  const copies = await recordCopies(
    inspector,
    sessions(() => 'one task'),
  );
  await inspector.open([path]);
  const list = new ListPage(page);
  await test.step('a file older than everything recorded is shown, and its row is in view', async () => {
    await known(page, '1,202 items');
    await expect(list.item('old.log')).toHaveAttribute('aria-selected', 'true');
    await expect(list.item('old.log')).toBeInViewport({ ratio: 1 });
    await page.reload();
    await known(page, '1,202 items');
    await expect(list.item('old.log')).toBeInViewport({ ratio: 1 });
  });

  await test.step('an address of an artifact that is listed late brings its row into view', async () => {
    const { id } = copies[1000]!;
    await page.goto('about:blank');
    await page.goto(`${inspector.url}#a=${id}`);
    await known(page, '1,202 items');
    const row = page.locator(`[data-artifact="${id}"]`);
    await expect(row).toHaveAttribute('aria-selected', 'true');
    await expect(row).toBeInViewport({ ratio: 1 });
  });

  await test.step('a scroll made while rows are still listed stays', async () => {
    // Hold back all but the first of the pages.
    let more = () => {};
    const isScrolled = new Promise<void>((resolve) => {
      more = resolve;
    });
    await page.routeWebSocket(/./, (socket) => {
      const server = socket.connectToServer();
      let isHeld = false;
      server.onMessage(async (message) => {
        if (isHeld && isPage(message)) await isScrolled;
        if (isPage(message)) isHeld = true;
        socket.send(message);
      });
    });
    await page.goto('about:blank');
    await page.goto(`${inspector.url}#a=${copies[1000]!.id}`);
    await expect(list.items.first()).toBeVisible();
    await list.tree.hover();
    await page.mouse.wheel(0, 4800);
    await expect.poll(() => list.tree.evaluate((tree) => tree.scrollTop)).toBeGreaterThanOrEqual(4800);
    const before = await rowInView(list);
    more();
    await known(page, '1,202 items');
    // Rows that are listed late may come above it.
    expect(await rowInView(list)).toEqual(before);
  });
});

test('rows of a group above that are listed late leave the shown one in view', async ({
  inspector,
  page,
}) => {
  const copies = await recordCopies(
    inspector,
    sessions((number) => (number === 0 || number > 700 ? 'two parts' : 'between')),
  );
  await inspector.start([]);
  const { id } = copies[1]!;
  await page.goto(`${inspector.url}#a=${id}`);
  await known(page, '1,201 items');
  const row = page.locator(`[data-artifact="${id}"]`);
  await expect(row).toHaveAttribute('aria-selected', 'true');
  await expect(row).toBeInViewport({ ratio: 1 });
});

/** An item in view, and its place on the screen. */
function rowInView({ tree }: ListPage): Promise<{ id: string | null; top: number }> {
  return tree.evaluate((element) => {
    const { left, top } = element.getBoundingClientRect();
    const item = document.elementFromPoint(left + 60, top + 150)!.closest('[role="treeitem"]')!;
    return { id: item.getAttribute('data-artifact'), top: Math.round(item.getBoundingClientRect().top) };
  });
}

const isPage = (message: string | Buffer) => message.length > 50_000;

test('a group that is unfolded above the shown row keeps its heading in view', async ({
  inspector,
  page,
}) => {
  const path = writeLines(inspector.folder, 'old.log', 10, String);
  utimesSync(path, new Date('2026-01-13'), new Date('2026-01-13'));
  const names = Array.from({ length: 100 }, (_, number) => `${number}.log`);
  await inspector.open([logFolder(inspector.folder, 'folder', names), path]);
  const list = new ListPage(page);
  const heading = list.headings.filter({ hasText: '100' });
  await expect(heading).toHaveAttribute('aria-expanded', 'false');
  await list.item('old.log').click();
  await expect(list.item('old.log')).toHaveAttribute('aria-selected', 'true');
  await heading.click();
  await expect(heading).toHaveAttribute('aria-expanded', 'true');
  await expect(heading).toBeInViewport({ ratio: 1 });
});
