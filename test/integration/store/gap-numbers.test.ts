/** Behind a gap, rows, offsets, summaries and counts go by the numbers of the lines as they came. */
import { describe, expect, test } from 'vitest';
import * as fc from '../../fixtures/fast-check.ts';
import { writeCommand } from '../../fixtures/library/captures.ts';
import { host, make, root, setUpGaps, sizes } from '../../fixtures/set-up/gapped-captures.ts';
import { cases } from '../../fixtures/sizes.ts';

setUpGaps();

describe('with a gap', () => {
  test('byte windows, searched ones too, and places say the true line', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 5, max: 200 }), async ([before, missing, after], limit) => {
        const made = make(before, missing, after);
        const stored = made.there(1, made.lines.length);
        let place = 0;
        const lineAt = stored.flatMap(({ line, text }) => {
          place += text.length + 1;
          return Array<number>(text.length + 1).fill(line);
        });
        let offset: number | null = 0;
        while (offset !== null) {
          const window = await host.read({ artifact_id: made.id, offset, limit });
          if (window.bytes_shown > 0) {
            expect(window.start_line).toBe(lineAt[offset]);
            expect(window.end_line).toBe(lineAt[offset + window.bytes_shown - 1]);
            expect(await host.lineAt({ document: { artifact_id: made.id }, offset })).toBe(lineAt[offset]);
          }
          offset = window.next_offset;
        }
        const searched = await host.read({ artifact_id: made.id, search: 'error' });
        const first = stored.find(({ text }) => text.includes('error'));
        expect(searched.start_line).toBe(first?.line ?? null);
        expect(searched.content.split('\n')[0]).toBe(first ? `${first.line}:${first.text}` : '');
        expect(place).toBe(searched.total_bytes);
      }),
      { numRuns: cases(80) },
    );
  });

  test('a summary tells of the lines that are there by their numbers', async () => {
    const made = make(2, 40, 20);
    const view = await host.inspect({ artifact_id: made.id, mode: 'summary' });
    expect(view).toMatchObject({
      total_lines: 62,
      first_errors: [{ line_number: 46 }, { line_number: 53 }, { line_number: 60 }],
    });
    expect(view.note).toContain('lines 3 to 42 are missing');
  });

  test('the list counts the lines that are missing, and says how many bytes', async () => {
    const made = make(3, 4, 3);
    const { outputs } = await host.list({ limit: 1000 });
    const stream = outputs.find(({ artifact_id }) => artifact_id === made.id)!.streams[0]!;
    const dropped = made.lines.slice(3, 7).join('\n').length + 1;
    expect(stream).toMatchObject({
      total_lines: 10,
      dropped_bytes: dropped,
      total_bytes: made.lines.join('\n').length + 1 - dropped,
    });
  });

  test('a stream whose end is missing is numbered to its true end', async () => {
    const { id } = writeCommand(
      root,
      [
        { stream: 0, bytes: Buffer.from('one\ntwo\nthr') },
        { stream: 0, bytes: Buffer.from('ee\nfour\nfive'), dropped: true },
      ],
      {
        change: (record) => ({
          ...record,
          warnings: ['stdout is not stored from some point on: the disk is full'],
        }),
      },
    );
    const view = await host.inspect({
      artifact_id: id,
      stream: 'stdout',
      mode: 'range',
      start_line: 1,
      end_line: 9,
    });
    expect(view).toMatchObject({
      content: 'one\ntwo\nthr',
      start_line: 1,
      end_line: 3,
      total_lines: 5,
      next_start_line: null,
    });
    expect(view.note).toContain('the disk is full');
    const rows = await host.rows({
      document: { artifact_id: id, stream: 'stdout' },
      start_line: 1,
      count: 9,
    });
    expect(rows.rows.map((row) => row.missing ?? row.text)).toEqual(['one', 'two', 'thr', true, true]);
  });

  test.each([
    ['one\ntwo\nthr', 'ee\nfour\nfive\n', 5, 'the rest of line 3 and lines 4 to 5 are missing'],
    ['one\ntwo\nthr', 'ee\nfour\nfive', 5, 'the rest of line 3 and lines 4 to 5 are missing'],
    ['one\ntwo\nthr', 'ee\nfour\n', 4, 'the rest of line 3 and line 4 are missing'],
    ['one\ntwo\nthr', 'ee\n', 3, 'the rest of line 3 is missing'],
    ['one\ntwo\nthr', 'ee', 3, 'the rest of line 3 is missing'],
    ['one\ntwo\n', 'three\nfour\n', 4, 'lines 3 to 4 are missing'],
    ['one\ntwo\n', 'three\nfour', 4, 'lines 3 to 4 are missing'],
    ['one\ntwo\n', 'three', 3, 'line 3 is missing'],
    ['', 'one\ntwo\n', 2, 'lines 1 to 2 are missing'],
  ])('every view of %j says that its end %j is missing', async (kept, lost, total, missing) => {
    const { id } = writeCommand(root, [
      { stream: 0, bytes: Buffer.from(kept) },
      { stream: 0, bytes: Buffer.from(lost), dropped: true },
      { stream: 1, bytes: Buffer.from('apart\n') },
    ]);
    const stdout = { artifact_id: id, stream: 'stdout' } as const;
    const views = [
      host.inspect({ ...stdout, mode: 'tail', lines: 1 }),
      host.inspect({ ...stdout, mode: 'head' }),
      host.inspect({ ...stdout, mode: 'range', start_line: total, lines: 1 }),
      host.inspect({ ...stdout, mode: 'grep', pattern: 'o' }),
      host.inspect({ ...stdout, mode: 'summary' }),
      host.read(stdout),
    ];
    for (const view of await Promise.all(views)) {
      expect(view).toMatchObject({ total_lines: total, truncated: true });
      expect(view.note?.split(' (')[0]).toBe(missing);
    }
    const combined = await host.inspect({ artifact_id: id, mode: 'tail', lines: 2000 });
    expect(combined).toMatchObject({ total_lines: total + 1, truncated: true });
    expect(combined.note).toMatch(/ (is|are) missing \(\d+ bytes of stdout\)/);
  });

  test('a view that does not reach the missing end says nothing of it', async () => {
    const { id } = writeCommand(root, [
      { stream: 0, bytes: Buffer.from('one\ntwo\nthr') },
      { stream: 0, bytes: Buffer.from('ee\n'), dropped: true },
    ]);
    const stdout = { artifact_id: id, stream: 'stdout' } as const;
    const views = [
      host.inspect({ ...stdout, mode: 'head', lines: 2 }),
      host.inspect({ ...stdout, mode: 'range', start_line: 1, end_line: 2 }),
      host.read({ ...stdout, limit: 6 }),
    ];
    for (const view of await Promise.all(views)) expect(view.note).toBeUndefined();
  });

  test('one long line with its middle missing says where', async () => {
    const { id } = writeCommand(root, [
      { stream: 0, bytes: Buffer.from('abc') },
      { stream: 0, bytes: Buffer.from('def'), dropped: true },
      { stream: 0, bytes: Buffer.from('ghi\n') },
    ]);
    const view = await host.inspect({ artifact_id: id, stream: 'stdout' });
    expect(view).toMatchObject({ content: 'abcghi', total_lines: 1, total_bytes: 7 });
    expect(view.note).toContain('3 bytes are missing at offset 3');
  });

  test('in the combined stream, each stream has its own gap', async () => {
    const line = (text: string) => Buffer.from(`${text}\n`);
    const { id } = writeCommand(root, [
      { stream: 0, bytes: line('out 1') },
      { stream: 1, bytes: line('err 1') },
      { stream: 0, bytes: line('out 2'), dropped: true },
      { stream: 1, bytes: line('err 2'), dropped: true },
      { stream: 1, bytes: line('err 3'), dropped: true },
      { stream: 0, bytes: line('out 3') },
      { stream: 1, bytes: line('err 4') },
    ]);
    const view = await host
      .inspect({ artifact_id: id, mode: 'grep', pattern: '', fixed: true, invert: true })
      .catch(() => null);
    expect(view).toBeNull();
    const grep = await host.inspect({ artifact_id: id, mode: 'grep', pattern: 'r|o', context_lines: 0 });
    expect(grep.content).toBe('1:out 1\n--\n3:err 1\n--\n6:out 3\n7:err 4');
    expect(grep.total_lines).toBe(7);
    expect(grep.note).toMatch(
      /line 2 is missing \(6 bytes of stdout\).*; lines 4 to 5 are missing \(12 bytes of stderr\)/,
    );
  });
});
