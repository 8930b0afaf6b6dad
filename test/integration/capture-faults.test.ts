/** What goes wrong around a recorder never disturbs the command, and is said. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openCapturing, runRecorded } from '../../electron/host/capturing.ts';
import { capturesIn, onlyCapture, storedBytes, streamOf } from '../fixtures/captured.ts';
import { cliEntry, finished, makePlace, type Place, runCli, startCli } from '../fixtures/cli.ts';

let place: Place;

beforeEach(() => {
  place = makePlace({ minFreeBytes: 0 });
});
afterEach(() => place.remove());

const until = (what: () => unknown) => expect.poll(what, { timeout: 20_000, interval: 20 });
const isRoot = process.getuid?.() === 0;

describe('many at once', () => {
  test('two hundred runs into one session each have a record and an id of their own', async () => {
    const capturing = openCapturing(place.home);
    const results = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const running = await runRecorded(capturing, {
          command: 'echo',
          args: [`number ${i}`],
          cwd: place.files,
          env: process.env,
          session: 'crowd',
          stdin: 'ignore',
          ownGroup: true,
        });
        return running.result;
      }),
    );
    expect(new Set(results.map(({ head }) => head.artifact_id)).size).toBe(200);
    for (const [i, { parts }] of results.entries()) expect(parts[0]!.content).toBe(`number ${i}`);
    const captures = capturesIn(place.home);
    expect(captures).toHaveLength(200);
    expect(new Set(captures.map(({ folder }) => folder)).size).toBe(1);
    for (const { record } of captures)
      expect(record).toMatchObject({ status: 'succeeded', session: 'crowd' });
  });

  test('so do processes that start at once, in a home that is not there yet', async () => {
    rmSync(place.home, { recursive: true });
    const count = Number(process.env.SPILLWAY_CROWD ?? 12);
    const results = await Promise.all(
      Array.from({ length: count }, (_, i) => runCli(['run', '--', 'echo', `number ${i}`], place)),
    );
    for (const [i, result] of results.entries()) {
      expect(result).toMatchObject({ status: 0, stdout: `number ${i}\n`, stderr: '' });
    }
    expect(capturesIn(place.home)).toHaveLength(count);
  });
});

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

test('in a folder that was deleted, it says what to do', async () => {
  const script = 'mkdir gone && cd gone && rmdir ../gone && "$0" "$1" run -- echo hi';
  const shell = spawn('sh', ['-c', script, process.execPath, cliEntry], {
    cwd: place.files,
    env: { ...process.env, SPILLWAY_HOME: place.home },
  });
  expect(await finished(shell)).toMatchObject({
    status: 2,
    stderr: 'spillway: the folder you are in has been deleted: go to one that is there (cd)\n',
  });
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
    expect(run.stderr).toMatch(/^spillway: this was not recorded: .+: .+\n$/);
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
    await until(() => existsSync(join(place.files, 'done'))).toBe(true);
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
    await until(() => capturesIn(place.home).length).toBe(1);
    rmSync(join(place.home, 'captures'), { recursive: true });
    writeFileSync(join(place.files, 'go'), '');
    const { status, stdout, stderr } = await end;
    expect(status).toBe(4);
    expect(stdout.endsWith('\n3000\n')).toBe(true);
    expect(stderr).toMatch(/deleted while it was recorded/);
    expect(existsSync(join(place.home, 'captures'))).toBe(false);
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

describe('endless and enormous', () => {
  test('a single line of many megabytes stays bounded, in memory and on disk, with its end readable', async () => {
    const bytes = Number(process.env.SPILLWAY_LINE_BYTES ?? 100_000_000);
    const script = `head -c ${bytes} /dev/zero | tr '\\0' x; printf 'the end'; touch done; read line`;
    const child = startCli(['run', '--json', '--max-bytes', '10000000', '--', 'sh', '-c', script], place);
    const end = finished(child);
    await expect.poll(() => existsSync(join(place.files, 'done')), { timeout: 60_000 }).toBe(true);
    const most = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]);
    child.stdin.end('\n');
    const head = JSON.parse((await end).stdout);
    expect(most).toBeLessThan(150_000);
    expect(head.stdout).toMatchObject({
      total_lines: 1,
      total_bytes: 10_000_000,
      dropped_bytes: bytes + 7 - 10_000_000,
      truncated: true,
    });
    expect(head.parts).toMatchObject([
      { start_line: 1, end_line: 1 },
      { start_line: 1, end_line: 1 },
    ]);
    expect(head.parts[1].content).toMatch(/^x+the end$/);
    const stored = storedBytes(onlyCapture(place.home), 'stdout').toString('latin1');
    expect(stored).toMatch(/^x+the end$/);
    expect(stored.length).toBe(10_000_000);
  });

  test('input without end ends with its reader', async () => {
    const script = `yes | "$0" "$1" capture --tee | head -2; echo "\${PIPESTATUS[1]}"`;
    const { stdout } = spawnSync('bash', ['-c', script, process.execPath, cliEntry], {
      encoding: 'utf8',
      env: { ...process.env, SPILLWAY_HOME: place.home },
    });
    expect(stdout).toBe('y\ny\n0\n');
    expect(onlyCapture(place.home).record).toMatchObject({ kind: 'capture', status: 'finished' });
  });

  test('input that is broken off by Ctrl-C is recorded as far as it came', async () => {
    const child = startCli(['capture', '--tee'], place);
    child.stdin.write('as far as this\n');
    let seen = '';
    child.stdout.on('data', (chunk) => {
      seen += chunk;
    });
    const end = finished(child);
    await until(() => seen).toBe('as far as this\n');
    child.kill('SIGINT');
    expect((await end).status).toBe(130);
    const capture = onlyCapture(place.home);
    expect(storedBytes(capture, 'output').toString()).toBe('as far as this\n');
    expect(capture.record).toMatchObject({ status: 'finished', warnings: [expect.stringMatching(/SIGINT/)] });
  });

  test('bytes that are no text come through and are stored as they are', async () => {
    const result = await runCli(
      ['run', '--', 'sh', '-c', 'head -c 300000 /dev/zero; printf "\\377\\376"'],
      place,
    );
    expect(result.status).toBe(0);
    const capture = onlyCapture(place.home);
    const stored = storedBytes(capture, 'stdout');
    expect(stored.length).toBe(300_002);
    expect([...stored.subarray(-3)]).toEqual([0, 255, 254]);
    expect(streamOf(capture, 'stdout').content_type).toBe('binary');
  });
});
