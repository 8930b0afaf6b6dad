/** `inspect`, `read` and `list` as a person or a script sees them. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ByteWindow, ListResult, View } from '../../../shared/views.ts';
import { cliEntry, finished, makePlace, type Place, startCli } from '../../fixtures/cli.ts';
import { runCliHere } from '../../fixtures/cli-here.ts';
import { until } from '../../fixtures/until.ts';

let place: Place;
const LINES = Array.from({ length: 5000 }, (_, index) => `line ${index + 1}`);
const TEXT = LINES.map((line) => `${line}\n`).join('');
/** A line for each byte that begins no line of UTF-8, and a character that is not whole. */
const ODD = Buffer.concat([
  ...Array.from({ length: 128 }, (_, i) => Buffer.from([0x80 + i, 0xfe, 0x78, 0x0a])),
  Buffer.from([0xe2, 0x82, 0x0a]),
]);
const INVALID = Buffer.from('first \xff\x81\xfe\nsecond \xc3( end\n', 'latin1');
const ESCAPES = 'plain \u001b[31mred\u001b[0m\u001b]0;title\u0007 end\n';

beforeAll(() => {
  place = makePlace();
  const put = (name: string, content: string | Buffer) => writeFileSync(join(place.files, name), content);
  put('app.log', TEXT);
  put('invalid.log', INVALID);
  put('odd.log', ODD);
  put('empty.log', '');
  put('blank.log', '\n');
  put('wide.log', `${'w'.repeat(2500)}\n`.repeat(3000));
  put('escapes.log', ESCAPES);
  put('data.bin', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 1]));
  put('dash-\u001b[31m.log', 'x\n');
  put('-odd.log', 'odd\n');
  mkdirSync(join(place.files, 'folder'));
});

afterAll(() => place.remove());

const run = (...args: string[]) => runCliHere(args, place);
const out = async (...args: string[]) => {
  const result = await run(...args);
  expect({ status: result.status, stderr: result.stderr }).toEqual({ status: 0, stderr: '' });
  return result.stdout;
};

describe('inspect', () => {
  test('past the end prints nothing, and says where the end is', async () => {
    const { status, stdout, stderr } = await run('inspect', 'app.log', '--start', '9000');
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    expect(stderr).toBe('spillway: line 9000 is past the end: the last is 5000\n');
  });

  test.each([
    [[], LINES.slice(0, 50)],
    [['--lines', '3'], LINES.slice(0, 3)],
    [['--mode', 'tail', '--lines', '2'], LINES.slice(-2)],
    [['--mode', 'range', '--start', '10', '--end', '12'], LINES.slice(9, 12)],
    [['--start', '4999'], LINES.slice(-2)],
    [['--end', '2'], LINES.slice(0, 2)],
  ])('with %j prints those lines alone', async (options, lines) => {
    expect(await out('inspect', 'app.log', ...options)).toBe(lines.map((line) => `${line}\n`).join(''));
  });

  test('prints nothing of an empty file, and a blank line as one', async () => {
    expect(await out('inspect', 'empty.log')).toBe('');
    expect(await out('inspect', 'blank.log')).toBe('\n');
  });

  test('options may stand before and after the path, and a path may start with a dash after --', async () => {
    expect(await out('inspect', '--lines', '1', 'app.log')).toBe('line 1\n');
    expect(await out('inspect', '--', '-odd.log')).toBe('odd\n');
  });

  test('with --json prints one document, which is the view', async () => {
    for (const options of [[], ['--mode', 'tail'], ['--start', '7', '--end', '8']]) {
      const view = View.parse(JSON.parse(await out('inspect', 'app.log', '--json', ...options)));
      expect(view.total_lines).toBe(5000);
      expect(view.content.split('\n')).toHaveLength(view.lines_shown);
    }
  });

  test('with --json escapes what a terminal could take for a control, and the text is the same', async () => {
    writeFileSync(join(place.files, 'c1.log'), 'a\u009b31mb\u202ec\n');
    const printed = await out('inspect', 'c1.log', '--raw', '--json');
    expect(printed).not.toMatch(/[\u007f-\u009f\u202e]/);
    expect(JSON.parse(printed).content).toBe('a\u009b31mb\u202ec');
  });

  test('a summary is a report, or with --json the view', async () => {
    const report = await out('inspect', 'app.log', '--mode', 'summary');
    expect(report).toMatch(/^lines +5,000/m);
    expect(report).toMatch(/^size +47\.7 KiB/m);
    expect(View.parse(JSON.parse(await out('inspect', 'app.log', '--mode', 'summary', '--json'))).mode).toBe(
      'summary',
    );
  });

  test('says on standard error what was clipped, and that there is more than fits at once', async () => {
    const clipped = await run('inspect', 'wide.log', '--lines', '2');
    expect(clipped.stdout).toBe(`${'w'.repeat(2000)}\n`.repeat(2));
    expect(clipped.stderr).toMatch(/^spillway: 2 lines are clipped.*read/);
    const many = await run('inspect', 'app.log', '--lines', '3000');
    expect(many.stdout).toBe(
      LINES.slice(0, 2000)
        .map((line) => `${line}\n`)
        .join(''),
    );
    expect(many.stderr).toMatch(/2000 lines, the most at once: go on with --start 2001/);
  });

  test('a binary file prints nothing and says how to look anyway, which works', async () => {
    const binary = await run('inspect', 'data.bin');
    expect(binary).toMatchObject({
      status: 0,
      stdout: '',
      stderr: expect.stringMatching(/^spillway: .*--as-text/),
    });
    expect(await out('inspect', 'data.bin', '--as-text')).toContain('ELF');
  });

  test('an error names a file as it is called, whatever its name looks like', async () => {
    const { stderr } = await run('inspect', './my_as_text.log');
    expect(stderr).toContain('my_as_text.log');
  });

  test('an invalid expression is answered with the flag that helps', async () => {
    const { stderr } = await run('inspect', 'app.log', '--pattern', '(');
    expect(stderr).toMatch(/as plain text with --fixed\n$/);
  });

  test('to a pipe, --raw gives the escape sequences and line text has none', async () => {
    expect(await out('inspect', 'escapes.log', '--raw')).toBe(ESCAPES);
    expect(await out('inspect', 'escapes.log')).toBe('plain red end\n');
  });

  test('--raw prints bytes that are not valid UTF-8 as they are', () => {
    const bytes = (...args: string[]) =>
      execFileSync(process.execPath, [cliEntry, 'inspect', 'invalid.log', '--raw', ...args], {
        cwd: place.files,
        env: { ...process.env, SPILLWAY_HOME: place.home },
      });
    expect(bytes()).toEqual(INVALID);
    expect(bytes('--mode', 'tail', '--lines', '1')).toEqual(INVALID.subarray(INVALID.indexOf(0x0a) + 1));
    const found = bytes('--pattern', 'second', '--context', '1');
    expect(found).toEqual(
      Buffer.concat([
        Buffer.from('1-'),
        INVALID.subarray(0, INVALID.indexOf(0x0a) + 1),
        Buffer.from('2:'),
        INVALID.subarray(INVALID.indexOf(0x0a) + 1),
      ]),
    );
  });
});

