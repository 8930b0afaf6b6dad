/** Signals, time-outs, background children and readers that do not read: a command ends as it would without us. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isAlive } from '../../../electron/store/format/owner.ts';
import { cliEntry, finished, makePlace, type Place, runCli, startCli } from '../../fixtures/cli.ts';
import {
  capturesIn,
  onlyCapture,
  standsStill,
  storedBytes,
  streamOf,
} from '../../fixtures/library/captured.ts';

let place: Place;

beforeEach(() => {
  place = makePlace({ minFreeBytes: 0 });
});
afterEach(() => place.remove());

/** Runs what prints `ready` when it is; the rest of what it printed comes with its end. */
async function startReady(script: string, ...options: string[]) {
  const child = startCli(['run', ...options, '--', 'sh', '-c', script], place);
  let seen = '';
  child.stdout.on('data', (chunk) => {
    seen += chunk;
  });
  const end = finished(child);
  await expect.poll(() => seen).toMatch(/ready\r?\n/);
  return { child, end };
}
const isRunning = (marker: string) => execFileSync('ps', ['-eo', 'args']).toString().includes(marker);
/** A number that no other process sleeps for. */
const marked = (seconds: number) => `${seconds}.${process.pid}${Math.floor(performance.now())}`;

/** Says so each time it is interrupted, and goes on for a second. A shell would take two for one. */
const COUNTS = `exec '${process.execPath}' -e 'process.on("SIGINT", () => console.log("caught")); console.log("ready"); setTimeout(() => process.exit(5), 1000)'`;

/** Without a handler of ours, most would end us, and leave the command running unrecorded. */
const PASSED_ON =
  'TERM QUIT USR1 USR2 ALRM VTALRM PROF XCPU ABRT TRAP SYS IO PWR STKFLT WINCH CONT URG'.split(' ');

describe('a signal to spillway', () => {
  test.each([
    ['SIGINT', 130, 'cancelled'],
    ['SIGTERM', 143, 'cancelled'],
    ['SIGHUP', 129, 'cancelled'],
    ['SIGQUIT', 131, 'cancelled'],
    ['SIGUSR1', 138, 'failed'],
  ] as const)('%s ends the command, and is its status', async (signal, exit, status) => {
    const { child, end } = await startReady('ulimit -c 0; echo ready; exec sleep 60');
    child.kill(signal);
    expect(await end).toMatchObject({ status: exit });
    expect(onlyCapture(place.home).record).toMatchObject({ status, exit_code: null, signal });
  });

  test('that a command cleans up for and then names in its status, has cancelled it', async () => {
    const { child, end } = await startReady(
      'trap "echo cleaned; exit 143" TERM; echo ready; while :; do sleep 0.05; done',
    );
    child.kill('SIGTERM');
    expect(await end).toMatchObject({ status: 143, stdout: 'ready\ncleaned\n' });
    expect(onlyCapture(place.home).record).toMatchObject({
      status: 'cancelled',
      exit_code: 143,
      signal: null,
    });
  });

  test('that nobody sent to us and the command died of is a failure', async () => {
    for (const script of ['kill -TERM $$', 'exit 143']) {
      await runCli(['run', '--session', script, '--', 'sh', '-c', script], place);
    }
    expect(capturesIn(place.home).map(({ record }) => record.status)).toEqual(['failed', 'failed']);
  });

  test('reaches a command that handles it once, and its own status counts', async () => {
    const { child, end } = await startReady(COUNTS);
    child.kill('SIGINT');
    const { status, stdout } = await end;
    expect({ status, stdout }).toEqual({ status: 5, stdout: 'ready\ncaught\n' });
  });

  test.runIf(process.platform === 'linux').each([
    ['us alone', 1],
    ['our group', -1],
  ])('to %s reaches the command once, whichever it is', async (_, target) => {
    const counts = String.raw`$| = 1; for my $name (@ARGV) { $SIG{$name} = sub { print "$name\n" } } print "ready\n"; sleep 1 while 1`;
    const command = ['run', '--quiet', '--', 'perl', '-e', counts, ...PASSED_ON, 'HUP'];
    const child = spawn(process.execPath, [cliEntry, ...command], {
      detached: true,
      env: { ...process.env, SPILLWAY_HOME: place.home },
    });
    let seen = '';
    child.stdout.on('data', (chunk) => {
      seen += chunk;
    });
    const end = finished(child);
    const expected = ['ready'];
    for (const name of [...PASSED_ON, 'HUP']) {
      await expect.poll(() => seen.trimEnd().split('\n')).toEqual(expected);
      process.kill(target * child.pid!, `SIG${name}` as NodeJS.Signals);
      expected.push(name);
    }
    await expect.poll(() => seen.trimEnd().split('\n')).toEqual(expected);
    process.kill(-child.pid!, 'SIGINT');
    await end;
  });

  test('to our group, as from a shell without a terminal, reaches the command once', async () => {
    const child = spawn(process.execPath, [cliEntry, 'run', '--', 'sh', '-c', COUNTS], {
      detached: true,
      env: { ...process.env, SPILLWAY_HOME: place.home },
    });
    let seen = '';
    child.stdout.on('data', (chunk) => {
      seen += chunk;
    });
    const end = finished(child);
    await expect.poll(() => seen).toMatch(/ready\r?\n/);
    process.kill(-child.pid!, 'SIGINT');
    expect((await end).status).toBe(5);
    expect(seen).toBe('ready\ncaught\n');
  });
});

