/** `run` and `capture` in poor surroundings: timers, hooks, containers, users without a name. */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cliEntry, finished, makePlace, type Place, runCli, startCli } from '../../fixtures/cli.ts';

let place: Place;

beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const onPosix = process.platform !== 'win32';

/** Runs a shell script in its own folder, with `spillway` as the command. Returns both streams. */
const inShell = (script: string, env: NodeJS.ProcessEnv = {}): string =>
  execFileSync(
    'sh',
    ['-c', `spillway() { '${process.execPath}' '${cliEntry}' "$@"; }\n{ ${script}\n} 2>&1`],
    {
      cwd: place.files,
      env: { ...process.env, SPILLWAY_HOME: place.home, ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 60_000,
    },
  ).toString();

const listed = async (
  kind: string,
): Promise<
  { artifact_id: string; status: string; warnings: string[]; streams: { total_bytes: number }[] }[]
> => JSON.parse((await runCli(['list', '--kind', kind, '--json'], place)).stdout).outputs;

describe.runIf(onPosix)('an input that nobody can read', () => {
  test.each([
    ['a file that is open for writing alone', '0>/dev/null'],
    ['the writing end of a pipe', '0>&1 | cat'],
  ])('is said to be one: %s', (_, input) => {
    const said = inShell(`spillway capture ${input} || true`);
    expect(said).toMatch(/^spillway: standard input cannot be read \(E[A-Z]+\): pipe something in .*\n$/);
  });
});

describe.runIf(onPosix)('a signal that ends any filter', () => {
  test.each(['SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const)(
    '%s ends a capture, and what came is kept',
    async (signal) => {
      const capture = startCli(['capture', '--tee'], place);
      const end = finished(capture);
      capture.stdin.write('part');
      await new Promise((resolve) => capture.stdout.once('data', resolve));
      capture.kill(signal);
      const { status, stdout, stderr } = await end;
      expect(stdout).toBe('part');
      expect(stderr).toBe(`spillway: it was ended by ${signal}: more may have come\n`);
      expect(status).toBe({ SIGQUIT: 131, SIGUSR1: 138, SIGUSR2: 140 }[signal] ?? 0);
      expect(await listed('capture')).toMatchObject([{ status: 'finished', streams: [{ total_bytes: 4 }] }]);
    },
  );
});

describe.runIf(onPosix)('settings that are no file', () => {
  test.each([
    ['a pipe', 'mkfifo'],
    ['an endless device', 'ln -s /dev/zero'],
  ])('hold nobody up: %s', (_, make) => {
    const said = inShell(
      `rm "$SPILLWAY_HOME/config.json"; ${make} "$SPILLWAY_HOME/config.json"; spillway run -- echo done`,
    );
    expect(said).toBe('spillway: config.json is not a file: the defaults are used\ndone\n');
  });
});

describe.runIf(onPosix)('a script is called what it was called', () => {
  test.each(['./x', 'sub/../x', '/x'])('%s', (name) => {
    writeFileSync(join(place.files, 'x'), '#!/bin/sh\necho "$0"\n');
    chmodSync(join(place.files, 'x'), 0o700);
    mkdirSync(join(place.files, 'sub'));
    const command = name.startsWith('/') ? place.files + name : name;
    for (const option of ['', '--pty'])
      expect(inShell(`spillway run ${option} -- '${command}'`).trim(), option).toBe(command);
  });
});

test.runIf(onPosix)(
  'background children are recorded also where a pipe’s mode cannot be changed',
  async () => {
    // As with the usual `mkfifo -m` where there is no /proc.
    const tools = join(place.files, 'tools');
    mkdirSync(tools);
    const mkfifo = execFileSync('sh', ['-c', 'command -v mkfifo']).toString().trim();
    writeFileSync(join(tools, 'mkfifo'), `#!/bin/sh\ncase $* in *-m*) exit 1;; esac\nexec ${mkfifo} "$@"\n`);
    chmodSync(join(tools, 'mkfifo'), 0o700);
    const child = spawn(
      process.execPath,
      [cliEntry, 'run', '--', 'sh', '-c', '(while ! test -e go; do sleep 0.1; done; echo late) & echo first'],
      {
        cwd: place.files,
        env: { ...process.env, SPILLWAY_HOME: place.home, PATH: `${tools}:${process.env.PATH}` },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
    writeFileSync(join(place.files, 'go'), '');
    await expect
      .poll(async () => (await listed('cmd'))[0]?.streams[0]?.total_bytes)
      .toBe('first\nlate\n'.length);
  },
);

test.runIf(onPosix)('a relative HOME makes no home in the working directory', () => {
  for (const HOME of ['', 'rel']) {
    const said = inShell('spillway doctor || true', { HOME, SPILLWAY_HOME: '', XDG_STATE_HOME: '' });
    expect(said).toMatch(/^\S+ +home +\//m);
    expect(said).not.toContain(place.files);
  }
  expect(readdirSync(place.files)).toEqual([]);
});
