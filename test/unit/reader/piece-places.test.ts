import { expect, it } from 'vitest';
import { PieceTable, placesOf } from '../../../electron/reader/bytes/pieces.ts';
import fc from '../../fixtures/fast-check.ts';

it('leads from a position in pieces of two streams to the stream and back', () => {
  const piece = fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 1, max: 6 }));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const table = new PieceTable();
      const sizes = [0, 0];
      const bytes: [part: number, offset: number][] = [];
      for (const [part, count] of pieces) {
        table.append(part, sizes[part]!, count);
        for (let i = 0; i < count; i += 1) bytes.push([part, sizes[part]! + i]);
        sizes[part]! += count;
      }
      const parts = sizes.map((size) => ({ type: 'bytes' as const, bytes: new Uint8Array(size), size }));
      const places = placesOf(table.handle(parts));
      for (const [position, [part, offset]] of bytes.entries()) {
        expect(places.inPart(position)).toEqual({ part, offset });
        expect(places.positionOf(part, offset)).toBe(position);
        for (const other of [0, 1]) {
          const next = bytes.slice(position).find(([of]) => of === other);
          expect(places.nextOf(other, position)).toBe(next ? next[1] : sizes[other]);
        }
      }
      for (const part of [0, 1]) expect(places.positionOf(part, sizes[part]!)).toBe(bytes.length);
    }),
  );
});
