/** `spillway run` at a terminal gives the command a terminal, and passes on keys, sizes and signals. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cliEntry, makePlace, type Place } from '../../fixtures/cli.ts';
import { capturesIn, onlyCapture, storedBytes } from '../../fixtures/library/captured.ts';
import { atTerminal, runLine, type Screen } from '../../fixtures/terminal/at-terminal.ts';

let place: Place;

beforeEach(() => {
  place = makePlace({ minFreeBytes: 0 });
});
afterEach(() => place.remove());

function run(script: string, ...options: string[]): Screen {
  return atTerminal(place, runLine(script, ...options));
}

test('it has a terminal of the same size, one stream, and its own status', async () => {
  const screen = run('test -t 0 && test -t 1 && test -t 2 && echo three; stty size; exit 4');
  expect(await screen.pty.exited).toEqual({ exitCode: 4, signal: null });
  expect(screen.seen()).toBe('three\r\n24 80\r\n');
  const capture = onlyCapture(place.home);
  expect(capture.record.streams.map(({ name }) => name)).toEqual(['output']);
  expect(storedBytes(capture, 'output').toString()).toBe('three\r\n24 80\r\n');
});

describe.runIf(process.platform === 'linux')('its terminal is set as the person’s is', () => {
  const SET = 'stty erase ^H intr ^X quit undef susp ^Y eof ^B -ixon -ixany -iutf8 -echoctl noflsh';
  const theirs = (script: string) =>
    atTerminal(place, ['sh', '-c', `${SET}; stty -a; exec "$@"`, 'sh', ...runLine(script)]);

  test('with its keys, and what is shown of them', async () => {
    const screen = theirs('echo the same:; stty -a');
    expect(await screen.pty.exited).toEqual({ exitCode: 0, signal: null });
    const [set, has] = screen.seen().split('the same:\r\n');
    expect(set).toMatch(/intr = \^X.*\s-ixon.*\s-echoctl/s);
    expect(has).toBe(set);
  });

  test('and the key that ends commands there ends it', async () => {
    const screen = theirs('echo ready; exec sleep 60');
    await screen.shows('ready\r\n');
    screen.pty.write('\x18');
    expect(await screen.pty.exited).toEqual({ exitCode: null, signal: 'SIGINT' });
    expect(onlyCapture(place.home).record).toMatchObject({ status: 'cancelled', signal: 'SIGINT' });
  });

  test('leaves a raw mode alone that another program needs', async () => {
    const raw = ['sh', '-c', 'stty raw -echo intr ^X; exec "$@"', 'sh'];
    const screen = atTerminal(place, [...raw, ...runLine('stty -a')]);
    await screen.pty.exited;
    expect(screen.seen()).toMatch(/intr = \^C.*\sicrnl\sixon.*\sisig\sicanon.*\secho\s/s);
  });
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
  expect(await screen.pty.exited).toEqual({ exitCode: 0, signal: null });
});

describe.each([[[]], [['--no-pty']]])('with %j', (options) => {
  test('Ctrl-C ends it, and us by the same signal, which shells call 130', async () => {
    const screen = run('echo ready; exec sleep 60', ...options);
    await screen.shows('ready\r\n');
    screen.pty.write('\x03');
    expect(await screen.pty.exited).toEqual({ exitCode: null, signal: 'SIGINT' });
    expect(onlyCapture(place.home).record).toMatchObject({ status: 'cancelled', signal: 'SIGINT' });
  });

  test('Ctrl-C ends the loop of a shell that runs it, too', async () => {
    const loop = 'for i in 1 2 3; do "$@" || echo "status $?"; done; echo behind';
    const line = runLine('echo ready; exec sleep 60', ...options);
    const screen = atTerminal(place, ['bash', '-c', loop, 'bash', ...line]);
    await screen.shows('ready\r\n');
    screen.pty.write('\x03');
    expect(await screen.pty.exited).toEqual({ exitCode: null, signal: 'SIGINT' });
    expect(screen.seen()).not.toMatch(/status|behind/);
    expect(capturesIn(place.home)).toHaveLength(1);
  });

  test('a shell that goes on behind Ctrl-C is told 130', async () => {
    const line = runLine('echo ready; exec sleep 60', ...options);
    const screen = atTerminal(place, ['bash', '-c', 'trap : INT; "$@"; echo "status $?"', 'bash', ...line]);
    await screen.shows('ready\r\n');
    screen.pty.write('\x03');
    await screen.shows('status 130\r\n');
  });

  test.runIf(process.platform === 'linux')(
    'a shell that goes on behind Ctrl-C can write to its pipe as before',
    async () => {
      // An output that says EAGAIN has 04000 in its flags.
      const script =
        '(trap : INT; "$@"; grep flags /proc/self/fdinfo/3 3>&1 >&2) | (trap "" INT; cat >/dev/null)';
      const line = runLine('echo ready >/dev/tty; exec sleep 60', ...options);
      const screen = atTerminal(place, ['bash', '-c', script, 'bash', ...line]);
      await screen.shows('ready\r\n');
      screen.pty.write('\x03');
      await screen.pty.exited;
      expect(screen.seen()).toMatch(/flags:\s+0*1\r\n/);
    },
  );

  test('Ctrl-C reaches it once, and what it makes of that counts', async () => {
    const script =
      'c=; trap "echo caught; c=1" INT; echo ready; while [ -z "$c" ]; do sleep 0.05; done; sleep 0.5; exit 5';
    const screen = run(script, ...options);
    await screen.shows('ready\r\n');
    screen.pty.write('\x03');
    expect(await screen.pty.exited).toEqual({ exitCode: 5, signal: null });
    expect(screen.seen().split('caught')).toHaveLength(2);
  });

  test('a time-out ends it', async () => {
    const screen = run('echo ready; sleep 60', '--timeout', '700', ...options);
    expect(await screen.pty.exited).toEqual({ exitCode: 124, signal: null });
    expect(onlyCapture(place.home).record.status).toBe('timed_out');
  });
});

test('Ctrl-C ends the loop of a shell that captures, too', async () => {
  const loop = 'for i in 1 2 3; do (echo ready; exec sleep 60) | "$@" || echo "status $?"; done; echo behind';
  const line = [process.execPath, cliEntry, 'capture', '--tee'];
  const screen = atTerminal(place, ['bash', '-c', loop, 'bash', ...line]);
  await screen.shows('ready\r\n');
  screen.pty.write('\x03');
  expect(await screen.pty.exited).toEqual({ exitCode: null, signal: 'SIGINT' });
  expect(screen.seen()).toContain('it was ended by SIGINT');
  expect(screen.seen()).not.toMatch(/status|behind/);
});
