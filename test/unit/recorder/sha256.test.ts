import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { randomHex } from '../../../electron/store/format/names.ts';
import { sha256 } from '../../../electron/store/format/sha256.ts';

test('equals the hash of Node for every length around a block, and for long and foreign text', () => {
  const texts = Array.from({ length: 200 }, (_, length) => 'x'.repeat(length));
  for (const text of [...texts, 'grüße, 世界 🚀', 'long '.repeat(50_000)])
    expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
});

test('random names have the requested length, and do not repeat', () => {
  const names = Array.from({ length: 1000 }, () => randomHex(16));
  expect(names.every((name) => /^[0-9a-f]{32}$/.test(name))).toBe(true);
  expect(new Set(names).size).toBe(1000);
});
