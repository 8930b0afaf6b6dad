import { describe, expect, it } from 'vitest';
import type { OpenStream } from '../../../electron/reader/bytes/open-stream.ts';
import { offsetAtTime } from '../../../electron/reader/lines/offset-at-time.ts';

const start = Date.UTC(2026, 0, 13, 10);
const at = (number: number) => new Date(start + number * 1000).toISOString();

function sourceOf(text: string): OpenStream {
  const bytes = Buffer.from(text);
  return {
    size: bytes.length,
    read(into, position) {
      const part = bytes.subarray(position, position + into.length);
      into.set(part);
      return part.length;
    },
  };
}

describe('the first line at or after a time', () => {
  const lines = Array.from({ length: 20_000 }, (_, n) => `${at(n)} line ${n}\n  and more\n`);
  const text = lines.join('');
  const source = sourceOf(text);
  const lineAt = (offset: number | null) => text.slice(offset!, offset! + 60).split('\n')[0];

  it.each([0, 1, 777, 12_345, 19_999])('is line %i at its own time', (n) => {
    expect(lineAt(offsetAtTime(source, start + n * 1000))).toBe(`${at(n)} line ${n}`);
  });

  it('is the next one between two times, the first one before all, and the end after all', () => {
    expect(lineAt(offsetAtTime(source, start + 500_500))).toBe(`${at(501)} line 501`);
    expect(offsetAtTime(source, start - 1)).toBe(0);
    expect(offsetAtTime(source, start + 1e9)).toBe(text.length);
  });

  it('is not known where no line tells a time', () => {
    expect(offsetAtTime(sourceOf('a\nb\nc\n'), start)).toBeNull();
  });
});
