import { describe, expect, it } from 'vitest';
import type { FetchWhole } from '../../../../renderer/viewer/document/open-document.ts';
import type { FetchRows } from '../../../../renderer/viewer/document/row-fetcher.ts';
import { copyLines, type RowToCopy, WITH_NUMBERS } from '../../../../renderer/viewer/selection/copy-lines.ts';
import { SpillwayError } from '../../../../shared/errors.ts';

const { signal } = new AbortController();

/** A text of `total` lines, of which every `clippedEvery`th is clipped. */
function text(total: number, clippedEvery = Number.POSITIVE_INFINITY): FetchRows & { requests: number[] } {
  const requests: number[] = [];
  const fetch: FetchRows = async (startLine, count) => {
    requests.push(count);
    const rows = [];
    for (let line = startLine; line < startLine + count && line <= total; line += 1) {
      rows.push({
        text: `line ${line}`,
        runs: null,
        offset: 0,
        bytes: 0,
        clipped: line % clippedEvery === 0,
      });
    }
    return { generation: 1, start_line: startLine, rows };
  };
  return Object.assign(fetch, { requests });
}

describe('copying lines', () => {
  it('copies every line, however many requests that takes', async () => {
    const fetch = text(10_000);
    const copied = await copyLines(fetch, { anchor: 101, focus: 9000 }, { signal });
    const lines = copied.text.split('\n');
    expect(lines).toHaveLength(8900);
    expect([lines[0], lines.at(-1)]).toEqual(['line 101', 'line 9000']);
    expect(lines).toEqual(Array.from({ length: 8900 }, (_, index) => `line ${index + 101}`));
    expect(Math.max(...fetch.requests)).toBeLessThanOrEqual(1024);
  });

  it('copies lines with their numbers, aligned', async () => {
    const { text: copied } = await copyLines(
      text(20),
      { anchor: 9, focus: 11 },
      { signal, form: WITH_NUMBERS },
    );
    expect(copied).toBe(' 9  line 9\n10  line 10\n11  line 11');
  });

  it('copies a single line without a newline', async () => {
    expect((await copyLines(text(5), { anchor: 5, focus: 5 }, { signal })).text).toBe('line 5');
  });

  it('cuts the first and the last line where characters are selected', async () => {
    const columns = (anchor: number, focus: number) => ({ columns: { anchor, focus } });
    const down = { anchor: 9, focus: 11, ...columns(2, 4) };
    expect((await copyLines(text(20), down, { signal })).text).toBe('ne 9\nline 10\nline');
    const up = { anchor: 11, focus: 9, ...columns(4, 2) };
    expect((await copyLines(text(20), up, { signal })).text).toBe('ne 9\nline 10\nline');
    const within = { anchor: 12, focus: 12, ...columns(7, 5) };
    expect((await copyLines(text(20), within, { signal })).text).toBe('12');
  });

  it('counts the lines that were clipped', async () => {
    expect((await copyLines(text(100, 10), { anchor: 1, focus: 100 }, { signal })).clipped).toBe(10);
  });

  it('reports its progress', async () => {
    const progress: number[] = [];
    await copyLines(
      text(5000),
      { anchor: 1, focus: 5000 },
      { signal, onProgress: (done) => progress.push(done) },
    );
    expect(progress).toEqual([1024, 2048, 3072, 4096, 5000]);
  });

  it('copies nothing rather than less than requested', async () => {
    await expect(copyLines(text(3000), { anchor: 1, focus: 4000 }, { signal })).rejects.toMatchObject({
      code: 'changed',
    });
  });

  it('copies nothing if the text was replaced meanwhile', async () => {
    const whole = text(5000);
    let asked = 0;
    const replaced: FetchRows = async (...args) => ({ ...(await whole(...args)), generation: ++asked });
    await expect(copyLines(replaced, { anchor: 1, focus: 5000 }, { signal })).rejects.toMatchObject({
      code: 'changed',
    });
  });

  it('refuses more than a clipboard can take', async () => {
    await expect(
      copyLines(text(5000), { anchor: 1, focus: 5000 }, { signal, maxChars: 30_000 }),
    ).rejects.toMatchObject({
      code: 'out_of_range',
    });
  });

  it('ends with the request that was cancelled', async () => {
    const cancelled: FetchRows = async () => {
      throw new SpillwayError('cancelled', 'The request was cancelled', 'ask again');
    };
    await expect(copyLines(cancelled, { anchor: 1, focus: 10 }, { signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
});

describe('copying lines of which the rows have only the beginning', () => {
  const long = (line: number) => `line ${line}${' and on'.repeat(500)}`;
  const fetchWhole: FetchWhole = async (lines) => ({
    generation: 1,
    lines: new Map(lines.map((line) => [line, { text: long(line), clipped: line === 40 }])),
  });
  const whole = { signal, fetchWhole };

  it('copies them whole, and says nothing is missing', async () => {
    const copied = await copyLines(text(100, 10), { anchor: 9, focus: 21 }, whole);
    expect(copied.clipped).toBe(0);
    const lines = copied.text.split('\n');
    expect([lines[1], lines[2], lines[11]]).toEqual([long(10), 'line 11', long(20)]);
  });

  it('counts only those that are longer than the host gives', async () => {
    expect((await copyLines(text(100, 10), { anchor: 1, focus: 100 }, whole)).clipped).toBe(1);
  });

  it('misses nothing of a part that is in the row', async () => {
    const part = { anchor: 10, focus: 10, columns: { anchor: 0, focus: 7 } };
    expect(await copyLines(text(100, 10), part, { signal })).toMatchObject({ text: 'line 10', clipped: 0 });
    const further = { anchor: 10, focus: 10, columns: { anchor: 5, focus: 14 } };
    expect(await copyLines(text(100, 10), further, whole)).toMatchObject({ text: '10 and on', clipped: 0 });
  });

  it('asks by line number where rows are not lines in order', async () => {
    const rows = text(100, 10);
    const results: FetchRows<RowToCopy> = async (...args) => {
      const found = await rows(...args);
      return { ...found, rows: found.rows.map((row) => ({ ...row, line: 70 })) };
    };
    expect((await copyLines(results, { anchor: 10, focus: 10 }, whole)).text).toBe(long(70));
  });

  it('copies nothing if the text was replaced before they were read', async () => {
    const replaced: FetchWhole = async (...args) => ({ ...(await fetchWhole(...args)), generation: 2 });
    const copying = copyLines(text(100, 10), { anchor: 10, focus: 10 }, { signal, fetchWhole: replaced });
    await expect(copying).rejects.toMatchObject({ code: 'changed' });
  });
});
