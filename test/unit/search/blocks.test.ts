/** Blocks of whole lines, read into the memory that is searched. */
import { describe, expect, it } from 'vitest';
import { decoderFor } from '../../../electron/reader/bytes/encoding.ts';
import { forEachBlock } from '../../../electron/search/blocks.ts';
import { sourceOf } from '../../../electron/search/literals/scanner.ts';
import { createMemory, PAGE_BYTES } from '../../../electron/search/memory.ts';
import { indexed } from '../../fixtures/reader/indexed.ts';

describe('blocks', () => {
  it.each([
    ['utf-8', 'utf8', 'byte'],
    ['utf-16le', 'utf16le', 'utf16le'],
  ] as const)(
    'of %s are read half a page from where they lie in the file, which is fast',
    (name, bytes, unit) => {
      const text = 'Text that goes on and on, until it is longer than one block.\n'.repeat(60_000);
      const stored = Buffer.from(text, bytes);
      const reads: number[] = [];
      const into = sourceOf(createMemory());
      const stream = {
        size: stored.length,
        read(bytes: Uint8Array, position: number) {
          reads.push((bytes.byteOffset - position) & (PAGE_BYTES - 1));
          return stored.copy(bytes, 0, position, position + bytes.length);
        },
      };
      const index = indexed(stored, [], unit);
      const range = { start: 0, end: stored.length, newlinesBefore: 0, newlines: index.newlines };
      const parts: string[] = [];
      forEachBlock(into, stream, index, decoderFor(name), range, ({ start, end }) => {
        parts.push(into.toString('utf8', start, end));
      });
      expect(parts.length).toBeGreaterThan(1);
      expect(parts.join('') === text).toBe(true);
      expect(new Set(reads)).toEqual(new Set([PAGE_BYTES / 2]));
    },
  );
});