describe('a time-out', () => {
  test('ends what ignores SIGTERM, after its grace, and keeps what was printed', async () => {
    const marker = marked(71);
    const script = `trap "" TERM; echo before; while :; do sleep ${marker}; done`;
    const result = await runCli(['run', '--timeout', '500', '--', 'sh', '-c', script], place);
    expect(result).toMatchObject({ status: 124, stdout: 'before\n' });
    expect(result.stderr).toMatch(/time-out of 500 ms/);
    expect(isRunning(marker)).toBe(false);
    const capture = onlyCapture(place.home);
    expect(capture.record).toMatchObject({ status: 'timed_out', recorder: null });
    expect(storedBytes(capture, 'stdout').toString()).toBe('before\n');
  });

  test('leaves a command its last words', async () => {
    const script = 'trap "echo goodbye; exit 0" TERM; echo hello; while :; do sleep 0.05; done';
    const result = await runCli(['run', '--timeout', '400', '--', 'sh', '-c', script], place);
    expect(result).toMatchObject({ status: 124, stdout: 'hello\ngoodbye\n' });
  });

  test('ends children that left for a session of their own', async () => {
    const marker = marked(72);
    const script = `(setsid sleep ${marker} &); (setsid sh -c "sleep ${marker}; :" &); sleep ${marker}`;
    await runCli(['run', '--timeout', '500', '--', 'sh', '-c', script], place);
    await expect.poll(() => isRunning(marker)).toBe(false);
  });

  test('comes though nobody reads the output', async () => {
    const child = startCli(['run', '--timeout', '700', '--', 'yes'], place);
    child.stdout.pause();
    const status = await new Promise((resolve) => child.once('exit', resolve));
    expect(status).toBe(124);
    child.stdout.resume();
  });
});

describe('on a terminal of its own, while we have none', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s reaches it once', async (signal) => {
    const caught = COUNTS.replaceAll('SIGINT', signal);
    const { child, end } = await startReady(caught, '--pty');
    child.kill(signal);
    const { status, stdout } = await end;
    expect({ status, stdout }).toEqual({ status: 5, stdout: 'ready\r\ncaught\r\n' });
  });

  test('its input ends when ours does, also within a line', async () => {
    const result = await runCli(['run', '--pty', '--', 'cat'], place, { input: 'no line end' });
    expect(result.status).toBe(0);
    expect(onlyCapture(place.home).record.status).toBe('succeeded');
  });
});

