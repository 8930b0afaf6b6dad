/** Faults around a recorder never disturb the command, and are reported. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cliEntry, finished, makePlace, type Place, runCli, startCli } from '../../fixtures/cli.ts';
import {
  capturesIn,
  onlyCapture,
  storedBytes,
  storedSoFar,
  streamOf,
} from '../../fixtures/library/captured.ts';
import { isOnTurn } from '../../fixtures/sizes.ts';

let place: Place;

beforeEach(() => {
  place = makePlace({ minFreeBytes: 0 });
});
afterEach(() => place.remove());

const isRoot = process.getuid?.() === 0;

test.runIf(existsSync('/dev/full')).each([
  ['what it prints', [], 3],
  ['what it passes on', ['--tee'], 50_000],
] as const)(
  'capture fails when there is no room for %s, and has recorded all of it',
  async (_, options, lines) => {
    const script = `seq ${lines} | "$0" "$1" capture ${options.join(' ')} > /dev/full`;
    const shell = spawn('sh', ['-c', script, process.execPath, cliEntry], {
      cwd: place.files,
      env: { ...process.env, SPILLWAY_HOME: place.home },
    });
    const { status, stderr } = await finished(shell);
    expect(status).toBe(2);
    expect(stderr).toContain('failed (ENOSPC): free some space on the disk\n');
    expect(streamOf(onlyCapture(place.home), 'output').total_lines).toBe(lines);
  },
);

test('in a folder that was deleted, what asks for a path in it says what to do', async () => {
  const script = 'mkdir gone && cd gone && rmdir ../gone && "$0" "$1" inspect app.log';
  const shell = spawn('sh', ['-c', script, process.execPath, cliEntry], {
    cwd: place.files,
    env: { ...process.env, SPILLWAY_HOME: place.home },
  });
  expect(await finished(shell)).toMatchObject({
    status: 2,
    stderr: 'spillway: the folder you are in has been deleted: go to one that is there (cd)\n',
  });
});

test('a folder that is deleted while a command runs in it is no matter', async () => {
  const folder = join(place.files, 'gone');
  mkdirSync(folder);
  const script = 'seq 2000; while [ -d ../gone ]; do sleep 0.02; done; seq 3000; exit 4';
  const child = startCli(['run', '--cwd', folder, '--', 'sh', '-c', script], place);
  const end = finished(child);
  await expect.poll(() => storedSoFar(place.home, 'stdout')).toMatch(/\n2000\n$/);
  rmdirSync(folder);
  const { status, stdout } = await end;
  expect(status).toBe(4);
  expect(storedBytes(onlyCapture(place.home), 'stdout').toString()).toBe(stdout);
  expect(onlyCapture(place.home).record).toMatchObject({ status: 'failed', exit_code: 4, cwd: folder });
});

const NAMES = ['../../x', 'x'.repeat(300), '🦊 fox', 'two words', '..', '/', '\\', 'a\nb', '-rf', '~'];

test.each(NAMES.filter((_, i) => isOnTurn(i, 3)))(
  'named %j, it stays in the home and is found by its name',
  async (name) => {
    const { stdout } = await runCli(['capture', `--source=${name}`, `--session=${name}`, '--json'], place, {
      input: 'text',
    });
    const head = JSON.parse(stdout);
    expect(head.artifact_id).toMatch(/^capture-[A-Za-z0-9._-]+$/);
    expect(readdirSync(join(place.home, '..'))).toHaveLength(2);
    expect(readdirSync(place.home).sort()).toEqual(['captures', 'config.json', 'run']);
    expect(readdirSync(join(place.home, 'captures'))).toEqual([
      expect.stringMatching(/^[A-Za-z0-9._-]{1,120}$/),
    ]);
    const found = await runCli(['list', `--session=${name}`, '--json'], place);
    expect(JSON.parse(found.stdout).outputs).toMatchObject([
      { artifact_id: head.artifact_id, session: name, label: name },
    ]);
    expect((await runCli(['inspect', head.artifact_id], place)).stdout).toBe('text\n');
  },
);

test('what is given as input and is a folder is refused, with what to do', async () => {
  const folder = openSync(place.files, 'r');
  for (const options of [[], ['--tee'], ['--json']]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [cliEntry, 'capture', ...options], {
      env: { ...process.env, SPILLWAY_HOME: place.home },
      stdio: [folder, 'pipe', 'pipe'],
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^spillway: standard input is a directory: give a file .+\n$/);
  }
  closeSync(folder);
  expect(capturesIn(place.home)).toEqual([]);
});

describe('a place that cannot be written', () => {
  test.each([
    ['a file', () => writeFileSync(join(place.files, 'bad'), '')],
    ['below a file', () => writeFileSync(join(place.files, 'bad'), ''), 'bad/home'],
  ])('home: %s', async (_, make, name = 'bad') => {
    make();
    const env = { SPILLWAY_HOME: join(place.files, name) };
    const run = await runCli(['run', '--', 'sh', '-c', 'seq 9000; exit 5'], place, { env });
    expect(run.status).toBe(5);
    expect(run.stdout.endsWith('\n9000\n')).toBe(true);
    expect(run.stderr).toMatch(/^spillway: this is not recorded: .+: .+\n$/);
    const capture = await runCli(['capture'], place, { env, input: 'text' });
    expect(capture).toMatchObject({ status: 0, stdout: 'text' });
    expect(capture.stderr).toMatch(/not recorded/);
    const { stdout } = await runCli(['run', '--json', '--', 'seq', '9000'], place, { env });
    const head = JSON.parse(stdout);
    expect(head).toMatchObject({
      artifact_id: null,
      success: true,
      stdout: { file_path: null, truncated: true },
    });
    expect(head.warnings).toHaveLength(1);
    expect(head.parts.map((part: { end_line: number }) => part.end_line).at(-1)).toBe(9000);
  });

  test.each(['captures', 'captures/default-37a8eec1'])(
    '%s is a link: nothing goes where nobody would look for it',
    async (name) => {
      const elsewhere = join(place.files, 'elsewhere');
      mkdirSync(elsewhere);
      if (name !== 'captures') mkdirSync(join(place.home, 'captures'), { mode: 0o700 });
      symlinkSync(elsewhere, join(place.home, name));
      const run = await runCli(['run', '--', 'seq', '9000'], place);
      expect(run.status).toBe(0);
      expect(run.stderr).toMatch(
        /^spillway: this was not recorded: .+ is not a folder .+: move it away.+\n$/,
      );
      const capture = await runCli(['capture'], place, { input: 'text' });
      expect(capture).toMatchObject({ status: 0, stdout: 'text' });
      expect(capture.stderr).toContain('this was not recorded: ');
      expect(readdirSync(elsewhere)).toEqual([]);
    },
  );

  test('what background children print breaks no pipe', async () => {
    writeFileSync(join(place.files, 'bad'), '');
    const script = '(while [ ! -e go ]; do sleep 0.02; done; echo late && touch done) & echo now';
    const env = { SPILLWAY_HOME: join(place.files, 'bad') };
    expect((await runCli(['run', '--', 'sh', '-c', script], place, { env })).stdout).toBe('now\n');
    writeFileSync(join(place.files, 'go'), '');
    await expect.poll(() => existsSync(join(place.files, 'done'))).toBe(true);
  });

  test('a home that may not be written to', async () => {
    // Root is bound by no mode.
    if (isRoot) execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro,mode=0700', 'tmpfs', place.home]);
    else chmodSync(place.home, 0o500);
    try {
      const run = await runCli(['run', '--', 'sh', '-c', 'seq 9000; exit 5'], place);
      expect(run.status).toBe(5);
      expect(run.stdout.endsWith('\n9000\n')).toBe(true);
      expect(run.stderr).toMatch(/^spillway: this is not recorded: .+ \((EROFS|EACCES)\).*: .+\n$/);
      const capture = await runCli(['capture'], place, { input: 'text' });
      expect(capture).toMatchObject({ status: 0, stdout: 'text' });
      expect(capture.stderr).toMatch(/not recorded: .+ \((EROFS|EACCES)\)/);
    } finally {
      if (isRoot) execFileSync('umount', ['-l', place.home]);
      else chmodSync(place.home, 0o700);
    }
  });

  test('a home that others may enter', async () => {
    chmodSync(place.home, 0o750);
    const capture = await runCli(['capture'], place, { input: 'text' });
    expect(capture).toMatchObject({ status: 0, stdout: 'text' });
    expect(capture.stderr).toMatch(/not recorded: .*chmod 700/);
    expect(existsSync(join(place.home, 'captures'))).toBe(false);
  });

  test.skipIf(!isRoot)('the home of another user', async () => {
    chownSync(place.home, 12_345, 12_345);
    const run = await runCli(['run', '--', 'echo', 'works'], place);
    expect(run).toMatchObject({ status: 0, stdout: 'works\n' });
    expect(run.stderr).toMatch(/another user \(uid 12345\)/);
    expect(existsSync(join(place.home, 'captures'))).toBe(false);
  });

  test('settings that are broken are named, and the defaults record', async () => {
    writeFileSync(join(place.home, 'config.json'), '{ "previewSize": ');
    const run = await runCli(['run', '--', 'echo', 'works'], place);
    expect(run).toMatchObject({ status: 0, stdout: 'works\n' });
    expect(run.stderr).toMatch(/config\.json is not valid JSON/);
    expect(capturesIn(place.home)).toHaveLength(1);
  });

  test('captures that are deleted while they are recorded stay deleted, and the command goes on', async () => {
    const script = 'seq 2000; while [ ! -e go ]; do sleep 0.02; done; seq 3000; exit 4';
    const child = startCli(['run', '--', 'sh', '-c', script], place);
    const end = finished(child);
    await expect.poll(() => storedSoFar(place.home, 'stdout')).toMatch(/\n2000\n$/);
    rmSync(join(place.home, 'captures'), { recursive: true });
    writeFileSync(join(place.files, 'go'), '');
    const { status, stdout, stderr } = await end;
    expect(status).toBe(4);
    expect(stdout.endsWith('\n3000\n')).toBe(true);
    expect(stderr).toMatch(/deleted while it was recorded/);
    expect(existsSync(join(place.home, 'captures'))).toBe(false);
  });

  /** Runs a command, and `change` in the middle of its output. */
  async function whileRecorded(change: (folder: string) => void, user?: number) {
    const script = 'seq 3000; while [ ! -e go ]; do sleep 0.02; done; seq 3001 6000; exit 4';
    const child = spawn(process.execPath, [cliEntry, 'run', '--', 'sh', '-c', script], {
      cwd: place.files,
      env: { ...process.env, SPILLWAY_HOME: place.home },
      ...(user === undefined ? {} : { uid: user, gid: user }),
    });
    const end = finished(child);
    await expect.poll(() => storedSoFar(place.home, 'stdout')).toMatch(/\n3000\n$/);
    change(onlyCapture(place.home).folder);
    writeFileSync(join(place.files, 'go'), '');
    const done = await end;
    expect(done.status).toBe(4);
    expect(done.stdout).toMatch(/\n6000\n/);
    return done.stderr;
  }
  const ALL = Array.from({ length: 6000 }, (_, at) => `${at + 1}\n`).join('');
  const logIn = (folder: string) =>
    join(folder, readdirSync(folder).find((name) => name.endsWith('.stdout.log'))!);

  test('captures whose home is moved while they are recorded are found there, whole', async () => {
    const moved = `${place.home}-moved`;
    const stderr = await whileRecorded(() => renameSync(place.home, moved));
    expect(stderr).toContain(`its folder was moved while it was recorded: it is ${moved}`);
    expect(stderr).toContain('all of it is');
    expect(onlyCapture(moved).record).toMatchObject({ status: 'failed', exit_code: 4, recorder: null });
    expect(storedBytes(onlyCapture(moved), 'stdout').toString()).toBe(ALL);
    expect(existsSync(place.home)).toBe(false);
  });

  test('of a session folder that can no longer be entered, nothing is called deleted', async () => {
    const user = isRoot ? 12_345 : undefined;
    if (user !== undefined) {
      chmodSync(join(place.home, '..'), 0o755);
      for (const path of [place.home, place.files, join(place.home, 'config.json')])
        chownSync(path, user, user);
    }
    let folder = '';
    const stderr = await whileRecorded((found) => {
      folder = found;
      chmodSync(found, 0);
    }, user);
    chmodSync(folder, 0o700);
    expect(stderr).not.toMatch(/deleted|all of it/);
    expect(stderr).toContain(`its record could not be written (EACCES): what was stored is in ${folder}`);
    expect(readFileSync(logIn(folder), 'utf8')).toBe(ALL);
    // Whoever reads it next finds it.
    await runCli(['list'], place);
    expect(onlyCapture(place.home).record).toMatchObject({ status: 'interrupted', recorder: null });
  });

  test.each([
    [
      'cut short',
      (log: string) => truncateSync(log, 0),
      ALL.slice(ALL.indexOf('3001')),
      'was cut short by another program',
    ],
    [
      'added to',
      (log: string) => appendFileSync(log, 'x\n'),
      ALL.replace('3000\n', '3000\nx\n'),
      'was written by another program, too',
    ],
    ['deleted', (log: string) => rmSync(log), null, 'was deleted'],
  ])('a stream that is %s meanwhile is not called whole', async (_, change, kept, said) => {
    const stderr = await whileRecorded((folder) => change(logIn(folder)));
    expect(stderr).toContain(`the file of stdout ${said}`);
    expect(stderr).not.toContain('all of it');
    const capture = onlyCapture(place.home);
    expect(capture.record).toMatchObject({ status: 'failed', exit_code: 4, recorder: null });
    expect(streamOf(capture, 'stdout').total_bytes).toBe(kept?.length ?? 0);
    if (kept !== null) expect(storedBytes(capture, 'stdout').toString()).toBe(kept);
  });

  test('a record that is deleted alone is not written again, and the files are named', async () => {
    const stderr = await whileRecorded((folder) => {
      for (const name of readdirSync(folder)) if (/^cmd-.*\.json$/.test(name)) rmSync(join(folder, name));
    });
    expect(stderr).toMatch(/its record was deleted while it was recorded: files are left in \//);
  });
});

