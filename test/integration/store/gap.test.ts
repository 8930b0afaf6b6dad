/** Output whose middle was not kept: every view keeps the line numbers of the whole. */
import { describe, expect, test } from 'vitest';
import type { SearchState } from '../../../shared/api/search.ts';
import type { GrepView } from '../../../shared/views.ts';
import * as fc from '../../fixtures/fast-check.ts';
import {
  host,
  type Made,
  make,
  setUpGaps,
  sizes,
  stops,
  streams,
} from '../../fixtures/set-up/gapped-captures.ts';
import { cases } from '../../fixtures/sizes.ts';

setUpGaps();

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
      { numRuns: cases(80) },
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
      { numRuns: cases(80) },
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
      { numRuns: cases(100) },
    );
  });

  test('at the end is explained by the cap, if nothing else is known to have stopped the recording', async () => {
    const view = await host.inspect({ artifact_id: make(2, 3, 0).id, stream: 'stdout', lines: 9 });
    expect(view.note).toMatch(
      /^lines 3 to 5 are missing \(\d+ bytes\), because more came than maxStreamBytes keeps$/,
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
      { numRuns: cases(100) },
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
      { numRuns: cases(50) },
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