describe('background children', () => {
  test('outlive the command, which returns at once', async () => {
    const marker = marked(30);
    const child = startCli(['run', '--', 'sh', '-c', `sleep ${marker} & echo $!`], place);
    const { status, stdout } = await finished(child);
    expect(status).toBe(0);
    expect(isRunning(marker)).toBe(true);
    process.kill(Number(stdout));
    await expect.poll(() => onlyCapture(place.home).record.recorder).toBe(null);
    expect(onlyCapture(place.home).record).toMatchObject({ status: 'succeeded', exit_code: 0 });
  });

  test('are recorded to their end, and large output of theirs, too', async () => {
    const script = '(while [ ! -e go ]; do sleep 0.02; done; seq 50000; seq 30000 >&2) & echo now; exit 3';
    const result = await runCli(['run', '--', 'sh', '-c', script], place);
    expect(result).toMatchObject({ status: 3, stdout: 'now\n' });
    expect(onlyCapture(place.home).record).toMatchObject({ status: 'failed', exit_code: 3 });
    expect(onlyCapture(place.home).record.recorder).not.toBe(null);
    writeFileSync(join(place.files, 'go'), '');
    await expect.poll(() => onlyCapture(place.home).record.recorder).toBe(null);
    const capture = onlyCapture(place.home);
    expect(storedBytes(capture, 'stdout').toString()).toBe(`now\n${numbers(50_000)}`);
    expect(storedBytes(capture, 'stderr').toString()).toBe(numbers(30_000));
    expect(streamOf(capture, 'stdout').total_lines).toBe(50_001);
    expect(capture.record).toMatchObject({ status: 'failed', exit_code: 3 });
  });

  test('have a recorder at every moment, so that none is taken for one that died', async () => {
    const script = '(while [ ! -e go ]; do sleep 0.02; done; echo late) & echo now';
    // The recorder starts once it has read its task. The test is whether another one has taken over by then.
    const slow = join(place.files, 'slow.cjs');
    writeFileSync(
      slow,
      "if (process.argv[2] === 'record-on') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);",
    );
    const env = { NODE_OPTIONS: `--require=${slow}` };
    await runCli(['run', '--', 'sh', '-c', script], place, { env });
    const { artifact_id, recorder } = onlyCapture(place.home).record;
    expect(recorder).not.toBe(null);
    expect(isAlive(recorder!)).toBe(true);
    expect((await runCli(['cleanup', '--older-than', '0'], place)).stdout).toContain('1 running');
    const listed = JSON.parse((await runCli(['list', '--kind', 'cmd', '--json'], place)).stdout);
    expect(listed.outputs).toMatchObject([{ artifact_id, status: 'succeeded', warnings: [] }]);
    writeFileSync(join(place.files, 'go'), '');
    await expect.poll(() => onlyCapture(place.home).record.recorder).toBe(null);
    expect(storedBytes(onlyCapture(place.home), 'stdout').toString()).toBe('now\nlate\n');
  });

  test('that print little are folded when they have ended', async () => {
    const script = '(while [ ! -e go ]; do sleep 0.02; done; printf late) & printf "now "';
    await runCli(['run', '--', 'sh', '-c', script], place);
    expect(streamOf(onlyCapture(place.home), 'stdout').file).not.toBe(null);
    writeFileSync(join(place.files, 'go'), '');
    await expect.poll(() => onlyCapture(place.home).record.recorder).toBe(null);
    const capture = onlyCapture(place.home);
    expect(streamOf(capture, 'stdout')).toMatchObject({ file: null, total_bytes: 8, total_lines: 1 });
    expect(storedBytes(capture, 'stdout').toString()).toBe('now late');
  });

  test('go on writing to a file that standard output was sent to', async () => {
    const out = join(place.files, 'out.txt');
    const script = '(while [ ! -e go ]; do sleep 0.02; done; echo late) & echo now';
    execFileSync('sh', ['-c', `"$0" "$1" run -- sh -c '${script}' > out.txt`, process.execPath, cliEntry], {
      cwd: place.files,
      env: { ...process.env, SPILLWAY_HOME: place.home },
    });
    expect(readFileSync(out, 'utf8')).toBe('now\n');
    writeFileSync(join(place.files, 'go'), '');
    await expect.poll(() => readFileSync(out, 'utf8')).toBe('now\nlate\n');
    await expect.poll(() => onlyCapture(place.home).record.recorder).toBe(null);
  });

  test('add nothing to the one JSON document', async () => {
    const script = '(while [ ! -e go ]; do sleep 0.02; done; echo late) & echo now';
    execFileSync(
      'sh',
      ['-c', `"$0" "$1" run --json -- sh -c '${script}' > out.json`, process.execPath, cliEntry],
      {
        cwd: place.files,
        env: { ...process.env, SPILLWAY_HOME: place.home },
      },
    );
    writeFileSync(join(place.files, 'go'), '');
    await expect.poll(() => onlyCapture(place.home).record.recorder).toBe(null);
    expect(storedBytes(onlyCapture(place.home), 'stdout').toString()).toBe('now\nlate\n');
    expect(() => JSON.parse(readFileSync(join(place.files, 'out.json'), 'utf8'))).not.toThrow();
  });
});

