/** A few of the searches in test/torture, on less text: what every change must get through. */
import { closeSync, openSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { logLine, torture } from '../../fixtures/search/torture.ts';

const LINES = 20_000;
const tortured = torture(LINES);
const { folder, grep, countOrGiveUp, nextIsRight } = tortured;

describe('the host answers, and the next search is right, after', () => {
  it.each([
    ['(a+)+$', 0],
    ['(.*)*x', 0],
    ['\\([^)]*x', 0],
    ['(a+)+(b|\\1)$', 0],
    ['(?<=request \\d+) in', LINES],
    ['(?<!^.*)q', 0],
  ])('%s', async (pattern, count) => {
    await countOrGiveUp(pattern, count);
    await nextIsRight();
  });

  it.each([
    ['(a|a)*b', `${'a'.repeat(5000)}c b`, [5003, 'b']],
    ['(\\w+\\s?)+:', `${'word '.repeat(500)}; x:`, [2503, 'x:']],
  ])('%s, whose match V8 would look for for ever', async (pattern, line, match) => {
    const path = join(folder, 'ways.log');
    writeFileSync(path, `${line}\n${line}\n`);
    const view = await grep(path, pattern);
    expect([view.timed_out, view.note, view.match_count]).toEqual([false, undefined, 2]);
    expect(view.matches.map((found) => [found.column, found.match])).toEqual([match, match]);
    const { matches } = await tortured.host.highlight({
      texts: [line],
      queries: [{ pattern, fixed: false, case_sensitive: false, invert: false }],
    });
    expect(matches).toEqual([[[Number(match[0]) - 1, line.length]]]);
  });

  it('an alternation of a megabyte', async () => {
    const words = Array.from({ length: 100_000 }, (_, i) => `word${i}x`).join('|');
    await countOrGiveUp(`${words}|request 77 `, 1);
    await nextIsRight();
  });

  it('an expression with more states than there is room for', async () => {
    const path = join(folder, 'states.log');
    let random = 1;
    const lines = Array.from({ length: 30_000 }, () => {
      random = (random * 48_271) % 2_147_483_647;
      return `${random.toString(2)}${(random % 65_521).toString(2)}`
        .replaceAll('0', 'a')
        .replaceAll('1', 'b');
    });
    writeFileSync(path, lines.join('\n'));
    const view = await grep(path, '(a|b)*a(a|b){16}$', { case_sensitive: true });
    const wanted = lines.filter((line) => line.at(-17) === 'a').length;
    expect([view.match_count, view.timed_out]).toEqual([wanted, false]);
    await nextIsRight();
  });

  it('a line of 40 MB', async () => {
    const path = join(folder, 'long.log');
    const file = openSync(path, 'w');
    const chunk = Buffer.alloc(8 * 1024 * 1024, 'abcdefgh,');
    for (let i = 0; i < 5; i += 1) writeSync(file, chunk);
    writeSync(file, `needle${'z'.repeat(1000)}\nneedle in a short one\n`);
    closeSync(file);
    const lines = async (pattern: string) => {
      const view = await grep(path, pattern, { context_lines: 0 });
      expect([view.timed_out, view.note]).toEqual([false, undefined]);
      return view.matches.map((match) => match.line_number);
    };
    expect(await lines('needle')).toEqual([1, 2]);
    expect(await lines('[a-e]+needle')).toEqual([1]);
    expect(await lines('[f-h]+needle')).toEqual([]);
    expect(await lines('z$')).toEqual([1]);
    expect(await lines('^needle')).toEqual([2]);
    await nextIsRight();
  });

  it('a file that is truncated while it is searched', async () => {
    const path = join(folder, 'cut.log');
    const file = openSync(path, 'w');
    const part = Buffer.from(Array.from({ length: 50_000 }, (_, i) => logLine(i % 7)).join(''));
    for (let i = 0; i < 4; i += 1) writeSync(file, part);
    closeSync(file);
    const before = grep(path, '(?<=^.*)handled');
    setTimeout(() => truncateSync(path, logLine(0).length * 3), 20);
    const view = await before;
    // Done before the cut, or done again after it: never a mixture.
    expect([200_000, 3]).toContain(view.match_count);
    expect(view.match_count).toBe(view.total_lines);
    await nextIsRight();
  });
});
