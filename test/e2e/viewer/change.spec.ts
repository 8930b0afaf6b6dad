import { appendFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { DocumentState } from '../../../shared/api/rows.ts';
import { dress } from '../fixtures/dressed.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { logLine, sed, writeLines } from '../fixtures/logs.ts';

test.describe('a file that changes while it is looked at', () => {
  test('shows what is appended, and stays where it is unless it follows', async ({ inspector, page }) => {
    const path = writeLines(inspector.folder, 'growing.log', 500, logLine);
    const text = await inspector.open([path]);
    await text.counted(500);
    await text.scroller.focus();
    await page.keyboard.press('End');
    await expect(text.row(500)).toBeVisible();
    const top = await text.firstWholeLine();

    appendFileSync(path, 'appended without newline');
    await text.counted(501);
    expect(await text.firstWholeLine()).toBe(top);

    await page.keyboard.press('f');
    await expect(text.row(501)).toContainText('appended without newline');
    appendFileSync(path, ', then completed\nand another\n');
    await text.counted(502);
    await expect(text.row(501)).toContainText('appended without newline, then completed');
    await expect(text.row(502)).toContainText('and another');

    // Scrolling up pauses, coming back to the end goes on.
    await text.wheel(-180);
    await expect(page.getByText('Paused, nothing new')).toBeVisible();
    const paused = await text.firstWholeLine();
    appendFileSync(path, 'while paused\n');
    await text.counted(503);
    expect(await text.firstWholeLine()).toBe(paused);
    await page.keyboard.press('t');
    await expect(page.getByText('Following', { exact: true })).toBeVisible();
    appendFileSync(path, 'followed again\n');
    await expect(text.row(504)).toContainText('followed again');
  });

  test('says that it was truncated and shows it as it is now', async ({ inspector, page }) => {
    const path = writeLines(inspector.folder, 'cut.log', 50_000, logLine);
    const text = await inspector.open([path]);
    await text.counted(50_000);
    await text.goTo('40000');
    await expect(text.row(40_000)).toBeVisible();

    truncateSync(path, 0);
    writeFileSync(path, 'new first\nnew second\n');
    await text.counted(2);
    await expect(page.getByText('Changed', { exact: true })).toBeVisible();
    const rows = await text.wholeRows();
    expect(rows.map((row) => row.text)).toEqual(['new first', 'new second']);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect(page.getByText('Changed', { exact: true })).toHaveCount(0);
  });

  test('says that it was replaced, as log rotation does', async ({ inspector, page }) => {
    const path = writeLines(inspector.folder, 'app.log', 3000, logLine);
    const text = await inspector.open([path]);
    await text.counted(3000);
    renameSync(path, `${path}.1`);
    writeFileSync(path, 'after rotation\n');
    await text.counted(1);
    await expect(page.getByText('Changed', { exact: true })).toBeVisible();
    await expect(text.row(1)).toContainText('after rotation');
  });

  test('says that it was deleted while it is scrolled, and keeps what was read', async ({
    inspector,
    page,
  }) => {
    const path = writeLines(inspector.folder, 'gone.log', 200_000, logLine);
    const text = await inspector.open([path]);
    await text.counted(200_000);
    await text.goTo('100000');
    await expect(text.row(100_000)).toContainText(logLine(100_000));
    for (let turn = 0; turn < 5; turn += 1) await text.wheel(90);
    rmSync(path);
    for (let turn = 0; turn < 5; turn += 1) await text.wheel(90);
    await expect(page.getByRole('alert').filter({ hasText: 'Gone' })).toBeVisible();
    const rows = await text.wholeRows();
    expect(rows.length).toBeGreaterThan(10);
    expect(rows[0]?.text).toBe(logLine(rows[0]?.line ?? 0));
  });

  test('keeps its last lines in view while it is followed, whatever comes above or below them', async ({
    inspector,
    page,
  }) => {
    const path = writeLines(inspector.folder, 'gone.log', 5000, logLine);
    const text = await inspector.open([path]);
    await text.counted(5000);
    await text.scroller.focus();
    await page.keyboard.press('f');
    await expect(text.row(5000)).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('/');
    await expect(page.getByRole('textbox', { name: 'Pattern' })).toBeFocused();
    await expect(text.row(5000)).toBeInViewport({ ratio: 1 });
    rmSync(path);
    const gone = page.getByRole('alert').filter({ hasText: 'Gone' });
    await expect(gone).toContainText('A new file at its path will be shown here.');
    await expect(text.row(5000)).toBeInViewport({ ratio: 1 });
    await expect(page.getByText('Following', { exact: true })).toBeVisible();
    expect((await text.wholeRows()).at(-1)).toMatchObject({ line: 5000, text: logLine(5000) });
    // A reader still leaves the end.
    await text.wheel(-180);
    await expect(page.getByText('Paused, nothing new')).toBeVisible();
  });

  test('is promised to come back only if it is a file of others', async ({ inspector, page }) => {
    await dress(page, {
      artifact: (artifact) => ({
        ...artifact,
        kind: 'cmd',
        command: 'make',
        args: [],
        status: 'failed',
        streams: artifact.streams.map((stream) => ({ ...stream, file_path: null })),
      }),
    });
    const path = writeLines(inspector.folder, 'gone.log', 50, logLine);
    const text = await inspector.open([path]);
    await text.counted(50);
    rmSync(path);
    const gone = page.getByRole('alert').filter({ hasText: 'Gone' });
    await expect(gone).toContainText('stays readable');
    await expect(gone).not.toContainText('A new file');
  });
});

test('a reload returns to the line that was looked at', async ({ inspector, bigLog, page }) => {
  const text = await inspector.open([bigLog]);
  await text.goTo('1500000');
  await expect(text.row(1_500_000)).toBeVisible();
  const top = (await text.firstWholeLine())! + 7;
  await text.wheel(18 * 7);
  await expect.poll(() => text.firstWholeLine()).toBe(top);
  await expect(page).toHaveURL(new RegExp(`l=${top}$`));
  expect(page.url()).not.toContain('token');
  await page.reload();
  await expect.poll(() => text.firstWholeLine()).toBe(top);
  expect((await text.wholeRows())[0]?.text).toBe(logLine(top));
});

test('the window says that the host is gone, and goes on where it was when it is back', async ({
  inspector,
  page,
}) => {
  const { path, text } = await inspector.openLog(20_000);
  await text.goTo('12000');
  await expect(text.row(12_000)).toBeInViewport();
  const top = await text.firstWholeLine();
  await inspector.stop();
  await expect(page.getByRole('alert').filter({ hasText: 'Offline' })).toBeVisible();
  expect(await text.firstWholeLine()).toBe(top);

  await inspector.start([path]);
  // The new host has a new token, which only a person can bring.
  await page.goto(inspector.url);
  await expect(page.getByText('Offline')).toHaveCount(0);
  await text.counted(20_000);
});

test.describe('a file whose lines are still being counted', () => {
  test('shows its tail at once, without numbers, and numbers it when they are known', async ({
    inspector,
    bigLog,
    page,
  }) => {
    const letGo = await holdCounting(page, (bytes) => ({ indexed_bytes: bytes / 3, total_lines: 600_000 }));
    const text = await inspector.open([bigLog]);
    await expect(text.status).toContainText('counting… 33 %');
    const head = await text.wholeRows();
    expect(head[0]?.text).toBe(logLine(1));

    await page.keyboard.press('t');
    await expect(text.status).toContainText('The last 1,024 lines');
    const rows = await text.wholeRows();
    expect(rows.at(-1)).toMatchObject({ line: null, text: logLine(2_000_000) });
    await text.wheel(-18 * 100);
    await expect
      .poll(async () => (await text.wholeRows())[0]?.text)
      .toBe(logLine(2_000_000 - rows.length + 1 - 100));

    letGo();
    await text.counted(2_000_000);
    // Numbered now, and not moved by a pixel.
    const numbered = await text.wholeRows();
    expect(numbered[0]).toMatchObject({ line: 2_000_000 - rows.length + 1 - 100 });
    expect(numbered.map((row) => row.text)).toEqual(sed(bigLog, numbered[0]!.line!, numbered.at(-1)!.line!));
  });

  test('goes to a line beyond what is counted as soon as it is there', async ({ inspector, page }) => {
    const path = join(inspector.folder, 'slow.log');
    writeLines(inspector.folder, 'slow.log', 100_000, logLine);
    const letGo = await holdCounting(page, () => ({ indexed_bytes: 1000, total_lines: 5000 }));
    const text = await inspector.open([path]);
    await expect(text.status).toContainText('counting');
    await text.goTo('80000');
    await expect(page.getByText('Going to line 80,000 when it is counted')).toBeVisible();
    letGo();
    await expect(text.row(80_000)).toContainText(logLine(80_000));
    await expect(text.status).toHaveText('Line 80,000 of 100,000');
  });

  test('says that its lines are those of what was unpacked so far', async ({ inspector, page }) => {
    const letGo = await holdCounting(page, (bytes) => ({
      indexed_bytes: bytes,
      total_lines: 60_000,
      is_unpacking: true,
    }));
    const text = await inspector.open([writeLines(inspector.folder, 'big.log', 100_000, logLine)]);
    await expect(text.status).toContainText(' of 60,000, unpacking…');
    letGo();
    await expect(text.status).toHaveText(/ of 100,000$/);
  });
});

/** Real counting is over before it can be seen: the window is told of an earlier state until the test lets go. */
async function holdCounting(
  page: Page,
  earlier: (totalBytes: number) => Partial<DocumentState>,
): Promise<() => void> {
  let letGo = () => {};
  await page.routeWebSocket(/\/api$/, (socket) => {
    const host = socket.connectToServer();
    let latest = '';
    let held = true;
    socket.onMessage((message) => host.send(message));
    host.onMessage((message) => {
      const parsed = JSON.parse(String(message));
      if (!held || parsed.event?.indexed_bytes === undefined) return socket.send(message);
      latest = String(message);
      const event = { ...parsed.event, ...earlier(parsed.event.total_bytes) };
      socket.send(JSON.stringify({ ...parsed, event }));
    });
    letGo = () => {
      held = false;
      socket.send(latest);
    };
  });
  return () => letGo();
}
