/** `inspect --mode grep` and `read --search` as a person or a script sees them. */
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ByteWindow, type GrepView, View } from '../../../shared/views.ts';
import { cliEntry, makePlace, type Place } from '../../fixtures/cli.ts';
import { runCliHere } from '../../fixtures/cli-here.ts';
import { hasTools, printed } from '../../fixtures/reader/oracle.ts';

let place: Place;
const LINES = Array.from({ length: 2000 }, (_, i) => `line ${i + 1}${i % 10 === 9 ? ' ERROR' : ''}`);

beforeAll(() => {
  place = makePlace();
  const put = (name: string, content: string | Buffer) => writeFileSync(join(place.files, name), content);
  put('app.log', LINES.map((line) => `${line}\n`).join(''));
  const trace = 'java.lang.Error: disk\n\tat a.b(c.java:1)\n\tat a.d(c.java:2)\n';
  const at = (i: number) => `2026-03-01 10:00:0${i}`;
  put('java.log', [1, 2, 3].map((i) => `${at(i)} INFO ok\n${at(i)} ERROR x\n${trace}`).join(''));
  put(
    'journal.log',
    `{"MESSAGE":[${[...Buffer.from('hidden \u001b[1m')]}],"PRIORITY":"6"}\n{"MESSAGE":"told"}\n`,
  );
  put('odd.log', 'a.b\naxb\n\u001b[31mer\u001b[0mror\n--option\n(x|y\n');
  put('latin1.log', Buffer.from('caf\xe9\n', 'latin1'));
  put('wide.log', `${'w'.repeat(3000)}needle${'w'.repeat(3000)}\n`);
  put('hang.log', `plain a\n${`${'a'.repeat(60)}!\n`.repeat(3)}`);
  put('damaged.gz', gzipSync(LINES.join('\n')).subarray(0, -1000));
  put('data.bin', Buffer.from('\0\x01error\n'));
});
afterAll(() => place.remove());

const run = (...args: string[]) => runCliHere(args, place);
const grep = (...args: string[]) => run('inspect', 'app.log', '--mode', 'grep', ...args);

describe('inspect --entries', () => {
  const entries = (...args: string[]) => run('inspect', 'java.log', '--entries', ...args);

  test('shows the whole entry of each match, and says how many', async () => {
    const { stdout } = await entries('--pattern', 'at a\\.d', '--max-matches', '1');
    expect(stdout).toBe(
      '2-2026-03-01 10:00:01 ERROR x\n3-java.lang.Error: disk\n4-\tat a.b(c.java:1)\n5:\tat a.d(c.java:2)\n',
    );
    const view = JSON.parse((await entries('--pattern', 'at a\\.', '--json')).stdout) as GrepView;
    expect(view).toMatchObject({ match_count: 6, matches_shown: 6, entries_shown: 3, lines_shown: 12 });
  });

  test.each([
    [
      ['--lines', '2'],
      [1, 5],
    ],
    [
      ['--mode', 'tail', '--lines', '1'],
      [12, 15],
    ],
    [
      ['--start', '4', '--end', '6'],
      [2, 6],
    ],
    [
      ['--start', '8', '--lines', '1'],
      [7, 10],
    ],
    [
      ['--since', '10:00:02', '--until', '10:00:02', '--lines', '1'],
      [6, 6],
    ],
  ])('ends at the borders of entries: %j', async (args, [first, last]) => {
    const view = JSON.parse((await entries(...args, '--json')).stdout) as View;
    expect(view).toMatchObject({ start_line: first, end_line: last });
  });
});

