/** Opens places in files that lines name. In place of an editor, a program writes down its arguments. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Inspector, test } from '../fixtures/inspector.ts';
import { writeLines } from '../fixtures/logs.ts';
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

const LINES = 2_000_000;

/** 200 MB of a build's output; some lines name a place. */
function opened(inspector: Inspector): Promise<TextPage> {
  mkdirSync(join(inspector.folder, 'src'));
  for (const name of ['a.ts', 'b.ts']) writeFileSync(join(inspector.folder, 'src', name), 'text\n');
  const path = writeLines(inspector.folder, 'build.log', LINES, (number) => {
    if (number === 1) return 'src/a.ts:12:5 - error TS2345: Argument is not assignable, see src/b.ts(7,3)';
    if (number === 2) return 'gone/away.ts:3:1 and /dev/null.ts:4:4 and ../build.log';
    if (number === 1_500_000) return '    at run (./src/b.ts:40:2)';
    return `compiled module ${number} of a very large program in ${number % 313} ms, nothing to say of it`;
  });
  return inspector.open([path]);
}

const link = (text: TextPage, line: number, name: string) =>
  text.row(line).locator('[data-link]', { hasText: name });

test('a place in a file opens in the editor at Ctrl+click, by key and from the menu, and at nothing else', async ({
  inspector,
  page,
}) => {
  const editor = putEditor(inspector);
  const text = await opened(inspector);
  await text.counted(LINES);
  const src = join(inspector.folder, 'src');

  await link(text, 1, 'src/a.ts').click();
  await link(text, 1, 'src/a.ts').dblclick();
  expect(editor.started()).toBeNull();
  await page.keyboard.press('Escape');

  await link(text, 1, 'src/b.ts').click({ modifiers: ['Control'] });
  await expect.poll(editor.started).toBe(`-g ${src}/b.ts:7:3`);
  await expect(page.getByText(`Opened ${src}/b.ts in code`)).toBeVisible();
  editor.forget();

  await text.goTo('1500000');
  await expect(link(text, 1_500_000, 'b.ts')).toBeInViewport();
  await text.scroller.focus();
  await page.keyboard.press('V');
  await expect.poll(editor.started).toBe(`-g ${src}/b.ts:40:2`);
  editor.forget();

  await text.goTo('1');
  await link(text, 1, 'src/b.ts').click({ button: 'right' });
  await page.getByRole('menuitem', { name: /^Open the file that the line names/ }).click();
  await expect.poll(editor.started).toBe(`-g ${src}/b.ts:7:3`);
});

test('a file that is not there, or is none, is said and not opened', async ({ inspector, page }) => {
  const editor = putEditor(inspector);
  const text = await opened(inspector);
  await text.counted(LINES);
  await link(text, 2, 'gone/away.ts').click({ modifiers: ['Control'] });
  await expect(page.getByText(/There is no file .*gone\/away\.ts/)).toBeVisible();
  await link(text, 2, '/dev/null.ts').click({ modifiers: ['Control'] });
  await expect(page.getByText(/There is no file \/dev\/null\.ts/)).toBeVisible();
  expect(editor.started()).toBeNull();
});

test('the editor is the one of the settings', async ({ inspector, page }) => {
  const editor = putEditor(inspector);
  mkdirSync(inspector.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(inspector.home, 'config.json'), '{"editor": "code --at {line} {file}"}');
  const text = await opened(inspector);
  await text.counted(LINES);
  await page.keyboard.press('w');
  await link(text, 1, 'src/a.ts').click({ modifiers: ['Control'] });
  await expect.poll(editor.started).toBe(`--at 12 ${join(inspector.folder, 'src', 'a.ts')}`);
});
