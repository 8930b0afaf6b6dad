/** A command's terminal: like any other, also if the leader of its session fails or hangs. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ONE_TERMINAL } from '../../../electron/recorder/command/command-handle.ts';
import { findPerl } from '../../../electron/recorder/command/perl.ts';
import { runOnPty, type StartedPtyOptions } from '../../../electron/recorder/command/run-on-pty.ts';
import { loadNativePty } from '../../../electron/recorder/terminal/pty.ts';
import { makePlace, type Place } from '../../fixtures/cli.ts';
import { onlyCapture, storedBytes } from '../../fixtures/library/captured.ts';
import { isAlive } from '../../fixtures/mcp/run.ts';
import { atTerminal, runLine, type Screen } from '../../fixtures/terminal/at-terminal.ts';

let place: Place;

beforeEach(() => {
  place = makePlace({ minFreeBytes: 0 });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  place.remove();
});

const file = (name: string) => join(place.files, name);
/** A stand-in for Perl that prints its process id and hangs. */
const HANGS = '#!/bin/sh\necho $$ >hanging; mv hanging hangs; exec sleep 600\n';
const hangs = () => readdirSync(place.files).includes('hangs');
const isStillThere = () => isAlive(Number(readFileSync(file('hangs'), 'utf8')));

describe.runIf(process.platform === 'linux')('the terminal of a command', () => {
  test.each([
    ['modes, size and all', 'stty -a'],
    ['descriptors', 'ls -1 /proc/self/fd'],
    [
      'that wait for what is typed',
      'grep -h flags /proc/self/fdinfo/0 /proc/self/fdinfo/1 /proc/self/fdinfo/2',
    ],
  ])('has %s as when a program is started at it by itself', async (_, script) => {
    const bare = atTerminal(place, ['/bin/sh', '-c', script]);
    await bare.pty.exited;
    expect(bare.seen()).not.toBe('');
    // Start it only now, or it would inherit this side of the other terminal.
    const run = atTerminal(place, runLine(script));
    await run.pty.exited;
    expect(run.seen()).toBe(bare.seen());
  });
});

describe('where what should lead its terminal', () => {
  /** `change`: what Node starts instead of Perl, `(file, args) => [file, args]`. */
  function atBroken(change: string, script: string): Screen {
    writeFileSync(
      file('perl.cjs'),
      `const children = require('node:child_process');
      const { spawn } = children;
      const change = ${change};
      children.spawn = (file, args, ...more) =>
        file.endsWith('/perl') ? spawn(...change(file, args), ...more) : spawn(file, args, ...more);
      require('node:module').syncBuiltinESMExports();`,
    );
    const [node = '', ...words] = runLine(script);
    return atTerminal(place, [node, '--require', file('perl.cjs'), ...words]);
  }

  test('does not work, the command runs, and nothing else is seen', async () => {
    mkdirSync(file('broken'));
    const broken = `open F, '>', '${file('was-read')}'; die "there is no XSLoader here\\n";`;
    writeFileSync(join(file('broken'), 'XSLoader.pm'), broken);
    const change = `(file, args) => [file, ['-I${file('broken')}', ...args]]`;
    const screen = atBroken(change, 'echo works; exit 3');
    expect(await screen.pty.exited).toEqual({ exitCode: 3, signal: null });
    expect(readdirSync(place.files)).toContain('was-read');
    expect(screen.seen()).toBe('works\r\n');
    expect(storedBytes(onlyCapture(place.home), 'output').toString()).toBe('works\r\n');
  });

  test.each([
    ['Ctrl-C', { exitCode: null, signal: 'SIGINT' }, 'SIGINT', (screen: Screen) => screen.pty.write('\x03')],
    // As a key that comes before this terminal passes keys on.
    ['SIGINT', { exitCode: null, signal: 'SIGINT' }, 'SIGINT', (screen: Screen) => screen.pty.kill('SIGINT')],
    ['SIGTERM', { exitCode: 143, signal: null }, 'SIGTERM', (screen: Screen) => screen.pty.kill('SIGTERM')],
  ] as const)('hangs, %s ends it', async (_, exit, signal, end) => {
    writeFileSync(file('perl'), HANGS, { mode: 0o755 });
    const screen = atBroken(`() => ['${file('perl')}', []]`, 'echo never');
    await expect.poll(hangs).toBe(true);
    end(screen);
    expect(await screen.pty.exited).toEqual(exit);
    expect(onlyCapture(place.home).record).toMatchObject({ status: 'cancelled', exit_code: null, signal });
    expect(screen.seen()).not.toContain('never');
    expect(isStillThere()).toBe(false);
  });

  test('hangs, Ctrl-C ends it, also while keys are first looked for', async () => {
    writeFileSync(file('perl'), HANGS, { mode: 0o755 });
    // Once it has set the terminal, it waits until the key has come.
    const stty = `#!/bin/sh
      PATH=\${PATH#*:} stty "$@"
      if [ "$1" = raw ]; then mkdir raw; until [ -d pressed ]; do sleep .01; done; fi`;
    writeFileSync(file('stty'), stty, { mode: 0o755 });
    vi.stubEnv('PATH', `${place.files}:${process.env.PATH}`);
    const screen = atBroken(`() => ['${file('perl')}', []]`, 'echo never');
    await expect.poll(() => existsSync(file('raw'))).toBe(true);
    screen.pty.write('\x03');
    mkdirSync(file('pressed'));
    expect(await screen.pty.exited).toEqual({ exitCode: null, signal: 'SIGINT' });
    expect(screen.seen()).not.toContain('never');
  });
});

