/**
 * Our grep against ripgrep with PCRE2 and Python's `re`: the same lines, counts and places over odd files and generated
 * ones, for expressions in what the three dialects have in common (fixtures/search/dialects.ts). Where the dialects
 * differ, ours is JavaScript's, and the differences that were found are these (each held below under "dialects
 * differ"):
 *
 *     \w \d \b            ASCII here; any alphabet's letters and digits there
 *     \s                  U+FEFF is white space here and in neither of them; U+0085 in both of them and not here
 *     .                   not CR, U+2028 or U+2029 here (CR is seen in `raw` only)
 *     ignoring case       the long s, the Kelvin sign and the capital sharp s have no other case here, but with \p or \u{}
 *     beyond U+FFFF       two characters here, but where the pattern holds one, or \p or \u{}
 *     \1 of no group      matches nothing, successfully, here; fails there
 *     (…)* and \1         a repetition forgets what its groups held before; there it does not
 *     [] and [^]          nothing and anything here; there a class that begins with a bracket
 *     {,3}                these four characters here; at most three there
 *     \A \Z \h            the letters here; \A and \Z the ends of the line there, \h white space in PCRE2
 *     [[:digit:]]         a class and a bracket here and in Python; digits in PCRE2
 *     (?<=a*)             no look backwards of unknown length there
 *     \B on no text       matches here and in PCRE2; not in Python before 3.14
 *     CR before LF        no part of the line here, unless `raw`; for the others always is
 *     invalid UTF-8       U+FFFD here and in Python as it was asked to read; in PCRE2 matched by nothing (so not compared in `raw`)
 *     FF FE 00 00         begins UTF-32, and is read as UTF-8, here; UTF-16 and a NUL for the others
 *     NUL                 ripgrep gives up on a file that holds one, without --text; here the first 64 KiB decide, without as_text
 *
 * `$` before a last line end is the same for all: each was given lines without their ends.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHost } from '../../electron/host/create.ts';
import type { Host } from '../../electron/host/host.ts';
import fc from '../fixtures/fast-check.ts';
import { makeFolder, removeFolder } from '../fixtures/folder.ts';
import { controlFiles, oddFiles } from '../fixtures/reader/odd-files.ts';
import { hasPython } from '../fixtures/reader/oracle.ts';
import { Agreement, type Question } from '../fixtures/search/agreement.ts';
import { expression } from '../fixtures/search/dialects.ts';
import { hasPcre, type Opinion, PythonSearch } from '../fixtures/search/oracle.ts';
import { stream, word } from '../fixtures/search/texts.ts';
import { EXPRESSIONS, isOnTurn, someOf } from '../fixtures/sizes.ts';

const folder = makeFolder();
let host: Host;
let threads: Host;
let python: PythonSearch;
let agreement: Agreement;

beforeAll(async () => {
  const home = join(folder, 'home');
  host = await createHost({ home, watch: false, threads: 0 });
  threads = await createHost({ home, watch: false, threads: 2 });
  python = new PythonSearch();
  agreement = new Agreement(host, python, folder);
});
afterAll(async () => {
  await host.close();
  await threads.close();
  python.close();
  removeFolder(folder);
});

const plain = (what: string, invert = false): Question => ({
  what,
  fixed: false,
  ignoreCase: !invert,
  invert,
});
/** Every question both ways, and more of them, takes a minute. */
const isFull = EXPRESSIONS >= 1000;
const both = (what: string) => [plain(what), plain(what, true)];
const expressions = expression.map((what) => ({ what, fixed: false }));
const plainTexts = fc
  .array(word, { minLength: 1, maxLength: 3 })
  .map((words) => ({ what: words.join(''), fixed: true }));
const question: fc.Arbitrary<Question> = fc
  .tuple(
    fc.oneof({ weight: 9, arbitrary: expressions }, { weight: 1, arbitrary: plainTexts }),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([what, ignoreCase, invert]) => ({ ...what, ignoreCase, invert }));

/** Thousands of questions, each of them also to a process of its own: on a busy machine that takes minutes. */
const PATIENCE = { timeout: 600_000 };

describe.skipIf(!hasPython || !hasPcre)('ripgrep and Python agree', PATIENCE, () => {
  it(`on ${EXPRESSIONS} generated expressions over generated text, in three encodings and in none`, async () => {
    await fc.assert(
      fc.asyncProperty(
        stream,
        fc.array(question, { minLength: 50, maxLength: 50 }),
        async (given, questions) => {
          expect(await agreement.disagreements(agreement.forms('generated', given), questions)).toEqual([]);
        },
      ),
      // Do not shrink a batch: each disagreement in it is already a small case.
      { numRuns: Math.ceil(EXPRESSIONS / 50), endOnFailure: true },
    );
    const { found, answers } = agreement.tally;
    expect(found / answers).toBeGreaterThan(0.2);
  });

  it('on every odd file', async () => {
    const forms = Object.entries({ ...oddFiles, ...controlFiles })
      .filter((_, i) => isOnTurn(i, 2))
      .flatMap(([name, bytes]) => agreement.forms(name, { bytes: withoutAstral(bytes), encoding: 'utf-8' }));
    // Slow questions go to the small files only: Python tries an expression at every position.
    const small = forms.filter(({ theirs }) => theirs.bytes.length < 50_000);
    const known = [...QUICK, ...BACKTRACKING];
    const asked = isFull ? known.flatMap(both) : someOf(known).map((what, i) => plain(what, i === 0));
    const questions = [...asked, ...fc.sample(question, isFull ? 25 : 3)];
    expect(await agreement.disagreements(small, questions)).toEqual([]);
    const large = forms.filter((form) => !small.includes(form));
    const quick = [...someOf(QUICK).map((what) => plain(what)), plain('a|z|9', true)];
    expect(await agreement.disagreements(large, quick)).toEqual([]);
  });

  it('on many megabytes, searched in stretches on several threads', async () => {
    const bytes = Buffer.from(Array.from({ length: 250_000 }, (_, i) => lineOf(i)).join(''));
    const large = new Agreement(threads, python, folder);
    const forms = large.forms('many lines', { bytes, encoding: 'utf-8' });
    const questions = [
      'error 7',
      'ERROR 1\\d*7\\b',
      '^$',
      'é.*ok$',
      'ok\\r?$',
      '\\bk(?!.*ok)',
      '[^ -~]',
      'no such',
      '^[^\\n]',
    ];
    const asked = [...questions.map((what) => plain(what)), plain('many', true)].filter((_, i) =>
      isOnTurn(i, 3),
    );
    expect(await large.disagreements(forms, asked, { python: false })).toEqual([]);
  });
});

