/** A stream put together from pieces of others. */

import { describe, expect, test } from 'vitest';
import type { StreamHandle } from '../../../electron/reader/bytes/open-stream.ts';
import { PieceTable } from '../../../electron/reader/bytes/pieces.ts';
import { firstBytesOf, openStream } from '../../../electron/reader/bytes/streams.ts';
import * as fc from '../../fixtures/fast-check.ts';

const LETTERS = Buffer.from('abcdefghijklmnopqrstuvwxyz');
const DIGITS = Buffer.from('0123456789');
const handles: StreamHandle[] = [LETTERS, DIGITS].map((bytes) => ({
  type: 'bytes',
  bytes,
  size: bytes.length,
}));

const pieces = fc.array(
  fc.integer({ min: 0, max: 1 }).chain((source) => {
    const { size } = handles[source]!;
    return fc
      .tuple(fc.integer({ min: 0, max: size - 1 }), fc.integer({ min: 0, max: size }))
      .map(([start, bytes]) => [source, start, Math.min(bytes, size - start)] as const);
  }),
  { maxLength: 40 },
);

function put(table: PieceTable, list: Iterable<readonly [number, number, number]>): Buffer {
  const parts: Buffer[] = [];
  for (const [source, start, bytes] of list) {
    table.append(source, start, bytes);
    parts.push([LETTERS, DIGITS][source]!.subarray(start, start + bytes));
  }
  return Buffer.concat(parts);
}

describe('a stream of pieces', () => {
  test('reads as the pieces one after the other, from anywhere', () => {
    fc.assert(
      fc.property(pieces, fc.nat(400), fc.nat(100), (list, position, length) => {
        const table = new PieceTable();
        const whole = put(table, list);
        const source = openStream(table.handle(handles));
        expect(source.size).toBe(whole.length);
        const into = Buffer.alloc(length, '#');
        const got = source.read(into, position);
        const wanted = whole.subarray(position, position + length);
        expect(got).toBe(wanted.length);
        expect(into.subarray(0, got).equals(wanted)).toBe(true);
        expect(into.subarray(got).every((byte) => byte === 35)).toBe(true);
      }),
    );
  });

  test('a result that was returned stays unchanged while more pieces come', () => {
    fc.assert(
      fc.property(pieces, pieces, (first, second) => {
        const table = new PieceTable();
        const before = put(table, first);
        const handle = table.handle(handles);
        put(table, second);
        const into = Buffer.alloc(before.length);
        expect(openStream(handle).read(into, 0)).toBe(before.length);
        expect(into.equals(before)).toBe(true);
      }),
    );
  });

  test('can be cut at any size', () => {
    const table = new PieceTable();
    const whole = put(table, [
      [0, 0, 5],
      [1, 0, 5],
      [0, 5, 5],
    ]);
    for (let size = 0; size <= whole.length; size += 1) {
      const source = openStream(firstBytesOf(table.handle(handles), size));
      const into = Buffer.alloc(20);
      expect(into.subarray(0, source.read(into, 0)).equals(whole.subarray(0, size))).toBe(true);
    }
  });

  test('neighbours of one source are one piece', () => {
    const table = new PieceTable();
    put(table, [
      [0, 0, 5],
      [0, 5, 5],
      [1, 3, 0],
      [0, 10, 1],
    ]);
    expect(table.count).toBe(1);
  });

  test('a hundred thousand pieces are found', () => {
    const table = new PieceTable();
    for (let i = 0; i < 100_000; i += 1) table.append(i % 2, i % 10, 1);
    const source = openStream(table.handle(handles));
    const into = Buffer.alloc(1);
    for (const position of [0, 4095, 4096, 4097, 65_537, 99_999]) {
      source.read(into, position);
      expect(into[0]).toBe([LETTERS, DIGITS][position % 2]![position % 10]);
    }
  });
});
