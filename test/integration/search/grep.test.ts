import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import type { GrepView } from '../../../shared/views.ts';
import fc from '../../fixtures/fast-check.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { hasTools, printed } from '../../fixtures/reader/oracle.ts';
import { cases } from '../../fixtures/sizes.ts';

const folder = makeFolder();
let host: Host;
let files = 0;

function file(content: string | Buffer): string {
  files += 1;
  const path = join(folder, `file-${files}`);
  writeFileSync(path, content);
  return path;
}
const grep = (path: string, pattern: string, more: object = {}) =>
  host.inspect({ file_path: path, mode: 'grep', pattern, ...more }) as Promise<GrepView>;

beforeAll(async () => {
  host = await createHost({ home: join(folder, 'home'), watch: false, threads: 2 });
});
afterAll(async () => {
  await host.close();
  removeFolder(folder);
});

describe.skipIf(!hasTools)('grep -n agrees', () => {
  it('on which lines match, what is around them, and how it is printed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('alpha', 'beta', 'gamma', '', 'alpha beta', 'ALPHA'), { maxLength: 40 }),
        fc.constantFrom('alpha', 'a', '^$', 'beta$', 'gam*a'),
        fc.nat(4),
        fc.boolean(),
        fc.boolean(),
        async (lines, pattern, context, invert, caseSensitive) => {
          const path = file(lines.map((line) => `${line}\n`).join(''));
          const options = ['-n', `-C${context}`, ...(invert ? ['-v'] : []), ...(caseSensitive ? [] : ['-i'])];
          let expected = '';
          try {
            expected = printed('grep', ...options, '-e', pattern, path)
              .toString()
              .replace(/\n$/, '');
          } catch {
            // It found nothing.
          }
          const view = await grep(path, pattern, {
            context_lines: context,
            invert,
            case_sensitive: caseSensitive,
            max_matches: 1000,
          });
          expect(view.content).toBe(expected);
        },
      ),
      { numRuns: cases(240) },
    );
  });
});

