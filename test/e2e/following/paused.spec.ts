/** The window while following is paused. */
import { appendFileSync, truncateSync } from 'node:fs';
import { dress } from '../fixtures/dressed.ts';
import { followed, isAtEnd, lines, scrolledUp } from '../fixtures/followed.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { logLine, writeLines } from '../fixtures/logs.ts';

test.describe('following, paused,', () => {
  test('counts lines that came while the host could not be reached', async ({ inspector, page }) => {
    let drop = async (): Promise<void> => {};
    let connections = 0;
    let reachable = true;
    await page.routeWebSocket(/\/api$/, (socket) => {
      if (!reachable) return void socket.close();
      // Each connection numbers texts in its own way, as if another host had opened them.
      const later = 10 * connections;
      connections += 1;
      const host = socket.connectToServer();
      socket.onMessage((message) => host.send(message));
      host.onMessage((message) =>
        socket.send(
          String(message).replace(
            /"generation":(\d+)/g,
            (_, generation) => `"generation":${Number(generation) + later}`,
          ),
        ),
      );
      drop = async () => {
        await host.close();
        await socket.close();
      };
    });
    const { path, text } = await followed(inspector);
    const paused = await scrolledUp(text);
    reachable = false;
    await drop();
    await expect(page.getByRole('alert').filter({ hasText: 'Offline' })).toBeVisible();
    appendFileSync(path, lines(3001, 7));
    reachable = true;
    await text.counted(3007);
    await expect(paused).toContainText('Paused, 7 new lines');
  });

  test('says in bytes how much waits while lines are counted, and leaves alone who scrolled up', async ({
    inspector,
    page,
  }) => {
    let counting = true;
    await dress(page, {
      document: (state) => (counting ? { ...state, indexed_bytes: 0, total_lines: 0 } : state),
    });
    const path = writeLines(inspector.folder, 'growing.log', 3000, logLine);
    const text = await inspector.open([path]);
    await expect(text.row(1)).toBeVisible();
    await text.scroller.focus();
    await page.keyboard.press('f');
    await expect(text.status).toContainText('The last 1,024 lines');
    await expect.poll(async () => (await text.wholeRows()).at(-1)?.text).toBe(logLine(3000));
    const paused = await scrolledUp(text);
    const [top] = await text.wholeRows();
    appendFileSync(path, lines(3001, 100));
    await expect(paused).toContainText(/Paused, [\d.]+ KiB new/);
    expect((await text.wholeRows())[0]).toEqual(top);
    counting = false;
    appendFileSync(path, lines(3101, 1));
    await text.counted(3101);
    await expect(paused).toContainText(/Paused, [\d.]+ KiB new/);
    expect((await text.wholeRows())[0]?.text).toBe(top?.text);
  });

  test('stays paused when the text is truncated, and says so', async ({ inspector, page }) => {
    const { path, text } = await followed(inspector);
    const paused = await scrolledUp(text);

    truncateSync(path, 0);
    appendFileSync(path, lines(1, 3));
    await expect(page.getByText('The file was truncated')).toBeVisible();
    await expect(paused).toContainText('3 new lines');
    appendFileSync(path, lines(4, 3996));
    await expect(paused).toContainText('3,999 new lines');
    expect(await text.firstWholeLine()).toBe(1);

    await paused.click();
    await isAtEnd(text, path, 3999);
    await expect(page.getByText('Following', { exact: true })).toBeVisible();
    // The same when the whole text is in view.
    await text.wheel(-400);
    await expect(paused).toBeVisible();
    truncateSync(path, 0);
    appendFileSync(path, lines(1, 5));
    await expect(paused).toContainText('5 new lines');
    await text.scroller.focus();
    await page.keyboard.press('End');
    await expect(page.getByText('Following', { exact: true })).toBeVisible();
    appendFileSync(path, lines(6, 400));
    await isAtEnd(text, path, 405);
  });
});