/** Mean the same in all three, and take no long over a long line. */
const QUICK = [
  ...['^$', '^', '$', '[^\\n]', 'x', '^[^\\n]$', '^[^\\n]{0,3}$', 'ne', '^line 1', '[02468]$', '^[a-z]+$'],
  ...['[^a-z0-9 ]', 'line (?=2)', '(?<=line )7', '^(?!line)', 'a|z|9', '日本|tude', 'é', '[é-ï]', '^\\x61'],
  ...['\\t', ' $', 'short( again)?$', '^b{3}', '([a-z])(?:\\1)'],
];
/** The same, but too slow for long lines. */
const BACKTRACKING = [
  ...['([^\\n]*)e([^\\n]*)', '[a-z]*d$', '(a|b)*c', '[^\\n]*\\.txt|[^\\n]*d$', '(?:[a-z]+ )+'],
  ...['([a-z])[^\\n]*(?:\\1)', '(?<![a-z])[a-z]+(?![a-z])', '^(?=[^\\n]*o)(?![^\\n]*e)'],
];

/** Replaces characters beyond U+FFFF, which count as two here (see above). */
function withoutAstral(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1').replace(/\xf0[\x90-\xbf][\x80-\xbf]{2}/g, 'x');
  return Buffer.from(text, 'latin1');
}

/** A line of each kind that has its own code path: plain, coloured, redrawn, non-ASCII, empty, CRLF. */
function lineOf(i: number): string {
  if (i % 97 === 0) return '\n';
  if (i % 89 === 0) return `${i} été ${'é'.repeat(i % 7)} ok\r\n`;
  if (i % 5000 === 4999) return `${'x'.repeat(70_000)} error ${i} k\n`;
  if (i % 1009 === 0) return ` 10 %\r 50 %\rerror ${i}\n`;
  if (i % 211 === 0) return `\x1b[31merr\x1b[1mor\x1b[0m ${i} k\n`;
  return `2026-01-13T10:30:00 ${i % 3 === 0 ? 'error' : 'info'} ${i} of many\n`;
}

/** Holds the list at the top: whether the line matches in each dialect, ignoring case. */
describe.skipIf(!hasPython || !hasPcre)('dialects differ', () => {
  it.each<
    [what: string, pattern: string, line: string, ours: boolean, pcre: boolean | null, python: boolean | null]
  >([
    ['\\w', '^\\w$', 'é', false, true, true],
    ['\\d', '^\\d$', '٣', false, true, true],
    ['\\b', 'é\\b', 'é', false, true, true],
    ['\\s, U+FEFF', 'a\\s', 'a\ufeff', true, false, false],
    ['\\s, U+0085', 'a\\s', 'a\u0085', false, true, true],
    ['.', 'a.b', 'a\u2028b', false, true, true],
    ['. and CR', 'a.b', 'a\rb', false, true, true],
    ['ignoring case, the long s', 's', 'ſ', false, true, true],
    ['ignoring case, the Kelvin sign', 'k', '\u212a', false, true, true],
    ['ignoring case, with \\p', '\\p{Lu}?k', '\u212a', true, true, null],
    ['ignoring case, the sharp s', 'ß', 'ẞ', false, true, true],
    ['beyond U+FFFF', '^.$', '😀', false, true, true],
    ['beyond U+FFFF, in the pattern', '^.(😀|$)', '😀', true, true, true],
    ['a group that took no part', '^(?:(a)|b)\\1$', 'b', true, false, false],
    ['a group of the last round', '^(?:(a)|b)+\\1$', 'ab', true, false, false],
    ['[^]', '^[^]$', 'a', true, null, null],
    ['{,3}', '^a{,3}$', 'a{,3}', true, false, false],
    ['\\A', '\\Ab', 'ab', true, false, false],
    ['\\h', '^\\h$', 'h', true, false, null],
    ['[[:digit:]]', '^[[:digit:]]$', '1', false, true, false],
    ['looking back', '(?<=a+)b', 'aab', true, null, null],
    ['\\B on no text', '\\B', '', true, true, false],
  ])('%s', async (_, pattern, line, ours, pcre, pythons) => {
    const bytes = Buffer.from(`${line}\n`);
    const form = agreement.forms('one line', { bytes, encoding: 'utf-8' })[0]!;
    const asked = plain(pattern);
    const view = await agreement.ours(form, asked);
    const [rg] = await agreement.ripgrep([form], [asked]);
    const [re] = await agreement.python([form], [asked]);
    expect({ ours: view.match_count > 0, pcre: matched(rg!), python: matched(re!) }).toEqual({
      ours,
      pcre,
      python: pythons,
    });
  });
});

/** Null where the expression is none. */
function matched(opinion: Opinion): boolean | null {
  return typeof opinion === 'string' ? null : opinion[0]!.lines.length > 0;
}