describe('grep', () => {
  const numbers = Array.from(
    { length: 5000 },
    (_, i) => `line ${i + 1}${(i + 1) % 7 === 0 ? ' error here' : ''}\n`,
  ).join('');

  it('counts every match, gives a page, and goes on where it ended, also when the file has grown', async () => {
    const path = file(numbers);
    const first = await grep(path, 'ERROR', { max_matches: 10 });
    expect([first.match_count, first.matches_shown, first.matches[9]?.line_number]).toEqual([714, 10, 70]);
    appendFileSync(path, 'one more error\n');
    const second = await grep(path, 'ERROR', { max_matches: 10, cursor: first.next_cursor });
    expect([second.match_count, second.matches[0]?.line_number]).toEqual([715, 77]);
    const seen = [...first.matches, ...second.matches].map((match) => match.line_number);
    for (let cursor = second.next_cursor; cursor; ) {
      const page = await grep(path, 'ERROR', { max_matches: 100, cursor });
      seen.push(...page.matches.map((match) => match.line_number));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual([...Array.from({ length: 714 }, (_, i) => (i + 1) * 7), 5001]);
  });

  it('searches a last line again that was not finished', async () => {
    const path = file('an err');
    expect((await grep(path, 'error')).match_count).toBe(0);
    appendFileSync(path, 'or\n');
    expect((await grep(path, 'error')).match_count).toBe(1);
    const other = file('error');
    expect((await grep(other, 'error$')).match_count).toBe(1);
    appendFileSync(other, 's\nerror\n');
    expect((await grep(other, 'error$')).matches.map((match) => match.line_number)).toEqual([2]);
  });

  it('says where each match is', async () => {
    const path = file('first\ncafé: failure é\n');
    const [match] = (await grep(path, 'fail\\w+', { context_lines: 1 })).matches;
    expect(match).toEqual({
      line_number: 2,
      column: 7,
      offset: Buffer.byteLength('first\ncafé: '),
      match: 'failure',
      context_before: ['first'],
      context_after: [],
    });
  });

  it('says where it is in bytes also behind a byte order mark, broken bytes, and in other encodings', async () => {
    const offset = async (bytes: Buffer, more: object = {}) =>
      (await grep(file(bytes), 'foo', more)).matches[0]?.offset;
    expect(await offset(Buffer.from('\ufeffa foo\n', 'utf16le'))).toBe(6);
    expect(await offset(Buffer.from('\ufeffa foo\n'))).toBe(5);
    expect(await offset(Buffer.from('ff20e2822066e2828220666f6f0a', 'hex'))).toBe(10);
    expect(await offset(Buffer.from('93fa967b20666f6f0a', 'hex'), { encoding: 'shift_jis' })).toBe(5);
    expect(await offset(Buffer.from('e920666f6f0a', 'hex'), { encoding: 'windows-1252' })).toBe(2);
  });

  it('shows a long line around its match', async () => {
    const path = file(`${'x'.repeat(300_000)}needle${'y'.repeat(300_000)}\n`);
    const view = await grep(path, 'needle');
    expect([view.match_count, view.clipped_lines, view.truncated]).toEqual([1, 1, true]);
    expect(view.content.length).toBeLessThan(2100);
    expect(view.content).toContain('xneedley');
    expect(view.matches[0]).toMatchObject({ column: 300_001, offset: 300_000, match: 'needle' });
  });

  it('searches a line of many megabytes whole', async () => {
    const path = file(`short\n${'x'.repeat(9_000_000)}needle${'x'.repeat(3_000_000)}\nlast needle\n`);
    const view = await grep(path, 'needle', { context_lines: 0 });
    expect(view.matches.map((match) => match.line_number)).toEqual([2, 3]);
    expect(view.matches[0]).toMatchObject({ column: 9_000_001, offset: 9_000_006, match: 'needle' });
    expect(view.note).toBeUndefined();
    expect((await grep(path, '^needle')).match_count).toBe(0);
    expect((await grep(path, 'needle$')).match_count).toBe(1);
    expect((await grep(path, '^x+needle')).match_count).toBe(1);
    expect((await grep(path, 'x$')).matches[0]).toMatchObject({ column: 12_000_006, offset: 12_000_011 });
    expect(
      (await grep(path, 'short|last', { invert: true })).matches.map((match) => match.line_number),
    ).toEqual([2]);
  });

  it('searches a longer line in overlapping parts where the expression looks around, and says so', async () => {
    const path = file(`short\n${'x'.repeat(34_000_000)}needle${'z'.repeat(3_000_000)}\nneedle\n`);
    const view = await grep(path, '(?<=x)needle', { context_lines: 0 });
    expect(view.matches).toMatchObject([
      { line_number: 2, column: 34_000_001, offset: 34_000_006, match: 'needle' },
    ]);
    expect(view.note).toMatch(/overlapping parts/);
    expect((await grep(path, '(?<=y)needle')).match_count).toBe(0);
  });

  it('shows a redrawn line of many megabytes as every view does', async () => {
    const path = file(`${'working 10%\r'.repeat(500_000)}${'working 99%\r'.repeat(100_000)}all done%%%\n`);
    const view = await grep(path, 'done', { context_lines: 0 });
    expect(view).toMatchObject({ match_count: 1, content: '1:all done%%%' });
    expect(view.matches[0]).toMatchObject({ column: 5, match: 'done' });
    expect((await grep(path, '99%')).match_count).toBe(0);
  });

  it('finds `$` at the end of a long line alone', async () => {
    const path = file('a'.repeat(60_000_000));
    const view = await grep(path, 'a$', { context_lines: 0 });
    expect(view).toMatchObject({ match_count: 1, timed_out: false });
    expect(view.matches[0]).toMatchObject({ column: 60_000_000, offset: 59_999_999, match: 'a' });
  });

  it('keeps to the characters it may give, and goes on with the next page', async () => {
    const path = file(numbers);
    const view = await grep(path, 'error', { max_chars: 500 });
    expect(view.content.length).toBeLessThanOrEqual(500);
    expect(view.matches_shown).toBeGreaterThan(0);
    expect(view.next_cursor).not.toBeNull();
    const long = await grep(file(`${'e'.repeat(5000)}\n`), 'e', { max_chars: 100 });
    expect(long.content.length).toBeLessThanOrEqual(100);
    expect([long.matches_shown, long.next_cursor]).toEqual([1, null]);
  });

  it('ends a search that gets nowhere, and the next one is right', async () => {
    const path = file(`${'a'.repeat(60)}!\nplain b\n`.repeat(3));
    const view = await grep(path, '(a+)+(b|\\1)$');
    expect(view.timed_out).toBe(true);
    expect(view.note).toMatch(/stopped making progress/);
    const next = await grep(path, 'plain');
    expect([next.match_count, next.timed_out]).toEqual([3, false]);
  });

  it('answers hard expressions', async () => {
    const path = file(`${`${'a('.repeat(2000)}\n`.repeat(200)}timeout\n`);
    expect((await grep(path, '\\([^)]*timeout')).match_count).toBe(0);
    expect((await grep(path, '(.*)*x')).match_count).toBe(0);
    // Five times as many take longer to compile than a search may stand still.
    const words = Array.from({ length: 20_000 }, (_, i) => `word${i}x`).join('|');
    expect((await grep(path, `${words}|timeout`)).match_count).toBe(1);
  });

  it('goes on only in the same search of the same text', async () => {
    const path = file(numbers);
    const { next_cursor: cursor } = await grep(path, 'error', { max_matches: 3 });
    expect(cursor!.length).toBeLessThan(32);
    expect((await grep(path, 'error', { cursor })).matches[0]?.line_number).toBe(28);
    await expect(grep(path, 'line', { cursor })).rejects.toThrow(/of another search: give the same/);
    await expect(grep(file(numbers), 'error', { cursor })).rejects.toThrow(/of another search/);
    writeFileSync(
      path,
      `new
${numbers}`,
    );
    await expect(grep(path, 'error', { cursor })).rejects.toThrow(/written again.*leave `cursor` out/);
    // Begins as before.
    const { next_cursor: next } = await grep(path, 'error', { max_matches: 3 });
    writeFileSync(
      path,
      `new
${numbers}`.replace('line 28 error', 'line 28'),
    );
    await expect(grep(path, 'error', { cursor: next })).rejects.toThrow(/written again/);
  });

  it('says what is wrong with a question', async () => {
    const path = file('x\n');
    await expect(grep(path, 'a(')).rejects.toThrow(/"a\(" is not a valid pattern, .*: correct it/);
    await expect(grep(path, '')).rejects.toThrow(/needs a pattern/);
    await expect(grep(path, 'x', { cursor: 'zzz' })).rejects.toThrow(/unknown cursor/);
  });
});

describe('context at the edge of a page', () => {
  const lines = () => file(Array.from({ length: 12 }, (_, i) => `${i % 2 ? 'm' : 'x'}${i + 1}\n`).join(''));

  it('ends before a matching line, which is on the page before or behind', async () => {
    const path = lines();
    const first = await grep(path, '^m', { context_lines: 3, max_matches: 2 });
    expect(first.content).toBe('1-x1\n2:m2\n3-x3\n4:m4\n5-x5');
    expect(first.matches[1]?.context_after).toEqual(['x5', 'm6', 'x7']);
    const second = await grep(path, '^m', { context_lines: 3, max_matches: 2, cursor: first.next_cursor });
    expect(second.content).toBe('5-x5\n6:m6\n7-x7\n8:m8\n9-x9');
    expect(second.matches[0]?.context_before).toEqual(['x3', 'm4', 'x5']);
  });

  it('says what of the pattern other dialects read otherwise', async () => {
    const view = await grep(lines(), '\\Am');
    expect([view.match_count, view.note]).toEqual([
      0,
      "patterns are JavaScript's, in which \\A stands for the letter A (write ^)",
    ]);
  });
});
