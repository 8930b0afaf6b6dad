import { describe, expect, it } from 'vitest';
import { ContextRows } from '../../renderer/search/context-rows.ts';
import type { Connection } from '../../shared/api/api.ts';
import type { Row } from '../../shared/api/rows.ts';

/** A host with a text of so many lines. */
function setUp(lines: number) {
  const text = { lines, generation: 1, fails: false, asked: 0 };
  const row = (line: number): Row => ({
    text: `line ${line}`,
    runs: null,
    offset: 0,
    bytes: 7,
    clipped: false,
  });
  const connection = {
    async request(_name: string, { start_line, count }: { start_line: number; count: number }) {
      text.asked += 1;
      if (text.fails) throw new Error('out of reach');
      const end = Math.min(text.lines, start_line + count - 1);
      const rows: Row[] = [];
      for (let line = start_line; line <= end; line += 1) rows.push(row(line));
      return { generation: text.generation, start_line, rows };
    },
  } as unknown as Connection;
  const around = new ContextRows(connection, { artifact_id: 'a' }, 1, 2, () => {});
  const want = async (wanted: number[]) => {
    around.want(wanted, { lines: text.lines, bytes: text.lines * 7 });
    await new Promise((resolve) => setTimeout(resolve));
  };
  const shown = (line: number) => [-2, -1, 1, 2].map((offset) => around.row(line, offset)?.text ?? null);
  return { text, want, shown };
}

describe('the lines around matches', () => {
  it('are asked for once while they stay as they are', async () => {
    const { text, want, shown } = setUp(100);
    await want([10]);
    expect(shown(10)).toEqual(['line 8', 'line 9', 'line 11', 'line 12']);
    text.lines = 200;
    await want([10]);
    expect(text.asked).toBe(1);
  });

  it('come as the text grows behind a match at its end', async () => {
    const { text, want, shown } = setUp(10);
    await want([10]);
    expect(shown(10)).toEqual(['line 8', 'line 9', null, null]);
    text.lines = 11;
    await want([10]);
    expect(shown(10)).toEqual(['line 8', 'line 9', 'line 11', null]);
    text.lines = 13;
    await want([10]);
    expect(shown(10)).toEqual(['line 8', 'line 9', 'line 11', 'line 12']);
    await want([10]);
    expect(text.asked).toBe(3);
  });

  it('are asked for again when a match that could not be read around comes back into view, and not before', async () => {
    const { text, want, shown } = setUp(100);
    text.fails = true;
    await want([10]);
    text.fails = false;
    await want([10]);
    expect([text.asked, shown(10)[0]]).toEqual([1, null]);
    await want([50]);
    await want([10]);
    expect(shown(10)[0]).toBe('line 8');
  });
});
