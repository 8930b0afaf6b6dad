/** Output whose middle was not kept: every view keeps the line numbers of the whole. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import type { SearchState } from '../../../shared/api/search.ts';
import type { GrepView } from '../../../shared/views.ts';
import { writeCommand } from '../../fixtures/captures.ts';
import * as fc from '../../fixtures/fast-check.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

let root: string;
let host: Host;
const stops: (() => void)[] = [];

beforeAll(async () => {
  root = makeFolder();
  host = await createHost({ home: root, watch: false, threads: 0 });
});
afterAll(async () => {
  for (const stop of stops) stop();
  await host.close();
  removeFolder(root);
});

interface Made {
  id: string;
  /** All that came, line by line. */
  lines: string[];
  /** The first and the last line that are missing, from 1. */
  first: number;
  last: number;
  isMissing: (line: number) => boolean;
  /** The stored lines from `from` to `to`, inclusive. */
  there: (from: number, to: number) => { line: number; text: string }[];
}

/** `before`, `missing` and `after` are numbers of lines; every seventh has "error" in it. */
function make(before: number, missing: number, after: number, stream = 0): Made {
  const lines = Array.from({ length: before + missing + after }, (_, i) =>
    i % 7 === 3 ? `error: in line ${i + 1} of ${'x'.repeat(i % 11)}` : `line ${i + 1}`,
  );
  const part = (from: number, to: number) =>
    Buffer.from(
      lines
        .slice(from, to)
        .map((line) => `${line}\n`)
        .join(''),
    );
  const { id } = writeCommand(root, [
    { stream, bytes: part(0, before) },
    { stream, bytes: part(before, before + missing), dropped: true },
    { stream, bytes: part(before + missing, lines.length) },
  ]);
  const isMissing = (line: number) => line > before && line <= before + missing;
  return {
    id,
    lines,
    first: before + 1,
    last: before + missing,
    isMissing,
    there: (from, to) =>
      lines
        .map((text, i) => ({ line: i + 1, text }))
        .filter(({ line }) => line >= from && line <= to && !isMissing(line)),
  };
}

const sizes = fc.tuple(
  fc.integer({ min: 0, max: 40 }),
  fc.integer({ min: 1, max: 300 }),
  fc.integer({ min: 0, max: 40 }),
);
const streams = fc.constantFrom('combined', 'stdout') as fc.Arbitrary<'combined' | 'stdout'>;

