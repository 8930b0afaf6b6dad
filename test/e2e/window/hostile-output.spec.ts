/** Whatever a command, a name or a file says is text: it makes no element, follows no link and drives no terminal. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { cliEntry } from '../../fixtures/cli.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { ListPage } from '../fixtures/list-page.ts';

const MARKUP =
  '<img src=x onerror="window.ran=1"><script>window.ran=1</script><a href="javascript:window.ran=1">go</a>';
const TITLE = '\u001b]0;owned\u0007\u001b]2;owned\u001b\\';
const LINK = '\u001b]8;;javascript:window.ran=1\u001b\\click\u001b]8;;\u001b\\';
const CLIPBOARD = '\u001b]52;c;b3duZWQ=\u0007';
const RIGHT_TO_LEFT = '\u202egnp.exe\u202c\u2066';
const HOSTILE = `${MARKUP}${TITLE}${LINK}${CLIPBOARD}${RIGHT_TO_LEFT}`;

function spillway(home: string, args: readonly string[], input = ''): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const env = { ...process.env, SPILLWAY_HOME: home };
  try {
    execFileSync(process.execPath, [cliEntry, ...args], { env, input, stdio: 'pipe' });
  } catch {
    // The commands fail on purpose.
  }
}

/** Controls that could reorder, retitle or break lines of the window. */
const LIVE = /[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/;

/** Fails if hostile text became anything but text. */
async function expectInert(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    ran: 'ran' in window,
    elements: [...document.querySelectorAll('img, iframe, object, embed, script, a, base, meta[http-equiv]')]
      .map((one) => one.outerHTML)
      .filter((html) => !/^<script [^>]*src="\.?\/assets\//.test(html)),
    title: document.title,
    named: [...document.querySelectorAll('[title], [aria-label]')]
      .map((one) => `${one.getAttribute('title') ?? ''}${one.getAttribute('aria-label') ?? ''}`)
      .join('\n'),
    text: document.body.innerText,
  }));
  expect(found.ran).toBe(false);
  expect(found.elements).toEqual([]);
  for (const text of [found.title, found.named, found.text]) expect(text).not.toMatch(LIVE);
}

test('hostile commands, names and outputs stay text', async ({ inspector, page }) => {
  const { home, folder } = inspector;
  const failing = `printf '%s\\n' "$1"; printf 'error: %s\\n' "$1" >&2; exit 3`;
  spillway(home, ['run', '--no-pty', '--session', HOSTILE, '--', 'sh', '-c', failing, HOSTILE, HOSTILE]);
  spillway(
    home,
    ['capture', '--source', HOSTILE, '--session', HOSTILE, '--type', 'text'],
    `${HOSTILE}\n`.repeat(20),
  );
  const files = join(folder, 'files');
  mkdirSync(join(files, `${RIGHT_TO_LEFT}<b>`), { recursive: true });
  const name = `${'<img src=x onerror=window.ran=1>'}${TITLE}${RIGHT_TO_LEFT}.log`.replaceAll('/', '');
  writeFileSync(join(files, name), `${HOSTILE}\n`.repeat(30));
  writeFileSync(join(files, `${RIGHT_TO_LEFT}<b>`, 'a\nb.json'), JSON.stringify({ [HOSTILE]: HOSTILE }));
  const text = await inspector.open([files]);
  const list = new ListPage(page);
  await expect(list.items).toHaveCount(4);
  for (const item of await list.items.all()) {
    await item.click();
    await text.scroller.focus();
    await expectInert(page);
    for (const key of ['i', 's']) {
      await page.keyboard.press(key);
      await expectInert(page);
    }
    await page.keyboard.press('Control+k');
    await page.keyboard.type('img');
    await expectInert(page);
    await page.keyboard.press('Escape');
  }
  await page.evaluate((id) => {
    location.hash = new URLSearchParams({ a: id }).toString();
  }, HOSTILE);
  await expect(page.getByRole('heading', { name: /No artifact has the id/ })).toBeVisible();
  await expectInert(page);
});
