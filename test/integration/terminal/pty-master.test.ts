/** Our side of a pseudo-terminal is read to the last byte, however slow the reader, after any hang-up. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { loadNativePty } from '../../../electron/recorder/terminal/pty.ts';
import { PtyMaster, readPtyMaster } from '../../../electron/recorder/terminal/pty-master.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const NUMBERS = Array.from({ length: 9000 }, (_, index) => `${index + 1}\r\n`).join('');
/** Less than a terminal holds, and more than is read at once. */
const UNREAD_BYTES = 6000;

function start(script: string): { fd: number; exited: Promise<void> } {
  const native = loadNativePty();
  let done = () => {};
  const exited = new Promise<void>((resolve) => {
    done = resolve;
  });
  const env = [`PATH=${process.env.PATH}`];
  const { fd } = native.fork('/bin/sh', ['-c', script], env, '/', 80, 24, -1, -1, true, native.helper, done);
  return { fd, exited };
}

test.each([1, 2, 3, 4, 5])(
  'a slow reader gets everything though the writer ended long ago (%i)',
  async () => {
    const { fd, exited } = start('seq 9000');
    let text = '';
    const end = readPtyMaster(fd, (chunk) => {
      text += Buffer.from(chunk).toString();
      // The system holds the rest when the writer ends.
      return text.length < NUMBERS.length - UNREAD_BYTES ? turn() : exited;
    });
    await Promise.all([exited, end.ended]);
    expect(text === NUMBERS).toBe(true);
    expect(end.isOpen).toBe(false);
  },
);

test('a drain takes the remaining bytes and sees that no process holds the terminal', async () => {
  const { fd, exited } = start('seq 9000 | head -c 20000');
  let text = '';
  const end = readPtyMaster(fd, (chunk) => {
    text += Buffer.from(chunk).toString();
    return null;
  });
  await exited;
  await end.drain(true);
  await end.ended;
  expect(text.replaceAll('\r', '')).toBe(NUMBERS.replaceAll('\r', '').slice(0, 20_000));
});

test('what is typed waits for a program that does not read, and nothing else does', async () => {
  const folder = makeFolder();
  onTestFinished(() => removeFolder(folder));
  const go = join(folder, 'go');
  const { fd, exited } = start(
    `stty raw -echo; echo ready; until [ -e '${go}' ]; do sleep 0.02; done; head -c 300000 | cksum`,
  );
  let text = '';
  const master = new PtyMaster(fd, (bytes) => {
    text += bytes.toString();
  });
  await expect.poll(() => text).toContain('ready');
  const typed = Buffer.alloc(300_000, 'typed ');
  const taken = master.write(typed);
  expect(taken).not.toBe(null);
  writeFileSync(go, '');
  await taken;
  await exited;
  master.drain();
  const expected = execFileSync('cksum', { input: typed }).toString();
  expect(text.replaceAll('\r', '')).toContain(expected.trim());
});

test('closing drops bytes that were not taken', async () => {
  const { fd, exited } = start('stty raw -echo; sleep 60');
  const master = new PtyMaster(fd, () => {});
  const taken = master.write(Buffer.alloc(300_000, 'typed '));
  expect(taken).not.toBe(null);
  master.close();
  await taken;
  await exited;
});