describe('of a start that fails or hangs, nothing is left open', () => {
  async function start(perl: string, options: Partial<StartedPtyOptions> = {}) {
    return runOnPty({
      ...{ path: '/bin/sh', name: 'sh', args: ['-c', 'exit 3'], cwd: place.files, env: process.env },
      ...{
        timeout: null,
        stdin: 'ignore',
        ownGroup: true,
        reap: false,
        plan: ONE_TERMINAL,
        perl,
        onAsked() {},
        take: () => () => null,
        onExit() {},
      },
      ...options,
    });
  }

  /** Returns the open descriptors after a start, which loads everything that loads only once. */
  async function openNow(): Promise<number> {
    const { ended } = await start('/no/such/perl');
    await ended;
    return descriptors();
  }

  const descriptors = () => readdirSync('/proc/self/fd').length;

  test.runIf(process.platform === 'linux')('when there is no pseudo-terminal left', async () => {
    const before = await openNow();
    const fail = () => {
      throw new Error('openpty(3) failed.');
    };
    vi.spyOn(loadNativePty(), 'open').mockImplementation(fail);
    vi.spyOn(loadNativePty(), 'fork').mockImplementation(fail);
    await expect(start('/usr/bin/perl')).rejects.toMatchObject({
      code: 'unsupported',
      what: expect.stringContaining('openpty'),
    });
    await expect.poll(descriptors).toBe(before);
  });

  test.runIf(process.platform === 'linux' && findPerl())('when its words are too long', async () => {
    const before = await openNow();
    // The system takes 128 KiB in one.
    await expect(start(findPerl()!, { args: ['a'.repeat(140_000)] })).rejects.toMatchObject({
      code: 'E2BIG',
    });
    await expect.poll(descriptors).toBe(before);
  });

  test.runIf(process.platform === 'linux')('when what should lead it is not there', async () => {
    const before = await openNow();
    const { ended } = await start('/no/such/perl');
    expect(await ended).toMatchObject({ reason: 'exited', exitCode: 3 });
    await expect.poll(descriptors).toBe(before);
  });

  test.runIf(process.platform === 'linux').each(['a time-out', 'whoever cancels it'])(
    'when %s ends it',
    async (by) => {
      const before = await openNow();
      writeFileSync(file('perl'), HANGS, { mode: 0o755 });
      const cancels = new AbortController();
      const starting = start(
        file('perl'),
        by === 'a time-out' ? { timeout: 2000 } : { abort: cancels.signal },
      );
      await expect.poll(hangs).toBe(true);
      cancels.abort();
      const { pid, ended } = await starting;
      const reason = by === 'a time-out' ? 'timed_out' : 'cancelled';
      expect([pid, await ended]).toEqual([
        0,
        { reason, exitCode: null, signal: null, open: {}, survivors: [] },
      ]);
      expect(isStillThere()).toBe(false);
      await expect.poll(descriptors).toBe(before);
    },
  );
});
