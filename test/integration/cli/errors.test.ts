/** Errors of the command line: one line with what to do, exit 2, no stack. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliEntry, makePlace, type Place, runCli } from '../../fixtures/cli.ts';
import { runCliHere } from '../../fixtures/cli-here.ts';

let place: Place;

beforeAll(() => {
  place = makePlace();
  writeFileSync(join(place.files, 'app.log'), 'a\nb\n');
  mkdirSync(join(place.files, 'folder'));
});

afterAll(() => place.remove());

test.each([
  ['list'],
  ['stats'],
  ['inspect', 'last'],
  ['read', 'last'],
  ['pin', 'x'],
  ['unpin', 'x'],
  ['sources'],
  ['cleanup'],
])('%s says that the home is a file, or that one leads to it', async (...args) => {
  const file = join(place.files, 'app.log');
  const said = {
    ...{ status: 2, signal: null, stdout: '' },
    stderr: `spillway: ${file} is not a folder: move it away, or set SPILLWAY_HOME to another folder\n`,
  };
  for (const home of [file, join(file, 'home')])
    expect(await runCliHere(args, { ...place, home })).toEqual(said);
});

test.each<[string[], RegExp]>([
  [[], /no command is given: give one of run/],
  [['inspekt', 'app.log'], /no command "inspekt": did you mean inspect\?/],
  [['help', 'inspekt'], /no command "inspekt"/],
  [['inspekt', '--help'], /no command "inspekt": did you mean inspect\?/],
  [
    ['app.log'],
    /no command "app.log": to read that file, use `spillway inspect app.log` or `spillway open app.log`$/m,
  ],
  [['folder'], /no command "folder": to open that folder, use `spillway open folder`$/m],
  [['run'], /run needs a command: give it after --/],
  [['run', '--timeout', '0', '--', 'ls'], /--timeout cannot be "0"/],
  [['capture', '--type', 'jsn'], /did you mean json\?/],
  [['report', '--html', '--markdown'], /--html cannot be used with --markdown: give one of them$/m],
  [['capture', '--tee', '--json'], /both print to standard output: give one of them/],
  [
    ['inspect'],
    /inspect needs an id or a file: give one, as in `spillway inspect last` or `spillway inspect app.log`$/m,
  ],
  [['pin'], /pin needs an id: take one from `spillway list`$/m],
  [['completion'], /completion needs a shell: give one of bash, zsh, fish$/m],
  [['last'], /no command "last": that is an id, read it with `spillway inspect last`$/m],
  [
    ['pin', 'nope'],
    /no capture has the id "nope": nothing is captured yet, record a command with `spillway run -- CMD`$/m,
  ],
  [['inspect', 'last'], /nothing is recorded yet: record a command with/],
  [['sources', 'goos'], /no source "goos": did you mean goose\? The sources are /],
  [['connect', 'codx'], /no client "codx": did you mean codex\? The clients are /],
  [['mcp', 'x'], /mcp takes only options, not "x": leave it out$/m],
  [['inspect', 'app.log', '--lins', '5'], /no option "--lins": did you mean --lines\?/],
  [['inspect', 'app.log', '--lins=5'], /no option "--lins": did you mean --lines\?/],
  [['inspect', 'app.log', '-n', '5'], /no option "-n"/],
  [['inspect', 'app.log', '--patern', 'x'], /no option "--patern": did you mean --pattern\?/],
  [['run', '--json=1', '--', 'true'], /: --json takes no value: give --json alone$/m],
  [['inspect', 'app.log', '--raw=yes'], /: --raw takes no value: give --raw alone$/m],
  [['--version=1'], /: --version takes no value/],
  [['list', '--jsn'], /did you mean --json\?/],
  [['--jsn', 'list'], /no option "--jsn".*come after its name/],
  [
    ['inspect', 'app.log', 'b.log'],
    /inspect takes an id or a file, not "app.log" "b.log": give one, in quotes/,
  ],
  [['inspect', 'app.log', '--lines'], /--lines needs a value/],
  [['inspect', 'app.log', '--lines', '0'], /--lines cannot be "0": give a whole number, 1 or more/],
  [['inspect', 'app.log', '--lines', '1e3'], /--lines cannot be "1e3"/],
  [['inspect', 'app.log', '--lines', '99999999999999999999'], /--lines cannot be/],
  [['inspect', 'app.log', '--lines', ''], /--lines cannot be ""/],
  [['inspect', 'app.log', '--max-shapes', '5000'], /give a whole number from 0 to 1000/],
  [
    ['inspect', 'app.log', '--mode', 'grap'],
    /did you mean grep\? The modes are head, tail, grep, range, summary/,
  ],
  [['inspect', 'app.log', '--mode', 'grep'], /grep needs a pattern: .*--pattern/],
  [['inspect', 'app.log', '--pattern', ''], /grep needs a pattern/],
  [
    ['inspect', 'app.log', '--pattern', 'a', '--pattern', 'b'],
    /--pattern is given twice: find both with one expression, as in a\|b$/m,
  ],
  [['read', 'app.log', '--search', 'a', '--search=b'], /--search is given twice: .*a\|b/],
  [['list', '--kind', 'cmd', '--kind', 'tool'], /--kind is given twice: list one kind at a time/],
  [['inspect', 'app.log', '--pattern'], /--pattern needs a value/],
  [['inspect', 'app.log', '--pattern', 'a('], /"a\(" is not a valid pattern, .* with --fixed/],
  [['inspect', 'app.log', '--pattern', 'x', '--mode', 'tail'], /--pattern means nothing in mode tail.*grep/],
  [['inspect', 'app.log', '--pattern', 'x', '--start', '3'], /--start means nothing in mode grep.*range/],
  [['inspect', 'app.log', '--pattern', 'x', '--lines', '3'], /--lines means nothing in mode grep/],
  [['inspect', 'app.log', '--context', '3'], /--context means nothing in mode head/],
  [['inspect', 'app.log', '--invert'], /--invert means nothing in mode head/],
  [['inspect', 'app.log', '--pattern', 'x', '--context', '-1'], /--context cannot be "-1"/],
  [['inspect', 'app.log', '--pattern', 'x', '--max-matches', '5000'], /from 0 to 2000/],
  [['inspect', 'app.log', '--pattern', 'x', '--cursor', 'x'], /unknown cursor/],
  [['inspect', 'app.log', '--stream', 'stderr'], /no stream stderr: it has output/],
  [['inspect', 'app.log', '--pattern', 'x', '--stream', 'stdout'], /no stream stdout: it has output/],
  [['read', 'app.log', '--stream', 'combined'], /no stream combined: it has output/],
  [['read', 'app.log', '--search', ''], /--search cannot be ""/],
  [['inspect', 'app.log', '--mode', 'sumary'], /did you mean summary\?/],
  [['inspect', 'app.log', '--stream', 'stdeer'], /did you mean stderr\?/],
  [['inspect', 'app.log', '--mode', 'tail', '--start', '3'], /--start means nothing in mode tail/],
  [['inspect', 'app.log', '--max-shapes', '3'], /--max-shapes means nothing in mode head/],
  [['inspect', 'app.log', '--start', '0'], /line 0 does not exist/],
  [['inspect', 'app.log', '--start', '-4'], /line -4 does not exist/],
  [['inspect', 'app.log', '--start', '5', '--end', '2'], /ends at line 2, before/],
  [['inspect', 'app.log', '--encoding', 'klingon'], /klingon/],
  [['inspect', 'ap.log'], /no file "ap.log": the nearest is .*app\.log/],
  [['inspect', 'app.log/x'], /no file "app.log\/x": check the path, or the id$/m],
  [['inspect', 'folder'], /is a directory/],
  [['inspect', '-'], /standard input cannot be read here/],
  [['inspect', ''], /give an id or a path/],
  [['read', 'app.log', '--limit', '0'], /--limit cannot be "0"/],
  [['list', '--kind', 'fil'], /did you mean file\?/],
  [['list', '--status', 'done'], /the statuses are running/],
  [['serve', '--port', '70000'], /from 0 to 65535/],
  [['open', 'no/such/file'], /no file "no\/such\/file"/],
  [['serve', 'ap.log'], /no file "ap.log": the nearest is .*app\.log/],
  [['mcp', '--no-such'], /mcp has no option "--no-such"/],
])('%j', async (args, wanted) => {
  const { status, stdout, stderr } = await runCliHere(args, place);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(wanted);
  // One colon before what to do; others only in what was given and in commands.
  const plain = stderr.replaceAll(/"(?:\\.|[^"])*"|`[^`]*`/g, 'x');
  expect(plain).toMatch(/^spillway: (?:(?!: )[^\n])+: (?:(?!: )[^\n])+\n$/);
});

test('the last value of an option counts if dropping the first does not change what is found', async () => {
  const last = await runCliHere(['inspect', 'app.log', '--lines', '2', '--lines', '1'], place);
  expect(last).toMatchObject({ status: 0, stdout: 'a\n' });
  const same = await runCliHere(['inspect', 'app.log', '--pattern', 'b', '--pattern', 'b'], place);
  expect(same).toMatchObject({ status: 0, stdout: '1-a\n2:b\n' });
});

test('escape sequences in what was given are written out', async () => {
  const { stderr } = await runCli(['inspect', 'a\u001b[31mb'], place);
  expect(stderr).not.toContain('\u001b');
});

test('help and version are printed, and are no error', async () => {
  expect(await runCli(['--version'], place)).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  });
  for (const args of [
    ['--help'],
    ['help'],
    ['help', 'inspect'],
    ...['run', 'inspect', 'read', 'list', 'open', 'serve', 'mcp', 'proxy', 'connect', 'doctor'].map(
      (name) => [name, '--help'],
    ),
  ]) {
    const { status, stdout, stderr } = await runCliHere(args, place);
    expect({ args, status, stderr }).toEqual({ args, status: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: spillway/);
    // All of it is wrapped, except the lines of examples.
    const prose = stdout.split('\n').filter((line) => !line.startsWith('  '));
    expect(prose.filter((line) => line.length > 80)).toEqual([]);
  }
});

test('servers refuse a home that others can enter, and say what to do', async () => {
  const open = makePlace();
  chmodSync(open.home, 0o755);
  for (const args of [['serve'], ['mcp'], ['open']]) {
    const { status, stdout, stderr } = await runCli(args, open);
    expect({ args, status, stdout }).toEqual({ args, status: 2, stdout: '' });
    expect(stderr).toMatch(/can be entered by other users .*chmod 700/);
  }
  open.remove();
});

test.skipIf(!existsSync('/usr/bin/perl')).each(['inspect', 'read'])(
  '%s fails if standard output is closed',
  (command) => {
    const { status, stderr } = spawnSync('sh', ['-c', `exec >&-; exec "$0" ${command} app.log`, cliEntry], {
      cwd: place.files,
      env: { ...process.env, SPILLWAY_HOME: place.home, SPILLWAY_DEBUG: '' },
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(/^spillway: .*EBADF.*: standard output is closed, .*\n$/),
    });
  },
);

test('an empty list and `last` name the home as the reason if others can enter it', async () => {
  const open = makePlace();
  chmodSync(open.home, 0o755);
  for (const args of [['list'], ['list', '--kind', 'cmd'], ['inspect', 'last']]) {
    const { stdout, stderr } = await runCliHere(args, open);
    expect(stdout).toBe('');
    expect(stderr).toMatch(
      /^spillway: nothing is (captured|recorded) .*by other users \(mode 0755\): run `chmod 700/,
    );
  }
  open.remove();
});

test('a setting that is not understood is named, and the command does its work', async () => {
  const odd = makePlace({ maxLineChar: 5 });
  writeFileSync(join(odd.files, 'a.log'), 'x\n');
  expect(await runCli(['inspect', 'a.log'], odd)).toMatchObject({
    status: 0,
    stdout: 'x\n',
    stderr: expect.stringMatching(/unknown setting "maxLineChar", did you mean maxLineChars\?/),
  });
  odd.remove();
});

test('a file is found by its URL, too', async () => {
  writeFileSync(join(place.files, 'my app#1.log'), 'a\n');
  for (const url of [`file://${place.files}/my%20app%231.log`, `file://localhost${place.files}/app.log#L2`])
    expect(await runCliHere(['inspect', url], place)).toMatchObject({ status: 0, stderr: '' });
});
