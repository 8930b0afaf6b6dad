/** `spillway run` at a terminal: the command has one, too, and keys, sizes and signals reach it as they would have. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPty, type Pty } from '../../electron/capture/terminal/pty.ts';
import { onlyCapture, storedBytes } from '../fixtures/captured.ts';
import { cliEntry, makePlace, type Place } from '../fixtures/cli.ts';

let place: Place;

beforeEach(() => {
  place = makePlace({ minFreeBytes: 0 });
});
afterEach(() => place.remove());

interface Screen {
  pty: Pty;
  seen(): string;
  shows(text: string): Promise<void>;
}

function run(script: string, ...options: string[]): Screen {
  return open(process.execPath, [cliEntry, 'run', ...options, '--', 'sh', '-c', script]);
}

function open(file: string, args: string[]): Screen {
  let seen = '';
  const pty = openPty({
    file,
    args,
    cwd: place.files,
    env: { ...process.env, SPILLWAY_HOME: place.home, TERM: 'xterm' },
    size: { columns: 80, rows: 24 },
    onData: (bytes) => {
      seen += bytes.toString();
    },
  });
  return {
    pty,
    seen: () => seen,
    shows: (text) => expect.poll(() => seen, { timeout: 20_000, interval: 20 }).toContain(text),
  };
}

test('it has a terminal of the same size, one stream, and its own status', async () => {
  const screen = run('test -t 0 && test -t 1 && test -t 2 && echo three; stty size; exit 4');
  expect(await screen.pty.exited).toEqual({ exit_code: 4, signal: null });
  expect(screen.seen()).toBe('three\r\n24 80\r\n');
  const capture = onlyCapture(place.home);
  expect(capture.record.streams.map(({ name }) => name)).toEqual(['output']);
  expect(storedBytes(capture, 'output').toString()).toBe('three\r\n24 80\r\n');
});

test('with --no-pty it has two pipes, and the terminal to read from', async () => {
  const screen = run('test -t 1 || echo pipe; test -t 0 && echo "input"; echo oh >&2', '--no-pty');
  await screen.pty.exited;
  expect(screen.seen()).toContain('pipe\r\ninput\r\n');
  expect(onlyCapture(place.home).record.streams.map(({ name }) => name)).toEqual(['stdout', 'stderr']);
});

test('what is typed reaches it, and the window’s new size', async () => {
  const screen = run('echo ready; read a; echo "got $a"; while read b; do stty size; done');
  await screen.shows('ready\r\n');
  screen.pty.write('hello\r');
  await screen.shows('got hello');
  screen.pty.resize({ columns: 100, rows: 40 });
  await expect
    .poll(
      () => {
        screen.pty.write('\r');
        return screen.seen();
      },
      { timeout: 20_000, interval: 100 },
    )
    .toContain('40 100');
  screen.pty.write('\x04');
  expect(await screen.pty.exited).toEqual({ exit_code: 0, signal: null });
});

describe.runIf(process.platform === 'linux')('Ctrl-Z', () => {
  test('stops it as a job of the shell, which goes on with fg', async () => {
    const screen = open('/bin/bash', ['--norc', '--noprofile', '-i']);
    const script = 'echo rea""dy; until [ -e go ]; do sleep 0.02; done; echo fin""ished';
    screen.pty.write(`'${process.execPath}' '${cliEntry}' run -- sh -c '${script}'\r`);
    await screen.shows('ready\r\n');
    screen.pty.write('\x1a');
    await screen.shows('Stopped');
    writeFileSync(join(place.files, 'go'), '');
    screen.pty.write('fg; echo status $?\r');
    await screen.shows('finished\r\n');
    await screen.shows('status 0\r\n');
    screen.pty.write('exit\r');
    await screen.pty.exited;
    expect(onlyCapture(place.home).record).toMatchObject({ status: 'succeeded', exit_code: 0 });
  });

  test('is the command’s own where it reads its keys itself', async () => {
    const screen = run('stty -isig -icanon; echo ready; dd bs=1 count=1 2>/dev/null | od -An -c');
    await screen.shows('ready\r\n');
    screen.pty.write('\x1a');
    expect(await screen.pty.exited).toEqual({ exit_code: 0, signal: null });
    expect(screen.seen()).toContain('032');
  });
});

describe.each([[[]], [['--no-pty']]])('with %j', (options) => {
  test('Ctrl-C ends it, with 130', async () => {
    const screen = run('echo ready; exec sleep 60', ...options);
    await screen.shows('ready\r\n');
    screen.pty.write('\x03');
    expect(await screen.pty.exited).toEqual({ exit_code: 130, signal: null });
    expect(onlyCapture(place.home).record).toMatchObject({ status: 'failed', signal: 'SIGINT' });
  });

  test('Ctrl-C reaches it once, and what it makes of that counts', async () => {
    const script =
      'trap "echo caught" INT; echo ready; n=0; while [ $n -lt 10 ]; do sleep 0.1; n=$((n+1)); done; exit 5';
    const screen = run(script, ...options);
    await screen.shows('ready\r\n');
    screen.pty.write('\x03');
    expect(await screen.pty.exited).toEqual({ exit_code: 5, signal: null });
    expect(screen.seen().split('caught')).toHaveLength(2);
  });

  test('a time-out ends it', async () => {
    const screen = run('echo ready; sleep 60', '--timeout', '700', ...options);
    expect(await screen.pty.exited).toEqual({ exit_code: 124, signal: null });
    expect(onlyCapture(place.home).record.status).toBe('timed_out');
  });
});
