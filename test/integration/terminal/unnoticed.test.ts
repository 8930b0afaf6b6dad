/** Other programs see the shell of a recorded terminal, not Spillway. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findPerl } from '../../../electron/recorder/command/perl.ts';
import { holdStart } from '../../../electron/recorder/terminal/held-start.ts';
import { openPty } from '../../../electron/recorder/terminal/pty.ts';
import { cliEntry, makePlace, type Place } from '../../fixtures/cli.ts';
import { Person } from '../../fixtures/terminal/terminal.ts';
import { until } from '../../fixtures/until.ts';

let place: Place;
let person: Person | null = null;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => {
  person?.end();
  person = null;
  place.remove();
});

describe.skipIf(process.platform !== 'linux')('a recorded terminal', () => {
  it('is named after the program in the foreground', async () => {
    const sitting = new Person(place, { args: ['--', '/bin/sh'] });
    person = sitting;
    const name = () => readFileSync(`/proc/${sitting.pty.pid}/cmdline`, 'utf8').split('\0', 1)[0];
    await sitting.runs('true');
    await until(() => name() === 'sh');
    sitting.enter('echo begun; /bin/sleep 60');
    await until(() => name() === 'sleep');
    sitting.pty.write('\x03');
    await until(() => name() === 'sh');
    // The second program begins without a word.
    sitting.enter('sleep 2 && tail -f /dev/null');
    await until(() => name() === 'sleep');
    await until(() => name() === 'tail');
    sitting.pty.write('\x03');
    await until(() => name() === 'sh');
  });
});

describe.skipIf(process.platform === 'win32')('what is typed before the prompt', () => {
  const shownBy = async (command: readonly string[]) => {
    const sitting = new Person(place, { command, env: { PS1: '% ' } });
    person = sitting;
    sitting.enter('echo one $((1 + 1)) three');
    sitting.enter('exit');
    await sitting.exited;
    return sitting.shown;
  };
  const count = (text: string, part: string) => text.split(part).length - 1;

  it('is shown as often as without a recording, and run once', async () => {
    // As startup files take their time.
    const bash = ['/bin/sh', '-c', 'sleep 0.3; exec /bin/bash --norc --noprofile --noediting'];
    const recorded = await shownBy([process.execPath, cliEntry, 'terminal', '--quiet', '--', ...bash]);
    // The shell does not edit lines, so only the terminal echoes.
    expect(count(recorded, 'echo one $((1 + 1)) three')).toBe(1);
    expect(count(recorded, 'one 2 three')).toBe(1);
    expect(recorded).not.toContain('this terminal is');
  });

  it('is shown once beside a shell that prints at once', async () => {
    const prints = ['/bin/sh', '-c', 'echo a; echo b; read -r line; read -r line; echo "$line" >&2'];
    for (let tries = 0; tries < 5; tries += 1) {
      const recorded = await shownBy([cliEntry, 'terminal', '--quiet', '--', ...prints]);
      expect(count(recorded, 'echo one')).toBe(1);
    }
  });

  it.skipIf(!findPerl())('is echoed before the program starts', async () => {
    const held = holdStart('/bin/sh', ['-c', 'echo "$VALUE$0"', 'name'], {
      PATH: '/bin',
      VALUE: 'started ',
    })!;
    let shown = '';
    const pty = openPty({
      ...{ ...held, cwd: place.files, size: { columns: 80, rows: 24 } },
      onData: (bytes) => {
        shown += bytes.toString();
      },
    });
    pty.write('typed\n');
    await until(() => shown.includes('typed\r\n'));
    held.release();
    expect(await pty.exited).toEqual({ exitCode: 0, signal: null });
    expect(shown).toBe('typed\r\nstarted name\r\n');
  });
});

describe.skipIf(!existsSync('/usr/bin/perl'))('without Node.js', () => {
  it('the shell starts all the same', () => {
    const command = join(place.files, 'spillway');
    const text = readFileSync(cliEntry, 'utf8').replace(`'${process.execPath}'`, "'/nowhere/node'");
    writeFileSync(command, text, { mode: 0o755 });
    const shell = ['terminal', '--quiet', '--', '/bin/sh', '-c', 'exit 7'];
    expect(spawnSync(command, shell, { env: { PATH: '/nowhere' } }).status).toBe(7);
  });
});