const canMount = isRoot && process.platform === 'linux' && tryMount();
if (!canMount) console.log('a full disk is not tested: only root may mount a tmpfs');

describe.skipIf(!canMount)('a full disk', () => {
  const home = () => join(place.files, 'disk', 'home');

  function mount(size: string, settings: object): void {
    const disk = join(place.files, 'disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk]);
    mkdirSync(home(), { mode: 0o700 });
    writeFileSync(join(home(), 'config.json'), JSON.stringify(settings));
  }
  afterEach(() => execFileSync('umount', ['-l', join(place.files, 'disk')]));

  const TEXT = Array.from({ length: 1_500_000 }, (_, i) => `${i + 1}\n`).join('');
  const run = (...options: string[]) =>
    runCli(['run', ...options, '--', 'sh', '-c', 'seq 1500000; exit 3'], place, {
      env: { SPILLWAY_HOME: home() },
    });

  test.each([
    ['to the last byte', { minFreeBytes: 0 }, /the disk is full/],
    ['up to what must stay free', {}, /minFreeBytes/],
  ])('%s does not disturb the command; the record says what is missing', async (_, settings, reason) => {
    mount('4m', settings);
    const { status, stdout, stderr } = await run();
    expect(status).toBe(3);
    expect(stdout === TEXT).toBe(true);
    expect(stderr).toMatch(reason);
    expect(stderr).toMatch(/^spillway: exit 3; what was kept is cmd-/m);
    expect(stderr).not.toContain('all of it');
    const capture = onlyCapture(home());
    expect(capture.record).toMatchObject({ status: 'failed', exit_code: 3, recorder: null });
    expect(capture.record.warnings.join()).toMatch(reason);
    const { gap, total_bytes, total_lines } = streamOf(capture, 'stdout');
    const stored = storedBytes(capture, 'stdout').toString();
    expect(TEXT.startsWith(stored)).toBe(true);
    expect(stored.length).toBe(total_bytes);
    expect(total_bytes + gap!.bytes).toBe(TEXT.length);
    expect(total_lines).toBe(1_500_000);
    expect(total_bytes).toBeGreaterThan(2_000_000);
    const lines = stored.split('\n');
    const missing =
      lines.at(-1) === '' ? /lines (\d+) to 1500000 are/ : /the rest of line (\d+) and .* 1500000 are/;
    for (const view of [
      ['--mode', 'tail'],
      ['--start', '1499990'],
    ]) {
      const shown = await runCli(['inspect', 'last', ...view], place, { env: { SPILLWAY_HOME: home() } });
      expect(missing.exec(shown.stderr)?.[1]).toBe(String(lines.length));
      expect(shown.stderr).not.toContain('past the end');
    }
  });

  test('still gives a preview of the head and the end', async () => {
    mount('2m', { minFreeBytes: 0 });
    const { stdout } = await run('--json');
    const head = JSON.parse(stdout);
    expect(head.parts[0].content).toMatch(/^1\n2\n/);
    expect(head.parts[1]).toMatchObject({ end_line: 1_500_000 });
    expect(head.parts[1].content).toMatch(/\n1500000$/);
    expect(head.stdout.dropped_bytes).toBe(TEXT.length - head.stdout.total_bytes);
  });
});

function tryMount(): boolean {
  const where = makePlace();
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', where.files]);
  if (status === 0) execFileSync('umount', [where.files]);
  where.remove();
  return status === 0;
}
