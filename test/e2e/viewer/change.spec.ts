import { appendFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { DocumentState } from '../../../shared/api/rows.ts';
import { dress } from '../fixtures/dressed.ts';
import { expect, type Inspector, test } from '../fixtures/inspector.ts';
import { ListPage } from '../fixtures/list-page.ts';
import { logLine, sed, writeLines } from '../fixtures/logs.ts';

/** Opens logs of so many lines; `show` leads to one of them. */
async function logs(inspector: Inspector, totals: Record<string, number>) {
  const paths = Object.entries(totals).map(([name, total]) =>
    writeLines(inspector.folder, name, total, logLine),
  );
  const text = await inspector.open(paths);
  const show = async (name: string) => {
    await new ListPage(text.page).item(name).click();
    await text.counted(totals[name]!);
    await text.scroller.focus();
    return `${inspector.folder}/${name}`;
  };
  return { text, show };
}

test('a file that changes while it is looked at', async ({ inspector, page }) => {
  const { text, show } = await logs(inspector, { 'growing.log': 500, 'cut.log': 5000, 'app.log': 300 });
  const changed = page.getByText('Changed', { exact: true });

  await test.step('says that it was truncated and shows it as it is now', async () => {
    const path = await show('cut.log');
    await text.goTo('4000');
    await expect(text.row(4000)).toBeVisible();
    truncateSync(path, 0);
    writeFileSync(path, 'new first\nnew second\n');
    await text.counted(2);
    await expect(changed).toBeVisible();
    const rows = await text.wholeRows();
    expect(rows.map((row) => row.text)).toEqual(['new first', 'new second']);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect(changed).toHaveCount(0);
  });

  await test.step('says that it was replaced, as log rotation does, and keeps what was set', async () => {
    const path = await show('app.log');
    const chooseEncoding = async (name: string) => {
      await page.getByTitle('Encoding: choose another').click();
      await page.getByRole('menuitemradio', { name }).click();
    };
    await chooseEncoding('Western (Windows-1252)');
    await page.keyboard.press('F');
    await page.keyboard.insertText('rotation');
    await page.keyboard.press('Enter');
    renameSync(path, `${path}.1`);
    writeFileSync(path, 'a line\nafter rotation caf\u00e9\n', 'latin1');
    await text.counted(2);
    await expect(changed).toBeVisible();
    await expect(text.row(2)).toContainText('after rotation café');
    await expect(text.row(1)).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Edit: Show lines with rotation' })).toBeVisible();
    await page.reload();
    await expect(text.row(2)).toContainText('after rotation café');
    await expect(text.row(1)).toHaveCount(0);
    await page.getByRole('button', { name: 'Remove all filters' }).click();
  });

  await test.step('shows what is appended, and stays where it is unless it follows', async () => {
    const path = await show('growing.log');
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
});

test('a file that is deleted while it is looked at', async ({ inspector, page }) => {
  await dress(page, {
    artifact: (artifact) =>
      artifact.label === 'printed.log'
        ? {
            ...artifact,
            kind: 'cmd',
            status: 'failed',
            streams: artifact.streams.map((stream) => ({ ...stream, file_path: null })),
          }
        : artifact,
  });
  const { text, show } = await logs(inspector, {
    'scrolled.log': 20_000,
    'followed.log': 5000,
    'printed.log': 50,
  });
  const gone = page.getByRole('alert').filter({ hasText: 'Gone' });

  await test.step('says that it was deleted while it is scrolled, and keeps what was read', async () => {
    const path = await show('scrolled.log');
    await text.goTo('10000');
    await expect(text.row(10_000)).toContainText(logLine(10_000));
    for (let turn = 0; turn < 3; turn += 1) await text.wheel(90);
    rmSync(path);
    for (let turn = 0; turn < 3; turn += 1) await text.wheel(90);
    await expect(gone).toBeVisible();
    const rows = await text.wholeRows();
    expect(rows.length).toBeGreaterThan(10);
    expect(rows[0]?.text).toBe(logLine(rows[0]?.line ?? 0));
    await expect(page.getByText('Changed', { exact: true })).toHaveCount(0);
    // Its tab keeps its name.
    await new ListPage(page).item('printed.log').click({ modifiers: ['Control'] });
    await expect(page.locator('main').getByText('scrolled.log', { exact: true })).toBeVisible();
  });

  await test.step('is promised to come back only if it is a file of others', async () => {
    rmSync(await show('printed.log'));
    await expect(gone).toContainText('stays readable');
    await expect(gone).not.toContainText('A new file');
  });

  await test.step('keeps its last lines in view while it is followed, whatever comes above or below them', async () => {
    const path = await show('followed.log');
    await page.keyboard.press('f');
    await expect(text.row(5000)).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('/');
    await expect(page.getByRole('textbox', { name: 'Pattern' })).toBeFocused();
    await expect(text.row(5000)).toBeInViewport({ ratio: 1 });
    rmSync(path);
    await expect(gone).toContainText('A new file at its path will be shown here.');
    await expect(text.row(5000)).toBeInViewport({ ratio: 1 });
    await expect(page.getByText('Following', { exact: true })).toBeVisible();
    expect((await text.wholeRows()).at(-1)).toMatchObject({ line: 5000, text: logLine(5000) });
    // A reader still leaves the end.
    await text.wheel(-180);
    await expect(page.getByText('Paused, nothing new')).toBeVisible();
  });
});

test('the line that was looked at outlasts the page and the host', async ({ inspector, page }) => {
  const { path, text } = await inspector.openLog(20_000);
  await text.goTo('12000');
  await expect(text.row(12_000)).toBeInViewport();
  const top = (await text.firstWholeLine())! + 7;
  await test.step('a reload returns to the line that was looked at', async () => {
    await text.wheel(18 * 7);
    await expect.poll(() => text.firstWholeLine()).toBe(top);
    await expect(page).toHaveURL(new RegExp(`l=${top}$`));
    expect(page.url()).not.toContain('token');
    await page.reload();
    await expect.poll(() => text.firstWholeLine()).toBe(top);
    expect((await text.wholeRows())[0]?.text).toBe(logLine(top));
  });

  await test.step('the window says that the host is gone, and goes on where it was when it is back', async () => {
    await inspector.stop();
    await expect(page.getByRole('alert').filter({ hasText: 'Offline' })).toBeVisible();
    expect(await text.firstWholeLine()).toBe(top);
    await inspector.start([path]);
    // The new host has a new token, which only a person can bring.
    await page.goto(inspector.url);
    await expect(page.getByText('Offline')).toHaveCount(0);
    await text.counted(20_000);
  });
});

test('a file whose lines are still being counted', async ({ inspector, page }) => {
  const counting = await holdCounting(page);
  const total = 20_000;
  const paths = ['first.log', 'second.log', 'third.log'].map((name) =>
    writeLines(inspector.folder, name, total, logLine),
  );
  counting.hold((bytes) => ({ indexed_bytes: bytes / 3, total_lines: 6000 }));
  const text = await inspector.open(paths);
  const list = new ListPage(page);

  await test.step('shows its tail at once, without numbers, and numbers it when they are known', async () => {
    await expect(text.status).toContainText('counting… 33 %');
    const head = await text.wholeRows();
    expect(head[0]?.text).toBe(logLine(1));

    await page.keyboard.press('t');
    await expect(text.status).toContainText('The last 1,024 lines');
    const rows = await text.wholeRows();
    expect(rows.at(-1)).toMatchObject({ line: null, text: logLine(total) });
    await text.wheel(-18 * 100);
    const top = total - rows.length + 1 - 100;
    await expect.poll(async () => (await text.wholeRows())[0]?.text).toBe(logLine(top));

    counting.letGo();
    await text.counted(total);
    // Numbered now, and not moved by a pixel.
    const numbered = await text.wholeRows();
    expect(numbered[0]).toMatchObject({ line: top });
    expect(numbered.map((row) => row.text)).toEqual(
      sed(paths[0]!, numbered[0]!.line!, numbered.at(-1)!.line!),
    );
  });

  await test.step('goes to a line beyond what is counted as soon as it is there', async () => {
    counting.hold(() => ({ indexed_bytes: 1000, total_lines: 5000 }));
    await list.item('second.log').click();
    await expect(text.status).toContainText('counting');
    await text.goTo('18000');
    await expect(page.getByText('Going to line 18,000 when it is counted')).toBeVisible();
    counting.letGo();
    await expect(text.row(18_000)).toContainText(logLine(18_000));
    await expect(text.status).toHaveText('Line 18,000 of 20,000');
  });

  await test.step('says that its lines are those of what was unpacked so far', async () => {
    counting.hold((bytes) => ({ indexed_bytes: bytes, total_lines: 6000, is_unpacking: true }));
    await list.item('third.log').click();
    await expect(text.status).toContainText(' of 6,000, unpacking…');
    counting.letGo();
    await expect(text.status).toHaveText(/ of 20,000$/);
    // Or merged.
    counting.hold((bytes) => ({ indexed_bytes: bytes, total_lines: 6000, is_unpacking: true }));
    await list.item('second.log').click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: 'Merge by time' }).click();
    await expect(text.status).toContainText(' of 6,000, merging…');
    counting.letGo();
    await expect(text.status).toHaveText(/ of 40,000$/);
  });
});

/**
 * Real counting is over before it can be seen: the window is told of an earlier state of what it opens, until the
 * test lets go.
 */
async function holdCounting(page: Page) {
  type Earlier = (totalBytes: number) => Partial<DocumentState>;
  let earlier: Earlier | null = null;
  let letGo = () => {};
  await page.routeWebSocket(/\/api$/, (socket) => {
    const host = socket.connectToServer();
    let latest = '';
    socket.onMessage((message) => host.send(message));
    host.onMessage((message) => {
      const parsed = JSON.parse(String(message));
      if (!earlier || parsed.event?.indexed_bytes === undefined) return socket.send(message);
      latest = String(message);
      const event = { ...parsed.event, ...earlier(parsed.event.total_bytes) };
      socket.send(JSON.stringify({ ...parsed, event }));
    });
    letGo = () => {
      earlier = null;
      socket.send(latest);
    };
  });
  return {
    hold: (before: Earlier) => {
      earlier = before;
    },
    letGo: () => letGo(),
  };
}