test('another encoding is recognised: shown and found as text, printed raw as it is', async () => {
  const korean = Buffer.from('6f6e650ac6c4c0cf20bfacb0e120bdc7c6d00a', 'hex');
  const path = join(place.files, 'korean.log');
  writeFileSync(path, korean);
  expect((await run('inspect', path)).stdout).toBe('one\n파일 연결 실패\n');
  expect((await run('inspect', path, '--pattern', '연결')).status).toBe(0);
  const printed = execFileSync(process.execPath, [cliEntry, 'inspect', path, '--raw'], {
    env: { ...process.env, SPILLWAY_HOME: place.home },
  });
  expect(printed.toString('hex')).toBe(korean.toString('hex'));
});

test('--raw prints a line as it is whichever byte it begins with', () => {
  const printed = execFileSync(
    process.execPath,
    [cliEntry, 'inspect', 'odd.log', '--raw', '--lines', '300'],
    {
      cwd: place.files,
      env: { ...process.env, SPILLWAY_HOME: place.home },
    },
  );
  expect(printed.toString('latin1')).toBe(ODD.toString('latin1'));
});

describe('output', () => {
  test('of megabytes is whole at the other end of a pipe that is read slowly', async () => {
    const child = startCli(['inspect', 'wide.log', '--lines', '2000'], place);
    child.stdin.end();
    // Nobody reads: what our side takes by itself is full, and the rest has to wait.
    await until(() => child.stdout.readableLength >= child.stdout.readableHighWaterMark);
    const { status, stdout } = await finished(child);
    expect(status).toBe(0);
    expect(stdout === `${'w'.repeat(2000)}\n`.repeat(2000)).toBe(true);
  });

  test('to a reader that goes away ends quietly', async () => {
    const child = startCli(['inspect', 'wide.log', '--lines', '2000'], place);
    child.stdin.end();
    child.stdout.once('data', () => child.stdout.destroy());
    const { status, stderr } = await finished(child);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test.skipIf(!existsSync('/dev/full'))('to a full disk says so', async () => {
    const full = openSync('/dev/full', 'w');
    const said = (() => {
      try {
        execFileSync(process.execPath, [cliEntry, 'inspect', 'app.log'], {
          cwd: place.files,
          env: { ...process.env, SPILLWAY_HOME: place.home },
          stdio: ['ignore', full, 'pipe'],
        });
        return 'nothing';
      } catch (error) {
        const { status, stderr } = error as { status: number; stderr: Buffer };
        return `${status} ${stderr}`;
      }
    })();
    expect(said).toMatch(/^2 spillway: .*ENOSPC.*free some space/);
  });

  // util-linux's script gives the command a terminal.
  const script = existsSync('/usr/bin/script');
  const onTerminal = (...args: string[]) =>
    execFileSync(
      '/usr/bin/script',
      ['-qec', [process.execPath, cliEntry, ...args].map((arg) => `'${arg}'`).join(' '), '/dev/null'],
      {
        cwd: place.files,
        env: { ...process.env, SPILLWAY_HOME: place.home, TERM: 'xterm', COLUMNS: '70' },
      },
    ).toString();

  test.skipIf(!script)('to a terminal carries no live escape sequence but with --raw', () => {
    expect(onTerminal('read', 'escapes.log')).toBe('plain \\x1b[31mred\\x1b[0m\\x1b]0;title\\x07 end\r\n');
    expect(onTerminal('inspect', 'escapes.log')).toBe('plain red end\r\n');
    expect(onTerminal('inspect', 'escapes.log', '--raw')).toContain('\u001b[31m');
    expect(onTerminal('list')).not.toContain('\u001b');
    expect(onTerminal('inspect', 'escapes.log', '--raw', '--json')).not.toContain('\u001b');
  });
});

describe('read', () => {
  test('windows put together are the file', async () => {
    let text = '';
    let offset: number | null = 0;
    while (offset !== null) {
      const window: ByteWindow = ByteWindow.parse(
        JSON.parse(await out('read', 'app.log', '--offset', String(offset), '--limit', '10007', '--json')),
      );
      text += window.content;
      offset = window.next_offset;
    }
    expect(text).toBe(TEXT);
  });

  test('prints the bytes alone, without a newline of its own', async () => {
    expect(await out('read', 'app.log', '--offset', '5', '--limit', '4')).toBe('1\nli');
    expect(await out('read', 'escapes.log')).toBe(ESCAPES);
  });

  test.each(['-1', '99999999'])('an offset of %s is an error with the size in it', async (offset) => {
    const { status, stdout, stderr } = await run('read', 'app.log', '--offset', offset);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(String(Buffer.byteLength(TEXT)));
  });
});

describe('list', () => {
  test('has a row for every output with its command or path, controls in names escaped', async () => {
    const [head, ...rows] = (await out('list', '--limit', '100')).trimEnd().split('\n');
    expect(head).toMatch(/^ID +STATUS +SIZE +LINES +AGE +COMMAND$/);
    expect(rows.some((row) => /^file-app\.log-\S+ +finished +47\.7 KiB .* \/\S+\/app\.log$/.test(row))).toBe(
      true,
    );
    expect(rows.join('\n')).not.toContain('\u001b');
    expect(rows.some((row) => row.includes('dash-\\x1b[31m.log'))).toBe(true);
  });

  test('with --json prints outputs and a cursor, as many as asked for', async () => {
    const page = ListResult.parse(JSON.parse(await out('list', '--limit', '2', '--json')));
    expect(page.outputs).toHaveLength(2);
    expect(page.next_cursor).not.toBeNull();
    expect(ListResult.parse(JSON.parse(await out('list', '--kind', 'cmd', '--json')))).toEqual({
      outputs: [],
      next_cursor: null,
    });
  });

  test('an id it shows can be inspected', async () => {
    const { outputs } = ListResult.parse(JSON.parse(await out('list', '--limit', '100', '--json')));
    const app = outputs.find((output) => output.label === 'app.log')!;
    expect(await out('inspect', app.artifact_id, '--lines', '1')).toBe('line 1\n');
  });

  test('an unknown id names the nearest ones', async () => {
    const { outputs } = ListResult.parse(JSON.parse(await out('list', '--limit', '100', '--json')));
    const id = outputs.find((output) => output.label === 'app.log')!.artifact_id;
    for (const given of [id.slice(1), id.replace('app', 'ap')]) {
      const { status, stderr } = await run('inspect', given);
      expect(status).toBe(2);
      expect(stderr).toMatch(new RegExp(`the nearest (is|are) ${id}`));
    }
  });

  test('a file whose name is an id is taken as the file', async () => {
    const name = 'cmd-make-2026-01-13T10-30-00-abc123';
    expect((await run('inspect', name)).stderr).toMatch(/no artifact has the id/);
    writeFileSync(join(place.files, name), 'a file\n');
    expect(await out('inspect', name)).toBe('a file\n');
  });

  test('says on standard error that nothing matches', async () => {
    expect(await run('list', '--session', 'none')).toMatchObject({
      status: 0,
      stdout: '',
      stderr: expect.stringMatching(/nothing matches/),
    });
  });

  test('a command that is a whole script is shortened, to a pipe as well', async () => {
    const script = `cat <<'END'\n${'a line of the script\n'.repeat(3000)}END\n`;
    await run('run', '--session', 'scripts', '--quiet', '--', 'sh', '-c', script);
    expect((await out('list', '--session', 'scripts')).length).toBeLessThan(700);
  });
});
