import { expect, it } from 'vitest';
import { PieceTable, placesOf } from '../../../electron/reader/bytes/pieces.ts';
import fc from '../../fixtures/fast-check.ts';

it('leads from a position in pieces of two streams to the stream and back', () => {
  const piece = fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 1, max: 6 }));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const table = new PieceTable();
      const sizes = [0, 0];
      const bytes: [source: number, offset: number][] = [];
      for (const [source, count] of pieces) {
        table.append(source, sizes[source]!, count);
        for (let i = 0; i < count; i += 1) bytes.push([source, sizes[source]! + i]);
        sizes[source]! += count;
      }
      const sources = sizes.map((size) => ({ type: 'bytes' as const, bytes: new Uint8Array(size), size }));
      const places = placesOf(table.handle(sources));
      for (const [position, [source, offset]] of bytes.entries()) {
        expect(places.inSource(position)).toEqual({ source, offset });
        expect(places.positionOf(source, offset)).toBe(position);
        for (const other of [0, 1]) {
          const next = bytes.slice(position).find(([of]) => of === other);
          expect(places.nextOf(other, position)).toBe(next ? next[1] : sizes[other]);
        }
      }
      for (const source of [0, 1]) expect(places.positionOf(source, sizes[source]!)).toBe(bytes.length);
    }),
  );
});
