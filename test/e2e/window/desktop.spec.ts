/** The page in the desktop; functions stand in for the preload's. */
import type { Desktop, MenuEntry, Saved } from '../../../shared/desktop.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { logLine, writeLines } from '../fixtures/logs.ts';

interface StandIn {
  spillwayDesktop: Desktop;
  menu: readonly MenuEntry[];
  theme: string;
  choose: (action: string) => void;
  chosen: string;
  saved: (saved: Saved) => void;
  /** Paths of dropped files, by their names. */
  paths: Record<string, string>;
}

test('the menu has the page’s actions, and a file counts as saved when it is', async ({
  inspector,
  page,
}) => {
  await page.addInitScript(() => {
    const it = globalThis as unknown as StandIn;
    it.paths = {};
    it.spillwayDesktop = {
      pathOf: (file) => it.paths[(file as File).name] ?? '',
      chooseToOpen: (what) => {
        it.chosen = what;
      },
      showMenu: (entries) => {
        it.menu = entries;
      },
      showTheme: (theme) => {
        it.theme = theme;
      },
      onChosen: (listener) => {
        it.choose = listener;
      },
      onSaved: (listener) => {
        it.saved = listener;
      },
    };
  });
  const log = writeLines(inspector.folder, 'app.log', 50, logLine);
  const text = await inspector.open([log]);
  await text.counted(50);
  const entry = (action: string) =>
    page.evaluate(
      (name) => (globalThis as unknown as StandIn).menu.find((each) => each.action.startsWith(name)),
      action,
    );
  await expect.poll(() => entry('Preferences')).toMatchObject({ key: 'Ctrl+,', applies: true, isOn: null });
  await expect.poll(async () => (await entry('Wrap'))?.isOn).toBe(false);
  await text.scroller.focus();
  await page.keyboard.press('w');
  await expect.poll(async () => (await entry('Wrap'))?.isOn).toBe(true);
  expect(await page.evaluate(() => (globalThis as unknown as StandIn).theme)).toBe('system');

  await page.evaluate(() => (globalThis as unknown as StandIn).choose('Preferences'));
  await expect(page.getByRole('dialog', { name: 'Preferences' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(text.scroller).toBeFocused();

  await page.keyboard.press('o');
  await page.getByRole('button', { name: 'Choose a folder…' }).click();
  expect(await page.evaluate(() => (globalThis as unknown as StandIn).chosen)).toBe('folder');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(text.scroller).toBeFocused();

  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog', { name: /^Save / });
  await expect(dialog.getByRole('button', { name: 'Save', exact: true })).toBeFocused();
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  await expect(page.getByText(/^Saved 50 lines/)).toHaveCount(0);
  await page.evaluate(
    (url) => (globalThis as unknown as StandIn).saved({ url, outcome: 'failed' }),
    download.url(),
  );
  await expect(page.getByText('Nothing was saved: the file could not be written')).toBeVisible();

  // By its path, not as a copy: it is followed.
  const dropped = writeLines(inspector.folder, 'dropped.log', 7, logLine);
  await page.evaluate((path) => {
    (globalThis as unknown as StandIn).paths = { 'dropped.log': path };
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([], 'dropped.log'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
  }, dropped);
  await expect(page.getByRole('heading', { name: 'dropped.log' })).toBeVisible();
  await text.counted(7);
});
