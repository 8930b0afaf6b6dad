import { describe, expect, it } from 'vitest';
import { WidthMemory } from '../../../../renderer/viewer/text/Rows.tsx';
import type { Row } from '../../../../shared/api/rows.ts';

const row = (text: string, clipped = false): Row => ({
  text,
  runs: null,
  offset: 0,
  bytes: text.length,
  clipped,
});

describe('rows that may be wider than those before', () => {
  it('are longer ones, where each character takes one column', () => {
    const memory = new WidthMemory();
    expect(memory.mayBeWider([row('abc'), undefined])).toBe(true);
    expect(memory.mayBeWider([row('ABC'), row('')])).toBe(false);
    expect(memory.mayBeWider([row('abc'), row('abcd')])).toBe(true);
  });

  it('are rows with tabs, wide characters or a cut, once each', () => {
    const memory = new WidthMemory();
    memory.mayBeWider([row('x'.repeat(100))]);
    for (const other of [row('\t'), row('漢字'), row('x', true)]) {
      expect(memory.mayBeWider([other]), other.text).toBe(true);
      expect(memory.mayBeWider([other]), other.text).toBe(false);
    }
  });
});
