import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';
import { sed } from '../fixtures/logs.ts';

const MiB = 1024 * 1024;

/** Prints hundreds of megabytes: a disassembly of Node.js, or without objdump a list of this machine's files. */
function realCommand(): [command: string, ...args: string[]] {
  return spawnSync('objdump', ['--version']).status === 0
    ? ['objdump', '-d', process.execPath]
    : ['sh', '-c', 'for i in 1 2 3 4; do find / -xdev -ls 2>/dev/null; done; true'];
}

test.use({ viewport: { width: 1440, height: 900 } });

test('real output of hundreds of megabytes is read and followed to its end while it is still being written', async ({
  inspector,
  page,
}) => {
  test.setTimeout(180_000);
  const path = join(inspector.folder, 'disassembly.txt');
  const [command, ...args] = realCommand();
  const writer = spawn(command, args, { stdio: ['ignore', openSync(path, 'w'), 'ignore'] });
  const ended = once(writer, 'exit');
  try {
    await expect.poll(() => statSync(path).size, { intervals: [50] }).toBeGreaterThan(8 * MiB);
    const text = await inspector.open([path]);
    const head = await text.wholeRows();
    expect(head.map((row) => row.text?.trimEnd())).toEqual(sed(path, 1, head.length).map(shown));

    // To the end that is now, and on with it.
    await text.scroller.focus();
    await page.keyboard.press('f');
    const followed: number[] = [];
    for (let turn = 0; turn < 10 && writer.exitCode === null; turn += 1) {
      const last = (await text.wholeRows()).at(-1);
      if (last?.line) followed.push(last.line);
      await page.waitForTimeout(150);
    }
    expect(followed).toEqual([...followed].sort((a, b) => a - b));

    // Up while more comes: what is looked at stays where it is.
    await text.goTo('5000');
    await expect(text.row(5000)).toBeInViewport();
    const here = await text.wholeRows();
    for (let turn = 0; turn < 5; turn += 1) await text.wheel(54);
    await expect.poll(() => text.firstWholeLine()).toBe((here[0]?.line ?? 0) + 15);

    await ended;
    const lines = Number(execFileSync('wc', ['-l', path]).toString().trim().split(' ')[0]);
    await text.counted(lines);
    await page.keyboard.press('End');
    await expect(text.row(lines)).toBeVisible();
    const tail = await text.wholeRows();
    expect(tail.at(-1)?.line).toBe(lines);
    expect(tail.map((row) => row.text?.trimEnd())).toEqual(
      sed(path, lines - tail.length + 1, lines).map(shown),
    );
    await keep(page, 'end');

    const middle = Math.floor(lines / 2);
    await text.goTo('50%');
    await expect(text.row(middle + (lines % 2))).toBeVisible();
    const rows = await text.wholeRows();
    expect(rows.map((row) => row.text?.trimEnd())).toEqual(
      sed(path, rows[0]!.line!, rows.at(-1)!.line!).map(shown),
    );
    expect(await text.elements()).toBeLessThan(1000);
    expect(statSync(path).size).toBeGreaterThan(50 * MiB);
    await keep(page, 'middle');
    await page.keyboard.press('s');
    await expect(page.getByRole('complementary', { name: 'Summary' })).toContainText(
      lines.toLocaleString('en-US'),
      {
        timeout: 60_000,
      },
    );
    await keep(page, 'summary');
  } finally {
    writer.kill('SIGKILL');
  }
});

/** Trailing blanks can't be seen, and a name with odd bytes is shown as far as it is text. */
function shown(line: string): string {
  return line.replace(/\r$/, '').trimEnd();
}
