/** Blocks of whole lines, read into the memory that is searched. */
import { expect, it } from 'vitest';
import { decoderFor } from '../../../electron/reader/text/encoding.ts';
import { forEachBlock } from '../../../electron/search/blocks.ts';
import { createMemory, PAGE_BYTES } from '../../../electron/search/memory.ts';
import { sourceOf } from '../../../electron/search/scanner/scanner.ts';
import { indexed } from '../../fixtures/reader/indexed.ts';

it('are read half a page away from where they lie in the file, which processors copy fastest', () => {
  const text = Buffer.from('Text that goes on and on, until it is longer than one block.\n'.repeat(60_000));
  const reads: number[] = [];
  const into = sourceOf(createMemory());
  const stream = {
    size: text.length,
    read(bytes: Uint8Array, position: number) {
      reads.push((bytes.byteOffset - position) & (PAGE_BYTES - 1));
      return text.copy(bytes, 0, position, position + bytes.length);
    },
  };
  const index = indexed(text);
  const range = { start: 0, end: text.length, newlinesBefore: 0, newlines: index.newlines };
  const parts: Buffer[] = [];
  forEachBlock(into, stream, index, decoderFor('utf-8'), range, ({ start, end }) => {
    parts.push(Buffer.from(into.subarray(start, end)));
  });
  expect(parts.length).toBeGreaterThan(1);
  expect(Buffer.concat(parts).equals(text)).toBe(true);
  expect(new Set(reads)).toEqual(new Set([PAGE_BYTES / 2]));
});
