/** The number of a line in the combined view is the one that interleaving the streams gives. */

import { expect, test } from 'vitest';
import { combinedLine } from '../../../electron/reader/bytes/combined-line.ts';
import { interleave, interleaveRest, NOTHING_TAKEN } from '../../../electron/reader/bytes/interleave.ts';
import { openStream } from '../../../electron/reader/bytes/streams.ts';
import fc from '../../fixtures/fast-check.ts';

const chunk = fc.record({
  stream: fc.constantFrom(0 as const, 1 as const),
  text: fc.stringMatching(/^[ab\n]{1,6}$/),
});

function inOrder(chunks: readonly { stream: 0 | 1; text: string }[]) {
  const texts: [string, string] = ['', ''];
  const arrivals = {
    streams: Uint8Array.from(chunks, ({ stream }) => stream),
    ends: new Float64Array(chunks.length),
  };
  chunks.forEach(({ stream, text }, i) => {
    texts[stream] += text;
    const end = texts[stream].length;
    arrivals.ends[i] = end;
  });
  return { texts, arrivals };
}

/** Returns the stream and offset of each byte of the combined view; null for an inserted line end. */
function combinedBytes(texts: readonly [string, string], arrivals: Parameters<typeof interleave>[2]) {
  const open = (text: string) => openStream({ type: 'bytes', bytes: Buffer.from(text), size: text.length });
  const streams = [open(texts[0]), open(texts[1])] as const;
  const first = interleave(streams, NOTHING_TAKEN, arrivals);
  const pieces = [...first.pieces, ...interleaveRest(streams, first.state).pieces];
  const bytes: { stream: number; offset: number; text: string }[] = [];
  for (let i = 0; i < pieces.length; i += 3) {
    const [stream, start, length] = [pieces[i]!, pieces[i + 1]!, pieces[i + 2]!];
    for (let at = start; at < start + length; at += 1)
      bytes.push({ stream, offset: at, text: stream === 2 ? '\n' : texts[stream as 0 | 1][at]! });
  }
  return bytes;
}

test('is the number of the line that begins with the byte in the interleaved text', () => {
  fc.assert(
    fc.property(fc.array(chunk, { minLength: 1, maxLength: 24 }), (chunks) => {
      const { texts, arrivals } = inOrder(chunks);
      const streams = texts.map((text) => ({
        text: {
          size: text.length,
          read: (into: Uint8Array, at: number) => Buffer.from(text.slice(at)).copy(into),
        },
        newlines: text.split('\n').length - 1,
      }));
      const numbers = new Map<string, number>();
      let line = 1;
      for (const { stream, offset, text } of combinedBytes(texts, arrivals)) {
        numbers.set(`${stream}:${offset}`, line);
        if (text === '\n') line += 1;
      }
      texts.forEach((text, stream) => {
        let offset = 0;
        text.split('\n').forEach((one, index) => {
          if (offset < text.length)
            expect(combinedLine(streams, stream, { number: index + 1, offset }, arrivals)).toBe(
              numbers.get(`${stream}:${offset}`),
            );
          offset += one.length + 1;
        });
      });
    }),
  );
});

test('is not known where the text around it was not kept, or no time tells when it came', () => {
  const kept = {
    text: { size: 4, read: (into: Uint8Array) => Buffer.from('a\nb\n').copy(into) },
    newlines: 2,
  };
  const lost = { text: { size: 4, read: () => 0 }, newlines: 2 };
  const { arrivals } = inOrder([
    { stream: 1, text: 'c\nd\n' },
    { stream: 0, text: 'a\nb\n' },
  ]);
  const first = { number: 1, offset: 0 };
  expect(combinedLine([kept, lost], 0, first, arrivals)).toBe(3);
  expect(combinedLine([lost, kept], 0, first, arrivals)).toBeNull();
  expect(
    combinedLine([kept, lost], 0, first, { streams: new Uint8Array(), ends: new Float64Array() }),
  ).toBeNull();
});
