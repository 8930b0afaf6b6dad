/** The window while following is paused. */
import { appendFileSync, truncateSync } from 'node:fs';
import { dress } from '../fixtures/dressed.ts';
import { followed, isAtEnd, lines, scrolledUp } from '../fixtures/followed.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { ListPage } from '../fixtures/list-page.ts';
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

  test('says what waits', async ({ inspector, page }) => {
    let counting = true;
    await dress(page, {
      document: (state) => (counting ? { ...state, indexed_bytes: 0, total_lines: 0 } : state),
    });
    const [growing, cut] = ['growing.log', 'cut.log'].map((name) =>
      writeLines(inspector.folder, name, 3000, logLine),
    );
    const text = await inspector.open([growing!, cut!]);
    await test.step('in bytes while lines are counted, and leaves alone who scrolled up', async () => {
      await expect(text.row(1)).toBeVisible();
      await text.scroller.focus();
      await page.keyboard.press('f');
      await expect(text.status).toContainText('The last 1,024 lines');
      await expect.poll(async () => (await text.wholeRows()).at(-1)?.text).toBe(logLine(3000));
      const paused = await scrolledUp(text);
      const [top] = await text.wholeRows();
      appendFileSync(growing!, lines(3001, 100));
      await expect(paused).toContainText(/Paused, [\d.]+ KiB new/);
      expect((await text.wholeRows())[0]).toEqual(top);
      counting = false;
      appendFileSync(growing!, lines(3101, 1));
      await text.counted(3101);
      await expect(paused).toContainText(/Paused, [\d.]+ KiB new/);
      expect((await text.wholeRows())[0]?.text).toBe(top?.text);
    });

    await new ListPage(page).item('cut.log').click();
    await text.counted(3000);
    await text.scroller.focus();
    await page.keyboard.press('f');
    await isAtEnd(text, cut!, 3000);
    const paused = await scrolledUp(text);
    await test.step('stays paused when the text is truncated, and says so', async () => {
      truncateSync(cut!, 0);
      appendFileSync(cut!, lines(1, 3));
      await expect(page.getByText('The file was truncated')).toBeVisible();
      await expect(paused).toContainText('3 new lines');
      appendFileSync(cut!, lines(4, 3996));
      await expect(paused).toContainText('3,999 new lines');
      expect(await text.firstWholeLine()).toBe(1);

      await paused.click();
      await isAtEnd(text, cut!, 3999);
      await expect(page.getByText('Following', { exact: true })).toBeVisible();
      // The same when the whole text is in view.
      await text.wheel(-400);
      await expect(paused).toBeVisible();
      truncateSync(cut!, 0);
      appendFileSync(cut!, lines(1, 5));
      await expect(paused).toContainText('5 new lines');
      await text.scroller.focus();
      await page.keyboard.press('End');
      await expect(page.getByText('Following', { exact: true })).toBeVisible();
      appendFileSync(cut!, lines(6, 400));
      await isAtEnd(text, cut!, 405);
    });
  });
});