describe('a pipe', () => {
  const sh = (line: string) =>
    execFileSync('bash', ['-c', line, cliEntry], {
      cwd: place.files,
      env: { ...process.env, SPILLWAY_HOME: place.home },
      encoding: 'utf8',
    });

  test('is read from standard input, and from where a shell puts one', () => {
    expect(sh('seq 12 | node "$0" inspect /dev/stdin --mode tail --lines 2')).toBe('11\n12\n');
    expect(sh('node "$0" inspect <(seq 12) --pattern 1.')).toBe('7-7\n8-8\n9-9\n10:10\n11:11\n12:12\n');
    expect(sh('node "$0" read <(printf abc) --offset 1 < app.log')).toBe('bc');
  });
});

describe('inspect --mode grep', () => {
  test.skipIf(!hasTools).each([
    ['error 7|line 1\\d\\b', 3],
    ['line 19\\d0', 0],
    ['^line (1|2000) ?', 1],
    ['7 error', 200],
  ])('prints what grep prints: %s with %d lines around it', async (pattern, context) => {
    const asGrep = pattern.replaceAll('\\d', '[0-9]');
    const path = join(place.files, 'app.log');
    const wanted = await Promise.resolve()
      .then(() => printed('grep', '-niE', `-C${context}`, '-e', asGrep, path).toString())
      .catch(() => '');
    const found = await grep('--pattern', pattern, '--context', String(context), '--max-matches', '2000');
    expect(found).toMatchObject({ status: wanted === '' ? 1 : 0, stdout: wanted, stderr: '' });
  });

  test('--pattern alone means grep', async () => {
    const { status, stdout } = await run('inspect', 'app.log', '--pattern', '^line 10 ', '--context', '0');
    expect({ status, stdout }).toEqual({ status: 0, stdout: '10:line 10 ERROR\n' });
  });

  test('ends with 1 and prints nothing when nothing was found, with --json too', async () => {
    expect(await grep('--pattern', 'no such thing')).toMatchObject({ status: 1, stdout: '', stderr: '' });
    const { status, stdout, stderr } = await grep('--pattern', 'no such thing', '--json');
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ mode: 'grep', match_count: 0, content: '', matches: [] });
  });

  test('says how many more there are, and the cursor it names goes on from there, to the end', async () => {
    const numbers: number[] = [];
    let said = '';
    let pages = 0;
    for (let more: string[] | null = []; more; pages += 1) {
      const { status, stdout, stderr } = await grep(
        '--pattern',
        'error',
        '--context',
        '0',
        '--max-matches',
        '90',
        ...more,
      );
      expect(status).toBe(0);
      numbers.push(...[...stdout.matchAll(/^(\d+):/gm)].map(([, number]) => Number(number)));
      said ||= stderr;
      const cursor = /--cursor (\S+)/.exec(stderr)?.[1];
      more = cursor ? ['--cursor', cursor] : null;
    }
    expect(said).toMatch(/^spillway: these are 90 of 200 matching lines: go on with --cursor \S+\n$/);
    expect(numbers).toEqual(Array.from({ length: 200 }, (_, i) => (i + 1) * 10));
    expect(pages).toBe(3);
  });

  test('the options mean what they say', async () => {
    const lines = async (...args: string[]) => {
      const { stdout } = await run('inspect', 'odd.log', '--context', '0', ...args, '--json');
      return (View.parse(JSON.parse(stdout)) as GrepView).matches.map((match) => match.line_number);
    };
    expect(await lines('--pattern', 'a.b')).toEqual([1, 2]);
    expect(await lines('--pattern', 'a.b', '--fixed')).toEqual([1]);
    expect(await lines('--pattern', '(X|Y', '--fixed')).toEqual([5]);
    expect(await lines('--pattern', 'A', '--case-sensitive')).toEqual([]);
    expect(await lines('--pattern', 'a', '--invert')).toEqual([3, 4, 5]);
    expect(await lines('--pattern', 'error')).toEqual([3]);
    expect(await lines('--pattern', 'error', '--raw')).toEqual([]);
    expect(await lines('--pattern', '--option')).toEqual([4]);
    expect(await lines('--pattern=--option')).toEqual([4]);
    const latin = await run('inspect', 'latin1.log', '--pattern', 'café', '--encoding', 'latin1');
    expect(latin).toMatchObject({ status: 0, stdout: '1:café\n' });
    expect(await run('inspect', 'latin1.log', '--pattern', 'café')).toEqual(latin);
    const asUtf8 = await run('inspect', 'latin1.log', '--pattern', 'café', '--encoding', 'utf-8');
    expect(asUtf8.status).toBe(1);
  });

  test('with --json prints the view, matches and context included', async () => {
    const { status, stdout } = await grep(
      '--pattern',
      'error',
      '--max-matches',
      '1',
      '--context',
      '1',
      '--json',
    );
    expect(status).toBe(0);
    const view = View.parse(JSON.parse(stdout)) as GrepView;
    expect(view).toMatchObject({
      mode: 'grep',
      match_count: 200,
      matches_shown: 1,
      content: '9-line 9\n10:line 10 ERROR\n11-line 11',
      matches: [
        {
          line_number: 10,
          column: 9,
          match: 'ERROR',
          context_before: ['line 9'],
          context_after: ['line 11'],
        },
      ],
    });
  });

  test('a long line is shown around its match, and clipping is said', async () => {
    const { stdout, stderr } = await run('inspect', 'wide.log', '--pattern', 'needle');
    expect(stdout).toMatch(/^1:w+needlew+\n$/);
    expect(stdout.length).toBeLessThan(2100);
    expect(stderr).toMatch(/^spillway: one line is clipped/);
  });

  test('a binary file is not searched, and how to search it works', async () => {
    expect(await run('inspect', 'data.bin', '--pattern', 'error')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^spillway: .*--as-text/),
    });
    expect(await run('inspect', 'journal.log', '--pattern', 'hidden')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('messages that are lists of bytes'),
    });
    expect(await run('inspect', 'journal.log', '--pattern', 'told')).toMatchObject({ status: 0, stderr: '' });
    expect(await run('inspect', 'data.bin', '--pattern', 'error', '--as-text')).toMatchObject({ status: 0 });
  });

  test('a log that was truncated under its writer is text behind the NULs at its beginning', async () => {
    for (const nuls of [100, 70_000]) {
      writeFileSync(join(place.files, 'truncated.log'), `${'\0'.repeat(nuls)}one\ntwo\n`);
      expect(await run('inspect', 'truncated.log', '--mode', 'tail', '--lines', '1')).toMatchObject({
        stdout: 'two\n',
      });
      expect(await run('inspect', 'truncated.log', '--pattern', 'two')).toMatchObject({ status: 0 });
    }
    writeFileSync(join(place.files, 'program.bin'), `${'\0'.repeat(100)}one\0two\n`);
    expect(await run('inspect', 'program.bin', '--pattern', 'two')).toMatchObject({ status: 2 });
  });

  test('a record with a NUL is text among many lines, and is found', async () => {
    const lines = Array.from({ length: 90 }, (_, i) => (i === 40 ? `line \0\0 ${i}` : `line ${i}`));
    writeFileSync(join(place.files, 'nul.log'), `${lines.join('\n')}\n`);
    expect(await run('inspect', 'nul.log', '--pattern', 'line 40')).toMatchObject({ status: 1 });
    expect(await run('inspect', 'nul.log', '--pattern', 'line  40', '--context', '0')).toMatchObject({
      status: 0,
      stdout: '41:line  40\n',
    });
    expect(await run('inspect', 'nul.log', '--pattern', 'line 41', '--context', '0')).toMatchObject({
      stdout: '42:line 41\n',
    });
  });

  test('a text with carriage returns alone names the option that searches all of it', async () => {
    writeFileSync(
      join(place.files, 'mac.txt'),
      Array.from({ length: 90 }, (_, i) => `line ${i} of 90\r`).join(''),
    );
    const { status, stderr } = await run('inspect', 'mac.txt', '--pattern', 'line 57 ');
    expect([status, stderr]).toEqual([2, expect.stringMatching(/carriage returns .* --raw/)]);
    expect(await run('inspect', 'mac.txt', '--pattern', 'absent')).toMatchObject({ status: 1, stderr: '' });
    expect((await run('inspect', 'mac.txt', '--pattern', 'line 57 ', '--raw')).status).toBe(0);
  });

  test('no match in the readable part of a damaged file is not “no match”', async () => {
    const damaged = await run('inspect', 'damaged.gz', '--pattern', 'absent', '--json');
    expect(damaged.status).toBe(2);
    expect(JSON.parse(damaged.stdout)).toMatchObject({ match_count: 0, unsearched: true });
    expect(await run('inspect', 'damaged.gz', '--pattern', 'line 1$')).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/the part that could be unpacked/),
    });
  });

  test('an expression that gets nowhere is ended, and what to do is said in flags', async () => {
    const { status, stderr } = await run('inspect', 'hang.log', '--pattern', '(a+)+(b|\\1)$');
    expect(status).toBe(2);
    expect(stderr).toMatch(/^spillway: the expression stopped making progress: .* --fixed\n$/);
  });

  // util-linux's script gives the command a terminal.
  test.skipIf(!existsSync('/usr/bin/script'))('on a terminal nothing in what matched is live', () => {
    const command = [process.execPath, cliEntry, 'inspect', 'odd.log', '--pattern', 'er', '--context', '0'];
    const shown = execFileSync(
      '/usr/bin/script',
      ['-qec', command.map((arg) => `'${arg}'`).join(' '), '/dev/null'],
      {
        cwd: place.files,
        env: { ...process.env, SPILLWAY_HOME: place.home, TERM: 'xterm', NO_COLOR: '1' },
      },
    ).toString();
    expect(shown).toBe('3:error\r\n');
  });
});