describe('the pipes', () => {
  test('are pipes, which can be opened by name', async () => {
    const result = await runCli(
      ['run', '--', 'sh', '-c', 'echo a > /dev/stdout; echo b > /dev/stderr'],
      place,
    );
    expect(result).toMatchObject({ status: 0, stdout: 'a\n', stderr: 'b\n' });
  });

  test('break when the reader goes away, and what came is kept', async () => {
    const shell = spawn(
      'bash',
      ['-c', `"$0" "$1" run -- yes | head -1; echo "\${PIPESTATUS[0]}"`, process.execPath, cliEntry],
      {
        cwd: place.files,
        env: { ...process.env, SPILLWAY_HOME: place.home },
      },
    );
    expect((await finished(shell)).stdout).toBe('y\n141\n');
    const capture = onlyCapture(place.home);
    expect(capture.record).toMatchObject({ status: 'failed', signal: 'SIGPIPE' });
    expect(storedBytes(capture, 'stdout').toString('latin1')).toMatch(/^(y\n)+y?$/);
  });

  test('make the command wait for a reader that is slow, as in a shell', async () => {
    const child = startCli(['run', '--', 'sh', '-c', 'head -c 4000000 /dev/zero; touch done'], place);
    child.stdout.pause();
    await expect.poll(() => capturesIn(place.home).length).toBe(1);
    const size = () => {
      const capture = onlyCapture(place.home);
      return readFileSync(join(capture.folder, streamOf(capture, 'stdout').file!)).length;
    };
    await expect.poll(size).toBeGreaterThan(100_000);
    await standsStill(size);
    expect(size()).toBeLessThan(2_000_000);
    expect(existsSync(join(place.files, 'done'))).toBe(false);
    const end = finished(child);
    child.stdout.resume();
    expect((await end).stdout.length).toBe(4_000_000);
    expect(existsSync(join(place.files, 'done'))).toBe(true);
  });

  test('hand on standard input that is left to the next command', async () => {
    const script = `"$0" "$1" run -- sh -c 'read a; echo "first $a"'; read b; echo "then $b"`;
    const shell = spawn('sh', ['-c', script, process.execPath, cliEntry], {
      env: { ...process.env, SPILLWAY_HOME: place.home },
    });
    shell.stdin.end('one\ntwo\n');
    expect((await finished(shell)).stdout).toBe('first one\nthen two\n');
  });
});

function numbers(count: number): string {
  return Array.from({ length: count }, (_, i) => `${i + 1}\n`).join('');
}