describe('with a gap', () => {
  test('a range gives the lines of those numbers that are there, and says which are not', async () => {
    const range = fc.tuple(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 0, max: 400 }));
    await fc.assert(
      fc.asyncProperty(sizes, range, streams, async ([before, missing, after], [start, more], stream) => {
        const made = make(before, missing, after);
        const end = start + more;
        const view = await host.inspect({
          artifact_id: made.id,
          stream,
          mode: 'range',
          start_line: start,
          end_line: end,
        });
        const wanted = made.there(start, end);
        expect(view).toMatchObject({
          content: wanted.map(({ text }) => text).join('\n'),
          lines_shown: wanted.length,
          start_line: wanted[0]?.line ?? null,
          end_line: wanted.at(-1)?.line ?? null,
          total_lines: made.lines.length,
        });
        const overlaps = start <= made.last && end >= made.first;
        expect(view.note?.includes(`missing`) ?? false).toBe(overlaps);
      }),
      { numRuns: 40 },
    );
  });

  test('reading on from view to view gives every line that is there once', async () => {
    await fc.assert(
      fc.asyncProperty(
        sizes,
        fc.integer({ min: 1, max: 30 }),
        streams,
        async ([before, missing, after], lines, stream) => {
          const made = make(before, missing, after);
          const seen: string[] = [];
          let next: number | null = 1;
          while (next !== null) {
            const view = await host.inspect({
              artifact_id: made.id,
              stream,
              mode: 'range',
              start_line: next,
              lines,
            });
            if (view.lines_shown > 0) seen.push(...view.content.split('\n'));
            next = view.mode === 'range' ? view.next_start_line : null;
          }
          expect(seen).toEqual(made.there(1, made.lines.length).map(({ text }) => text));
        },
      ),
      { numRuns: 40 },
    );
  });

  test('head and tail give lines that are there', async () => {
    const made = make(5, 100, 5);
    expect(await host.inspect({ artifact_id: made.id, lines: 7 })).toMatchObject({
      start_line: 1,
      end_line: 107,
      lines_shown: 7,
    });
    const tail = await host.inspect({ artifact_id: made.id, mode: 'tail', lines: 7 });
    expect(tail).toMatchObject({
      start_line: 4,
      end_line: 110,
      lines_shown: 7,
      total_lines: 110,
      truncated: true,
    });
    expect(tail.note).toMatch(
      /^lines 6 to 105 are missing \([\d,]+ bytes of stdout|^lines 6 to 105 are missing \([\d,]+ bytes\)/,
    );
    expect((await host.inspect({ artifact_id: made.id, lines: 5 })).note).toBeUndefined();
  });

  test('grep numbers lines as they came, and context does not reach over the gap', async () => {
    await fc.assert(
      fc.asyncProperty(
        sizes,
        fc.integer({ min: 0, max: 5 }),
        streams,
        async ([before, missing, after], context, stream) => {
          const made = make(before, missing, after);
          const view = (await host.inspect({
            artifact_id: made.id,
            stream,
            mode: 'grep',
            pattern: 'ERROR',
            context_lines: context,
            max_matches: 500,
          })) as GrepView;
          const matching = made.there(1, made.lines.length).filter(({ text }) => text.includes('error'));
          expect(view.matches.map((match) => match.line_number)).toEqual(matching.map(({ line }) => line));
          for (const match of view.matches) {
            const near = (from: number, to: number) => {
              const found: string[] = [];
              for (let line = from; line !== to; line += Math.sign(to - from)) {
                if (line < 1 || line > made.lines.length || made.isMissing(line)) break;
                found.push(made.lines[line - 1]!);
              }
              return found;
            };
            const n = match.line_number;
            expect(match.context_before).toEqual(near(n - 1, n - 1 - context).toReversed());
            expect(match.context_after).toEqual(near(n + 1, n + 1 + context));
          }
          expect(view.content).toBe(
            printed(
              made,
              matching.map(({ line }) => line),
              context,
            ),
          );
          expect(view.lines_shown).toBe(
            view.content === '' ? 0 : view.content.split('\n').filter((line) => line !== '--').length,
          );
        },
      ),
      { numRuns: 50 },
    );
  });

  test('rows are as many as there are numbers, and those that are missing say so', async () => {
    await fc.assert(
      fc.asyncProperty(
        sizes,
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 1, max: 200 }),
        fc.boolean(),
        async ([before, missing, after], start, count, fromEnd) => {
          const made = make(before, missing, after);
          const result = await host.rows({
            document: { artifact_id: made.id },
            start_line: start,
            count,
            from_end: fromEnd,
          });
          const first = fromEnd ? Math.max(1, made.lines.length - start + 1) : start;
          const wanted = made.lines
            .slice(first - 1, first - 1 + count)
            .map((text, i) => (made.isMissing(first + i) ? null : text));
          expect(result.start_line).toBe(first);
          expect(result.rows.map((row) => (row.missing ? null : row.text))).toEqual(wanted);
        },
      ),
      { numRuns: 50 },
    );
  });

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
            expect(await host.lineAt({ artifact_id: made.id }, offset)).toBe(lineAt[offset]);
          }
          offset = window.next_offset;
        }
        const searched = await host.read({ artifact_id: made.id, search: 'error' });
        const first = stored.find(({ text }) => text.includes('error'));
        expect(searched.start_line).toBe(first?.line ?? null);
        expect(searched.content.split('\n')[0]).toBe(first ? `${first.line}:${first.text}` : '');
        expect(place).toBe(searched.total_bytes);
      }),
      { numRuns: 40 },
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

describe('in the window’s results', () => {
  test('lines around a match end at a gap, and each is there once, numbered as it came', async () => {
    const context = fc.integer({ min: 0, max: 3 });
    await fc.assert(
      fc.asyncProperty(sizes, context, streams, async ([before, missing, after], context, stream) => {
        const made = make(before, missing, after);
        const query = { pattern: 'error', fixed: true, case_sensitive: false, invert: false };
        const search = { document: { artifact_id: made.id, stream }, query };
        const state = await new Promise<SearchState>((resolve, reject) => {
          const stop = host.watchSearch(search, (state) => state.done && resolve(state), reject);
          stops.push(stop);
        });
        const matching = made
          .there(1, made.lines.length)
          .filter(({ text }) => text.startsWith('error'))
          .map(({ line }) => line);
        const page = await host.matchedRows({ search, first: 0, count: 1024, context });
        const shown = page.lines.map(({ line_number, match, row }) => {
          if (match !== null) expect(matching[match]).toBe(line_number);
          return `${line_number}${match === null ? '-' : ':'}${row.text}`;
        });
        const wanted = printed(made, matching, context).split('\n');
        expect(shown).toEqual(wanted.filter((line) => line !== '--' && line !== ''));
        expect(state.row_counts[context]).toBe(shown.length);
        stops.pop()?.();
      }),
      { numRuns: 25 },
    );
  });
});

/** As `grep -n` would print it, if the missing lines were there and could not be shown. */
function printed(made: Made, matching: readonly number[], context: number): string {
  const shown = made.there(1, made.lines.length).filter(({ line }) =>
    matching.some((match) => {
      const [low, high] = [Math.min(match, line), Math.max(match, line)];
      const broken = low < made.first && high > made.last;
      return high - low <= context && !broken;
    }),
  );
  return shown
    .flatMap(({ line, text }, i) => {
      const gap = i > 0 && shown[i - 1]!.line < line - 1 ? ['--'] : [];
      return [...gap, `${line}${matching.includes(line) ? ':' : '-'}${text}`];
    })
    .join('\n');
}