describe('read --search', () => {
  const read = (...args: string[]) => run('read', 'app.log', ...args);

  test('prints the matching lines alone, numbered', async () => {
    expect(await read('--search', 'line 19[89]0')).toMatchObject({
      status: 0,
      stdout: '1980:line 1980 ERROR\n1990:line 1990 ERROR\n',
      stderr: '',
    });
  });

  test('goes on at the offset it names, to the end', async () => {
    let stdout = '';
    let offset: string | undefined = '0';
    let windows = 0;
    while (offset !== undefined) {
      const page = await read('--search', 'error', '--limit', '1000', '--offset', offset);
      expect(page.status).toBe(0);
      expect(page.stdout.length).toBeLessThanOrEqual(1001);
      stdout += page.stdout;
      offset = /these are \d+ of 200 matching lines: go on with --offset (\d+)\n$/.exec(page.stderr)?.[1];
      windows += 1;
    }
    expect(windows).toBeGreaterThan(3);
    expect(stdout).toBe(
      LINES.flatMap((line, i) => (line.endsWith('ERROR') ? [`${i + 1}:${line}\n`] : [])).join(''),
    );
  });

  test('what is no expression is taken literally, and that is said', async () => {
    expect(await run('read', 'odd.log', '--search', '(X|Y')).toMatchObject({
      status: 0,
      stdout: '5:(x|y\n',
      stderr: expect.stringMatching(/taken literally\n$/),
    });
  });

  test('nothing found is said, and is no failure', async () => {
    expect(await read('--search', 'no such thing')).toMatchObject({
      status: 0,
      stdout: '',
      stderr: 'spillway: no line matches\n',
    });
  });

  test('with --json prints the window', async () => {
    const { stdout } = await read('--search', 'error', '--offset', '100', '--limit', '20', '--json');
    expect(ByteWindow.parse(JSON.parse(stdout))).toMatchObject({
      mode: 'window',
      match_count: 200,
      lines_shown: 1,
      start_line: 20,
      content: '20:line 20 ERROR',
      next_start_line: 21,
    });
  });
});
