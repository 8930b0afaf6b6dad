/** Opens places in files that lines name. In place of an editor, a program writes down its arguments. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rgPath } from '@vscode/ripgrep';
import { PLACES } from '../../fixtures/sizes.ts';
import { test as base, expect, type Inspector } from '../fixtures/inspector.ts';
import { sed } from '../fixtures/logs.ts';
import { sharedFile } from '../fixtures/shared-file.ts';
import type { TextPage } from '../fixtures/text-page.ts';

interface Editor {
  /** The arguments of the last start; null before one. */
  started(): string | null;
  forget(): void;
}

function putEditor({ folder, env }: Inspector): Editor {
  const bin = join(folder, 'bin');
  const told = join(folder, 'told');
  mkdirSync(bin);
  writeFileSync(join(bin, 'code'), `#!/bin/sh\necho "$@" > ${told}.part\nmv ${told}.part ${told}\n`);
  chmodSync(join(bin, 'code'), 0o755);
  env.PATH = `${bin}:${process.env.PATH}`;
  return {
    started: () => (existsSync(told) ? readFileSync(told, 'utf8').trim() : null),
    forget: () => rmSync(told, { force: true }),
  };
}

/** A line in the middle of ripgrep's output for the packages, where each line begins with a place in a file. */
const DEEP = PLACES / 2;
const PACKAGES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

const test = base.extend<{ places: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
  places: async ({}, use) => {
    const find = `"$0" --vimgrep --max-columns 300 --sort path -uuu -g '*.{ts,js}' -e '[aeou]'`;
    await use(
      await sharedFile('places.txt', (folder) => {
        const path = join(folder, 'places.txt');
        execFileSync('sh', ['-c', `${find} "$1" | head -n ${PLACES} > "$2"`, rgPath, PACKAGES, path]);
      }),
    );
  },
});

/** A file, the line and the column that a line of the output names. */
function placeOf(path: string, line: number): { file: string; at: string; name: string } {
  const [, file, at] = /^(.+?):(\d+:\d+):/.exec(sed(path, line, line)[0]!)!;
  return { file: file!, at: at!, name: basename(file!) };
}

/** Two files beside a log that names them, and others that are not there. */
function opened(inspector: Inspector): Promise<TextPage> {
  mkdirSync(join(inspector.folder, 'src'));
  writeFileSync(join(inspector.folder, 'src', 'a.ts'), 'text\n');
  const path = join(inspector.folder, 'build.log');
  const lines = [
    'src/a.ts:12:5 - error TS2345: Argument is not assignable, see src/b.ts(7,3)',
    'gone/away.ts:3:1 and /dev/null.ts:4:4 and ../build.log',
  ];
  writeFileSync(path, `${lines.join('\n')}\n`);
  return inspector.open([path]);
}

const link = (text: TextPage, line: number, name: string) =>
  text.row(line).locator('[data-link]', { hasText: name });

/** Checks that the summary's level and the filter count the same lines, and that each line has that level. */
async function showErrorsOnly(text: TextPage): Promise<void> {
  const { page } = text;
  await page.keyboard.press('s');
  const error = page.getByRole('button', { name: /^Show error lines only, [\d,]+ lines?$/ });
  const summary = page.getByRole('complementary', { name: 'Summary' });
  await expect(summary).toContainText(PLACES.toLocaleString('en-US'), { timeout: 60_000 });
  await expect(summary).not.toContainText('read so far', { timeout: 60_000 });
  const [, count] = /only, ([\d,]+) lines?/.exec((await error.textContent())!)!;
  await error.click();
  await expect(page.locator('[data-filter="count"]')).toHaveText(
    `${count} of ${PLACES.toLocaleString('en-US')} lines`,
    {
      timeout: 60_000,
    },
  );
  await page.keyboard.press('Home');
  for (const row of await text.wholeRows()) {
    expect(row.text).toMatch(/error/i);
    await expect(text.row(row.line!)).toHaveAttribute('data-tone', 'failed');
  }
  await page.getByRole('button', { name: 'Remove all filters' }).click();
  await page.keyboard.press('s');
  await text.scroller.focus();
}

test('a place in a file opens in the editor at Ctrl+click, by key and from the menu, and at nothing else', async ({
  inspector,
  page,
  places,
}) => {
  const editor = putEditor(inspector);
  const text = await inspector.open([places]);
  await text.counted(PLACES);
  const [first, second, deep] = [1, 2, DEEP].map((line) => placeOf(places, line));

  await link(text, 1, first!.name).click();
  await link(text, 1, first!.name).dblclick();
  expect(editor.started()).toBeNull();
  await page.keyboard.press('Escape');

  await link(text, 2, second!.name).click({ modifiers: ['Control'] });
  await expect.poll(editor.started).toBe(`-g ${second!.file}:${second!.at}`);
  await expect(page.getByText(`Opened ${second!.file} in code`)).toBeVisible();
  editor.forget();

  await text.goTo(String(DEEP));
  await expect(link(text, DEEP, deep!.name)).toBeInViewport();
  await text.scroller.focus();
  await page.keyboard.press('V');
  await expect.poll(editor.started).toBe(`-g ${deep!.file}:${deep!.at}`);
  editor.forget();

  await text.goTo('1');
  await link(text, 2, second!.name).click({ button: 'right' });
  await page.getByRole('menuitem', { name: /^Open the file that the line names/ }).click();
  await expect.poll(editor.started).toBe(`-g ${second!.file}:${second!.at}`);
  await page.keyboard.press('Escape');
  await showErrorsOnly(text);
});

test('places beside the log are opened as the settings say', async ({ inspector, page }) => {
  const editor = putEditor(inspector);
  mkdirSync(inspector.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(inspector.home, 'config.json'), '{"editor": "code --at {line} {file}"}');
  const text = await opened(inspector);
  await text.counted(2);

  await test.step('a file that is not there, or is none, is said and not opened', async () => {
    await link(text, 2, 'gone/away.ts').click({ modifiers: ['Control'] });
    await expect(page.getByText(/There is no file .*gone\/away\.ts/)).toBeVisible();
    await link(text, 2, '/dev/null.ts').click({ modifiers: ['Control'] });
    await expect(page.getByText(/There is no file \/dev\/null\.ts/)).toBeVisible();
    expect(editor.started()).toBeNull();
  });

  await test.step('the editor is the one of the settings', async () => {
    await page.keyboard.press('w');
    await link(text, 1, 'src/a.ts').click({ modifiers: ['Control'] });
    await expect.poll(editor.started).toBe(`--at 12 ${join(inspector.folder, 'src', 'a.ts')}`);
  });
});
