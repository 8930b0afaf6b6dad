import { expect, it } from 'vitest';
import { decoderFor } from '../../../electron/reader/bytes/encoding.ts';
import { readRows } from '../../../electron/reader/views/rows.ts';
import { indexed, sourceOf } from '../../fixtures/reader/indexed.ts';

it('a row of a long line is whole up to 64 KiB, and beyond in pieces that split no character', () => {
  const short = 'a'.repeat(65_530);
  const long = `b${'€'.repeat(90_000)}`;
  const bytes = Buffer.from(`${short}\n${long}\nend\n`);
  const row = (start: number, piece?: number) =>
    readRows(sourceOf(bytes), indexed(bytes), decoderFor('utf-8'), { start, count: 1, fromEnd: false, piece })
      .rows[0]!;
  expect(row(1).clipped).toBe(true);
  expect(row(1, 0)).toEqual({ text: short, runs: null, offset: 0, bytes: 65_530, clipped: false });
  let text = '';
  for (let at = 0; at < 270_001; ) {
    const { piece, ...part } = row(2, at);
    expect([piece?.start, part.bytes]).toEqual([at, 270_001]);
    text += part.text;
    at = piece!.end;
  }
  expect(text === long).toBe(true);
});
