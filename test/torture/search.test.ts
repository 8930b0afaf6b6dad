/** Expressions and files that hung other search tools: an answer comes, and the next search is right. */
import { closeSync, openSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOG_LINES, logLine as line, torture } from '../fixtures/search/torture.ts';

const all = torture();
const { folder, log, grep, countOrGiveUp, nextIsRight } = all;
const LINES = LOG_LINES;

describe('expressions', () => {
  it.each([
    ['(a+)+$', 0],
    ['(.*)*x', 0],
    ['(a|aa)+$', 0],
    ['(a+)+(b|\\1)$', 0],
    ['((a*)*)*b', 0],
    ['^(a?){30}a{30}$', 0],
    ['(x+x+)+y', 0],
    ['\\([^)]*x', 0],
    ['\\([^)]*timeout', 0],
    ['(.*?,){25}P', 0],
    ['(?<=request \\d+) in', LINES],
    ['(?<!request )\\b\\d{3} ms', ((LINES - 100) / 300) * 200],
    ['(?<=(\\w+\\s)+)zzz', 0],
    ['(?<=^.*)q', LINES],
    ['(?<!^.*)q', 0],
  ])('%s', async (pattern, count) => {
    await countOrGiveUp(pattern, count);
    await nextIsRight();
  });

  it('groups a thousand deep, each repeated', async () => {
    await countOrGiveUp(`${'(?:'.repeat(1000)}a${')*'.repeat(1000)}`, LINES);
    await nextIsRight();
  });

  it('an alternation of a megabyte finds what one of its words finds', async () => {
    const words = Array.from({ length: 100_000 }, (_, i) => `word${i}x`).join('|');
    expect(words.length).toBeGreaterThan(1_000_000);
    await countOrGiveUp(words, 0);
    await countOrGiveUp(`${words}|request 77 `, 1);
    await countOrGiveUp(`request \\d*77 |${words}`, LINES / 100, { case_sensitive: true });
    await nextIsRight();
  });

  it.each([
    ['plain text', 'q'.repeat(1_000_000), { fixed: true }],
    ['an expression', 'q'.repeat(1_000_000), {}],
    ['forty thousand characters', 'q'.repeat(40_000), {}],
    ['groups', '(a)'.repeat(30_000), {}],
  ])('%s too large for the engine is searched for or refused, in words', async (_, pattern, more) => {
    const said = await grep(log, pattern, more).then(
      (view) => `${view.match_count}`,
      (error: Error & { code?: string }) => `${error.code} ${error.message}`,
    );
    expect(said.slice(0, 1000)).toMatch(/^0$|^usage /);
    expect(said.length).toBeLessThan(1000);
    await nextIsRight();
  });
});

it('a view does not wait for an expression that gets nowhere', async () => {
  const order: string[] = [];
  const hopeless = grep(log, '(a+)+(b|\\1)$', { case_sensitive: true }).then(() => order.push('search'));
  await all.host.inspect({ file_path: log, mode: 'tail', lines: 3 }).then(() => order.push('view'));
  await hopeless;
  expect(order).toEqual(['view', 'search']);
});

describe('a line of 600 MB', () => {
  const path = join(folder, 'long.log');

  beforeAll(() => {
    const file = openSync(path, 'w');
    const chunk = Buffer.alloc(8 * 1024 * 1024, 'abcdefgh,');
    for (let i = 0; i < 75; i += 1) writeSync(file, chunk);
    writeSync(file, `needle${'z'.repeat(1000)}\nneedle in a short one\n`);
    closeSync(file);
  });
  afterAll(() => rmSync(path));

  it.each([
    ['needle', [1, 2]],
    ['NEEDL[E]Z', [1]],
    ['^abc', [1]],
    ['z$', [1]],
    ['^needle', [2]],
    ['short', [2]],
    ['absent', []],
    ['[a-h,]+needle', [1]],
  ])('%s', async (pattern, lines) => {
    const view = await grep(path, pattern, { context_lines: 0 });
    expect(view.matches.map((match) => match.line_number)).toEqual(lines);
    expect(view.content.length).toBeLessThan(5000);
    expect(view.note ?? '').not.toMatch(/overlapping parts/);
  });

  it.each(['(.*)*x', '(a|aa)+$', '[a-z]+needle', '(?:[a-h],?)+$'])(
    'and %s, which may take too long',
    async (pattern) => {
      const view = await grep(path, pattern, { context_lines: 0 });
      if (view.timed_out) expect(view.note).toMatch(/stopped making progress/);
      await nextIsRight();
    },
  );
});

it('a file truncated while it is searched is searched as it is then', async () => {
  const path = join(folder, 'cut.log');
  const kept = line(0).length * 3;
  for (const delay of [0, 20, 150, 400]) {
    const file = openSync(path, 'w');
    const part = Buffer.from(Array.from({ length: 50_000 }, (_, i) => line(i % 7)).join(''));
    for (let i = 0; i < 30; i += 1) writeSync(file, part);
    closeSync(file);
    let cut = false;
    const timer = setTimeout(() => {
      truncateSync(path, kept);
      cut = true;
    }, delay);
    const view = await grep(path, '(?<=^.*)handled');
    const before = 50_000 * 30;
    // Done before the cut, or done again after it: never a mixture.
    expect(cut ? [before, 3] : [before]).toContain(view.match_count);
    expect(view.match_count).toBe(view.total_lines);
    clearTimeout(timer);
    if (!cut) truncateSync(path, kept);
    expect((await grep(path, '(?<=^.*)handled')).match_count).toBe(3);
  }
  await nextIsRight();
});
