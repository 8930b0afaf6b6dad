import { expect, test } from 'vitest';
import { type FramedLine, LineFramer } from '../../../electron/mcp/transport/line-transport.ts';
import fc from '../../fixtures/fast-check.ts';

const text = (frame: FramedLine) => (frame.kind === 'line' ? frame.text : frame);

function framesOf(framer: LineFramer, chunks: Uint8Array[]): FramedLine[] {
  const frames = chunks.flatMap((chunk) => framer.push(chunk));
  const rest = framer.end();
  return rest === null ? frames : [...frames, rest];
}

/** Cuts bytes at the given places. */
function cut(bytes: Uint8Array, places: number[]): Uint8Array[] {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, index) => bytes.subarray(at[index]!, end));
}

test('however the bytes are cut into chunks, the lines are the same', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.array(fc.nat()), (lines, places) => {
      const wanted = lines.map((line) => line.replaceAll('\n', ' '));
      const bytes = Buffer.from(wanted.map((line) => `${line}\n`).join(''));
      expect(framesOf(new LineFramer(1 << 20), cut(bytes, places)).map(text)).toEqual(wanted);
    }),
  );
});

test('the bytes after the last newline are a line when the stream ends, unless there are none', () => {
  expect(framesOf(new LineFramer(100), [Buffer.from('a\nb')]).map(text)).toEqual(['a', 'b']);
  expect(framesOf(new LineFramer(100), [Buffer.from('a\n')]).map(text)).toEqual(['a']);
});

test('a line of exactly the limit is returned whole, and one of a byte more is not', () => {
  const line = (bytes: number) => Buffer.from(`${'x'.repeat(bytes)}\n`);
  expect(framesOf(new LineFramer(64), [line(64)])[0]?.kind).toBe('line');
  expect(framesOf(new LineFramer(64), [line(65)])[0]).toEqual({ kind: 'oversized', bytes: 65, id: null });
});

test('an oversized line is reported with its length and id, and the next line is read as usual', () => {
  const long = Buffer.from(`{"jsonrpc":"2.0","params":{"id":1,"text":"${'x'.repeat(500)}"},"id":"seven"}`);
  fc.assert(
    fc.property(fc.array(fc.nat()), (places) => {
      const chunks = cut(Buffer.concat([long, Buffer.from('\nnext\n')]), places);
      expect(framesOf(new LineFramer(64), chunks)).toEqual([
        { kind: 'oversized', bytes: long.length, id: 'seven' },
        { kind: 'line', text: 'next' },
      ]);
    }),
  );
});

test('the id of an oversized line is found where clients write it, first or last', () => {
  const idIn = (text: string) => {
    const [frame] = framesOf(new LineFramer(64), [Buffer.from(`${text}\n`)]);
    return frame?.kind === 'oversized' ? frame.id : 'not oversized';
  };
  const params = JSON.stringify({ id: 1, text: `"id":5,${'x'.repeat(2000)}`, rest: [{ id: 2 }] });
  const id = fc.oneof(fc.integer(), fc.stringMatching(/^[\w é-]{1,20}$/));
  fc.assert(
    fc.property(id, (value) => {
      const written = JSON.stringify(value);
      expect(idIn(`{"jsonrpc":"2.0","id":${written},"method":"x","params":${params}}`)).toBe(value);
      expect(idIn(`{ "id": ${written}, "jsonrpc": "2.0", "params": ${params} }`)).toBe(value);
      expect(idIn(`{"method":"x","params":${params},"jsonrpc":"2.0","id":${written}}`)).toBe(value);
    }),
  );
  // Nested, in a string, or not an id of a request.
  expect(idIn(`{"params":${params}}`)).toBeNull();
  expect(idIn(`{"params":${params},"text":"\\"id\\":5"}`)).toBeNull();
  expect(idIn(`{"params":${params},"id":1.5}`)).toBeNull();
  expect(idIn(`{"params":${params},"id":true}`)).toBeNull();
  expect(idIn(`[${params},{"id":1}]`)).toBeNull();
});

test('a long message in small pieces is joined once, not anew for every piece', () => {
  // 16 MiB in 64-byte pieces: joining each time would copy 2 TiB.
  const piece = Buffer.alloc(64, 'x');
  const framer = new LineFramer(32 * 1024 * 1024);
  for (let fed = 0; fed < 256 * 1024; fed += 1) framer.push(piece);
  const [frame] = framer.push(Buffer.from('\n'));
  expect(frame?.kind === 'line' && frame.text.length).toBe(16 * 1024 * 1024);
});
