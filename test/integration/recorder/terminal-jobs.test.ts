/** On a terminal, a command is an ordinary job: it stops, continues, and leaves background children running. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makePlace, type Place } from '../../fixtures/cli.ts';
import { capturesIn, onlyCapture, storedBytes, streamOf } from '../../fixtures/library/captured.ts';
import { isAlive } from '../../fixtures/mcp/run.ts';
import {
  atTerminal,
  runLine,
  runTyped,
  type Screen,
  shellAtTerminal,
} from '../../fixtures/terminal/at-terminal.ts';

let place: Place;
const screens: Screen[] = [];

beforeEach(() => {
  place = makePlace({ minFreeBytes: 0 });
});
afterEach(async () => {
  for (const { pty } of screens.splice(0)) pty.kill('SIGKILL');
  // A detached recorder still writes.
  await expect.poll(() => capturesIn(place.home).every(({ record }) => record.recorder === null)).toBe(true);
  place.remove();
});

const WAIT = 'until [ -e go ]; do sleep 0.02; done';

function run(script: string, ...options: string[]): Screen {
  return opened(atTerminal(place, runLine(script, ...options)));
}

function opened(screen: Screen): Screen {
  screens.push(screen);
  return screen;
}

function file(name: string): string {
  return join(place.files, name);
}

function go(): void {
  writeFileSync(file('go'), '');
}

function output(): string {
  return storedBytes(onlyCapture(place.home), 'output').toString();
}

describe.runIf(process.platform === 'linux')('what a command leaves in the background', () => {
  test('outlives it, and what it prints is recorded', async () => {
    const screen = run(`(${WAIT}; echo late; test -t 1 && echo later) & echo now; exit 3`);
    expect(await screen.pty.exited).toEqual({ exitCode: 3, signal: null });
    expect(onlyCapture(place.home).record).toMatchObject({ status: 'failed', exit_code: 3 });
    go();
    await expect.poll(output).toBe('now\r\nlate\r\nlater\r\n');
    await expect.poll(() => streamOf(onlyCapture(place.home), 'output').total_lines).toBe(3);
  });

  test('keeps the terminal itself, which belongs to a session', async () => {
    const screen = run(`(${WAIT}; echo to the terminal >/dev/tty) & echo now`);
    await screen.pty.exited;
    go();
    await expect.poll(output).toBe('now\r\nto the terminal\r\n');
  });

  test('is not hung up when nobody is left at the terminal', async () => {
    const screen = run(`(${WAIT}; echo alive >done) <&- >/dev/null 2>&1 & echo now`);
    await screen.pty.exited;
    // No process is left that could print.
    await expect.poll(() => onlyCapture(place.home).record.recorder).toBe(null);
    go();
    await expect.poll(() => existsSync(file('done'))).toBe(true);
  });

  test('loses nothing of a flood', async () => {
    const screen = run('(seq 200000; echo end) & seq 3 >/dev/null');
    await screen.pty.exited;
    await expect.poll(() => output().endsWith('end\r\n')).toBe(true);
    const numbers = Array.from({ length: 200_000 }, (_, index) => `${index + 1}\r\n`).join('');
    expect(output() === `${numbers}end\r\n`).toBe(true);
  });

  test('ends with it on a time-out', async () => {
    const screen = run('(sleep 60; echo never) & echo $! >child; echo ready; sleep 60', '--timeout', '3000');
    expect(await screen.pty.exited).toEqual({ exitCode: 124, signal: null });
    const child = Number(readFileSync(file('child'), 'utf8'));
    expect(isAlive(child)).toBe(false);
    expect(output()).toBe('ready\r\n');
  });
});

describe('a command', () => {
  test.each([
    ['exit 129', { exit_code: 129, signal: null }, 129],
    ['kill -SEGV $$', { exit_code: null, signal: 'SIGSEGV' }, 139],
    ['kill -KILL $$', { exit_code: null, signal: 'SIGKILL' }, 137],
  ])('has its own end: %s', async (script, ended, status) => {
    const screen = run(script);
    expect(await screen.pty.exited).toEqual({ exitCode: status, signal: null });
    expect(onlyCapture(place.home).record).toMatchObject({ status: 'failed', ...ended });
  });

  test('leads the group that has the terminal', async () => {
    const screen = run('ps -o pid= -o pgid= -o tpgid= -p $$');
    await screen.pty.exited;
    const [pid, group, foreground] = output().trim().split(/\s+/);
    expect(pid).toMatch(/^\d+$/);
    expect([group, foreground]).toEqual([pid, pid]);
  });

  test('gets the environment as it is, whatever it holds', async () => {
    const env = {
      ...{ 'A.b': '1', 'BASH_FUNC_x%%': '() { :; }', IFS: 'z', PWD: '/nowhere', SHLVL: '7', _: 'me' },
      ...{ PERL5OPT: '-Mnothing', PERL5LIB: '/nowhere', PERL_BADLANG: '1', LC_ALL: 'xx_YY.UTF-8' },
    };
    const script = 'process.stdout.write(JSON.stringify(process.env))';
    const words = [...runLine(''), process.execPath, '-e', script];
    words.splice(words.indexOf('--') + 1, 3);
    const screen = opened(atTerminal(place, words, env));
    await screen.pty.exited;
    const seen = JSON.parse(output()) as NodeJS.ProcessEnv;
    const given = { ...process.env, SPILLWAY_HOME: place.home, TERM: 'xterm', ...env };
    expect(seen).toEqual(given);
  });

  test('that cannot be started says why, as a shell does', async () => {
    writeFileSync(file('script'), '#!/no/such/interpreter\n', { mode: 0o755 });
    const words = [...runLine(''), './script'];
    words.splice(words.indexOf('--') + 1, 3);
    const screen = opened(atTerminal(place, words));
    expect(await screen.pty.exited).toEqual({ exitCode: 127, signal: null });
    expect(screen.seen()).toContain('"./script" could not be started (ENOENT): check its first line');
  });
});

describe('whoever sits at it', () => {
  test('can paste more than it takes, which holds up neither its end by a time-out nor its output', async () => {
    const screen = run('stty raw -echo; echo ready; sleep 60', '--timeout', '3000');
    await screen.shows('ready');
    screen.pty.write('pasted '.repeat(20_000));
    expect(await screen.pty.exited).toEqual({ exitCode: 124, signal: null });
  });

  test('gets an echo of a long paste, and the command all of it', async () => {
    const screen = run('echo ready; cat | cksum');
    await screen.shows('ready\r\n');
    const lines = 'a line that was pasted\n'.repeat(4000);
    screen.pty.write(lines.replaceAll('\n', '\r'));
    screen.pty.write('\x04');
    expect(await screen.pty.exited).toEqual({ exitCode: 0, signal: null });
    expect(screen.seen()).toContain(execFileSync('cksum', { input: lines }).toString().trim());
  });

  test('may do so at a terminal that controls nobody’s jobs, as in a container', async () => {
    // As after `&` in a shell without job control: a session without a terminal.
    const script = runLine('read line; echo "got $line"').map((word) => `'${word}'`);
    const screen = opened(
      atTerminal(place, ['/bin/sh', '-c', `tty=$(tty); setsid ${script.join(' ')} <$tty >$tty 2>&1; true`]),
    );
    screen.types('hello');
    await screen.shows('got hello');
    await screen.pty.exited;
  });
});

describe('as a job of a shell', () => {
  // Without starting anything: what stops between vfork and exec takes its parent along.
  const GATE = 'read go <gate';

  /** Takes effect once somebody stands at it. */
  function openGate(): void {
    spawn('sh', ['-c', 'echo >gate'], { cwd: place.files });
  }

  async function shell(): Promise<Screen> {
    execFileSync('mkfifo', [file('gate')]);
    const screen = opened(shellAtTerminal(place));
    await screen.shows('$ ');
    return screen;
  }

  async function ends(screen: Screen): Promise<void> {
    // Earlier input goes to the command.
    await screen.shows(/\$ $/);
    screen.types('exit');
    await screen.pty.exited;
  }

  test('Ctrl-Z stops it, and fg continues it', async () => {
    const screen = await shell();
    screen.types(runTyped(`echo rea""dy; ${GATE}; echo fin""ished`));
    await screen.shows('ready\r\n');
    screen.pty.write('\x1a');
    await screen.shows('Stopped');
    openGate();
    screen.types('fg; echo status $?');
    await screen.shows('finished\r\n');
    await screen.shows('status 0\r\n');
    await ends(screen);
    expect(onlyCapture(place.home).record).toMatchObject({ status: 'succeeded', exit_code: 0 });
  });

  test('it can stop itself, as editors do that read the key themselves', async () => {
    const screen = await shell();
    screen.types(runTyped('stty -isig; echo rea""dy; kill -TSTP $$; echo on""wards'));
    await screen.shows('Stopped');
    screen.types('fg');
    await screen.shows('onwards\r\n');
    await ends(screen);
  });

  test('all that it wrote before it stopped is shown before the shell goes on, and once', async () => {
    const screen = await shell();
    const times = [1, 2, 3, 4, 5, 6];
    const script = 'for i in $0 $@; do seq 3000; echo "la""st of $i"; kill -STOP $$; done; echo fin""ished';
    screen.types(`${runTyped(script)} ${times.join(' ')}`);
    for (const time of times) {
      await expect.poll(() => screen.seen().split('Stopped').length).toBe(time + 1);
      expect(screen.seen().split('Stopped')[time - 1]).toContain(`last of ${time}\r\n`);
      await screen.shows(/\$ $/);
      screen.types('fg');
    }
    await screen.shows('finished\r\n');
    await ends(screen);
    const numbers = Array.from({ length: 3000 }, (_, index) => `${index + 1}\r\n`).join('');
    const written = times.map((time) => `${numbers}last of ${time}\r\n`);
    expect(output() === `${written.join('')}finished\r\n`).toBe(true);
    expect(written.every((part) => screen.seen().includes(part))).toBe(true);
  });

  test('Ctrl-Z is its own where it reads its keys itself', async () => {
    const screen = run('stty -isig -icanon; echo ready; dd bs=1 count=1 2>/dev/null | od -An -c');
    await screen.shows('ready\r\n');
    screen.pty.write('\x1a');
    expect(await screen.pty.exited).toEqual({ exitCode: 0, signal: null });
    expect(screen.seen()).toContain('032');
  });

  test('continued in the background it runs to its end, and the keys are the shell’s', async () => {
    const screen = await shell();
    screen.types(runTyped(`echo rea""dy; ${GATE}; echo fin""ished`));
    await screen.shows('ready\r\n');
    screen.pty.write('\x1a');
    await screen.shows('Stopped');
    screen.types('bg; echo keys are he""re');
    await screen.shows('keys are here');
    openGate();
    await screen.shows('finished\r');
    screen.types('wait; jobs; echo no jo""bs');
    await screen.shows('no jobs\r\n');
    expect(screen.seen()).not.toMatch(/Stopped.*Stopped/s);
    await ends(screen);
    expect(onlyCapture(place.home).record).toMatchObject({ status: 'succeeded', exit_code: 0 });
  });

  test('brought back from the background it gets the keys again', async () => {
    const screen = await shell();
    screen.types(runTyped('echo rea""dy; read line; echo "got $line"'));
    await screen.shows('ready\r\n');
    screen.pty.write('\x1a');
    await screen.shows('Stopped');
    screen.types('bg');
    await screen.shows(/bg.*\$ $/s);
    screen.types('fg');
    screen.types('hello');
    await screen.shows('got hello');
    await ends(screen);
  });

  test('started in the background it runs to its end, with a terminal', async () => {
    const screen = await shell();
    screen.types(
      `${runTyped('test -t 1 && echo start""ed; sleep 0.2; echo fin""ished')} & wait; jobs; echo ov""er`,
    );
    await screen.shows('over\r\n');
    expect(screen.seen()).toMatch(/started\r+\nfinished\r+\n/);
    expect(screen.seen()).not.toContain('Stopped');
    await ends(screen);
  });

  test('started in the background it gets the keys when it is brought back', async () => {
    const screen = await shell();
    screen.types(`${runTyped('echo rea""dy; read line; echo "got $line"')} &`);
    await screen.shows('ready\r');
    screen.types('fg');
    screen.types('hello');
    await screen.shows('got hello');
    await ends(screen);
    expect(screen.seen()).not.toContain('Stopped');
  });
});
