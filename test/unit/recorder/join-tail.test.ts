/** Joining head and tail of a capped stream gives the same result after any interruption. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noCounts } from '../../../electron/recorder/streams/outcome.ts';
import { createLineCounter, StreamFile } from '../../../electron/recorder/streams/stream-file.ts';
import { joinTail, tailSegments } from '../../../electron/store/contents/join-tail.ts';
import type { Gap } from '../../../electron/store/format/record.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const MIB = 1024 * 1024;
const CAP = 3 * MIB;
const NAME = 'cmd-x.stdout.log';
let root: string;

beforeEach(() => {
  root = makeFolder();
});
afterEach(() => removeFolder(root));

function numbered(bytes: number): Buffer {
  let text = '';
  for (let line = 1; text.length < bytes; line += 1) text += `line ${line}\n`;
  return Buffer.from(text.slice(0, bytes));
}

/** Writes the files that a recorder leaves when it is killed after `input`. */
function killedAfter(input: Buffer): void {
  const file = new StreamFile({
    folder: root,
    name: NAME,
    cap: CAP,
    lines: createLineCounter(),
    space: { before: () => null },
    counts: noCounts(),
    onStop: (reason) => expect.unreachable(reason),
  });
  for (let at = 0; at < input.length; at += 70_000) {
    file.write(input.subarray(at, at + 70_000));
    expect(tailSegments(root, NAME).length).toBeLessThanOrEqual(2);
  }
  file.close();
}

const joined = (folder: string, gap: Gap | null, onGap: (gap: Gap) => void = () => {}) =>
  joinTail({ folder, streamFile: NAME, gap, onGap });
const stored = (folder: string) => readFileSync(join(folder, NAME));

test.each([CAP + 1000, 4 * MIB, 9 * MIB])('of %d bytes, broken off anywhere', (size) => {
  const input = numbered(size);
  killedAfter(input);
  const broken = makeFolder();
  cpSync(root, broken, { recursive: true });
  const segments = readdirSync(root).filter((name) => name.includes('.tail.'));
  const gap = joined(root, null);
  const wanted = stored(root);
  const { offset, bytes } = gap ?? { offset: 0, bytes: 0 };
  expect(wanted.equals(Buffer.concat([input.subarray(0, offset), input.subarray(offset + bytes)]))).toBe(
    true,
  );
  expect(readdirSync(root)).toEqual([NAME]);
  for (const share of [0, 0.3, 1]) {
    // The record had the gap; the file was cut, and part of the tail was appended.
    const part = gap === null ? wanted.length - CAP / 2 : wanted.length - offset;
    writeFileSync(join(broken, NAME), wanted);
    truncateSync(join(broken, NAME), wanted.length - Math.floor(part * (1 - share)));
    const again = mkdtempSync(join(broken, 'again-'));
    for (const name of [NAME, ...segments]) cpSync(join(broken, name), join(again, name));
    expect(joined(again, gap)).toEqual(gap);
    expect(stored(again).equals(wanted)).toBe(true);
  }
  removeFolder(broken);
});

test('the file stays untouched until the record names the gap', () => {
  killedAfter(numbered(9 * MIB));
  const before = stored(root);
  expect(() =>
    joined(root, null, () => {
      throw new Error('no room for the record');
    }),
  ).toThrow('no room');
  expect(stored(root).equals(before)).toBe(true);
  const gap = joined(root, null);
  expect(gap!.lines).toBeGreaterThan(0);
});

describe('UTF-16', () => {
  // Letters that contain a byte 0x0A without ending a line.
  const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1} \u010a\u0a05`);
  const encoded = (text: string, swap: boolean) => {
    const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
    return swap ? bytes.swap16() : bytes;
  };
  const decoded = (bytes: Buffer, swap: boolean) =>
    new TextDecoder(swap ? 'utf-16be' : 'utf-16le').decode(bytes);

  /** The bytes stored under a cap. */
  function capped(input: Buffer, cap: number, step: number): { gap: Gap | null; text: Buffer } {
    const folder = mkdtempSync(join(root, 'capped-'));
    const file = new StreamFile({
      ...{ folder, name: NAME, cap, lines: createLineCounter(), space: { before: () => null } },
      counts: noCounts(),
      onStop: (reason) => expect.unreachable(reason),
    });
    for (let at = 0; at < input.length; at += step) file.write(input.subarray(at, at + step));
    const gap = file.end(() => {});
    file.close();
    return { gap, text: stored(folder) };
  }

  test.each([false, true])('is cut at its own line ends only, whatever the cap (big-endian: %s)', (swap) => {
    const all = lines(2000);
    const input = encoded(all.join('\n'), swap);
    for (let cap = 3000; cap < 3040; cap += 1) {
      const { gap, text } = capped(input, cap, 777);
      expect(text.length).toBeLessThanOrEqual(cap);
      const shown = decoded(text, swap).split('\n');
      const first = shown.findIndex((line, i) => line !== all[i]);
      expect(shown.slice(first)).toEqual(all.slice(first - shown.length));
      expect(gap!.line).toBe(first);
      expect(gap!.offset).toBe(encoded(`${all.slice(0, first).join('\n')}\n`, swap).length);
    }
  });

  test.each([false, true])('continues a single line with whole characters (big-endian: %s)', (swap) => {
    const input = encoded('\u4e0axyz'.repeat(2000), swap);
    for (let cap = 1000; cap < 1010; cap += 1) {
      const { text } = capped(input, cap, 333);
      expect(decoded(text, swap)).toMatch(/^[\u4e0axyz]+$/);
    }
  });
});
