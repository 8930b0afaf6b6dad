/** The launcher that agents start of an installed app, and the command that is put on the PATH. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { installCommand, keepLauncher, readInstalled } from '../../../electron/connect/installed.ts';
import { placeFor } from '../../../electron/connect/place.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const folder = makeFolder();
afterAll(() => removeFolder(folder));

let home: string;
let count = 0;
beforeEach(() => {
  home = join(folder, `home ${count++}`);
  mkdirSync(home);
});

/** Makes a command that prints its own place and its arguments. */
function commandIn(place: string): string {
  const entry = join(place, 'command', 'dist', 'node', 'cli.js');
  mkdirSync(dirname(entry), { recursive: true });
  writeFileSync(entry, 'console.log(JSON.stringify(process.argv.slice(1)));\n');
  writeFileSync(join(place, 'command', 'package.json'), '{"type":"module"}');
  return entry;
}
const run = (launcher: string, ...args: string[]) =>
  spawnSync(process.execPath, [launcher, ...args], { encoding: 'utf8' });

describe('the launcher', () => {
  it('starts the command where the app is, and follows it when it moves', () => {
    const first = commandIn(join(folder, 'first'));
    const app = { version: '1.0.0', program: '/opt/app', appImage: null };
    const launcher = keepLauncher(home, { ...app, entry: first });
    expect(JSON.parse(run(launcher, 'list', '--json').stdout)).toEqual([first, 'list', '--json']);
    const second = commandIn(join(folder, 'second'));
    expect(keepLauncher(home, { ...app, entry: second })).toBe(launcher);
    rmSync(dirname(first), { recursive: true });
    expect(JSON.parse(run(launcher).stdout)).toEqual([second]);
    expect(statSync(launcher).mode & 0o077).toBe(0);
  });

  it('is what agents are given by the command of the app, and by no other', () => {
    const entry = commandIn(join(folder, 'third'));
    const given = (path: string) =>
      placeFor([process.execPath, path], { ...process.env, SPILLWAY_HOME: home }).command[1];
    expect(given(entry)).toBe(entry);
    const launcher = keepLauncher(home, { version: '1.0.0', program: '/opt/app', appImage: null, entry });
    expect(given(entry)).toBe(launcher);
    expect(given(join(folder, 'checkout', 'cli.js'))).toBe(join(folder, 'checkout', 'cli.js'));
  });

  it('runs a copy of what lies in an AppImage, whose mount vanishes, and renews it with the version', () => {
    const mount = join(folder, 'mount');
    const app = {
      entry: commandIn(mount),
      program: join(mount, 'spillway-desktop'),
      appImage: '/apps/S.AppImage',
    };
    const launcher = keepLauncher(home, { ...app, version: '1.0.0' });
    rmSync(mount, { recursive: true });
    const copy = join(home, 'bin', 'command', 'dist', 'node', 'cli.js');
    expect(JSON.parse(run(launcher).stdout)).toEqual([copy]);
    expect(readInstalled(home)).toEqual({ version: '1.0.0', entry: copy, program: '/apps/S.AppImage' });

    writeFileSync(commandIn(mount), 'console.log("newer");\n');
    keepLauncher(home, { ...app, version: '1.0.0' });
    expect(run(launcher).stdout).not.toBe('newer\n');
    keepLauncher(home, { ...app, version: '1.1.0' });
    expect(run(launcher).stdout).toBe('newer\n');
  });

  describe('where the app is gone', () => {
    let launcher: string;
    beforeEach(() => {
      const app = { version: '1.0.0', program: '/opt/app', appImage: null };
      launcher = keepLauncher(home, { ...app, entry: join(folder, 'no', 'such', 'cli.js') });
    });

    it.each([
      ['run', ['run', '--quiet', '--', 'sh', '-c', 'echo bare; exit 3'], 3],
      ['proxy', ['proxy', '--', 'sh', '-c', 'echo bare'], 0],
    ])('%s runs its command bare', (_name, args, status) => {
      expect(run(launcher, ...args)).toMatchObject({ status, stdout: 'bare\n', stderr: '' });
    });

    it('ends as the command does by a signal', () => {
      expect(run(launcher, 'run', '--', 'sh', '-c', 'kill -TERM $$').signal).toBe('SIGTERM');
    });

    it('says 127 for a command that is not there', () => {
      expect(run(launcher, 'run', '--', 'no-such-command').status).toBe(127);
    });

    it('says in a sentence what to do where there is nothing to run', () => {
      expect(run(launcher, 'mcp')).toMatchObject({
        status: 2,
        stderr: 'spillway: the Spillway app is gone: install it again, or remove it from your agents\n',
      });
    });
  });

  it('takes a damaged note for none', () => {
    expect(readInstalled(home)).toBeNull();
    mkdirSync(join(home, 'bin'));
    writeFileSync(join(home, 'bin', 'spillway-app.json'), '{"version":1}', { mode: 0o600 });
    expect(readInstalled(home)).toBeNull();
  });
});

describe.skipIf(process.platform === 'win32')('the command on the PATH', () => {
  it('starts the launcher, and is written anew', () => {
    const entry = commandIn(join(folder, 'app'));
    keepLauncher(home, { version: '1.0.0', entry, program: '/opt/app', appImage: null });
    for (let i = 0; i < 2; i++) {
      const path = installCommand(home, 'linux', home);
      expect(path).toBe(join(home, '.local', 'bin', 'spillway'));
      expect(JSON.parse(spawnSync(path, ["it's", 'here'], { encoding: 'utf8' }).stdout)).toEqual([
        entry,
        "it's",
        'here',
      ]);
    }
  });

  it('leaves another program of that name', () => {
    const path = join(home, '.local', 'bin', 'spillway');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '#!/bin/sh\necho mine\n');
    expect(() => installCommand(home, 'linux', home)).toThrow('is another program');
    expect(readFileSync(path, 'utf8')).toContain('mine');
  });

  it('is a script of its own kind on Windows', () => {
    const path = installCommand(home, 'win32', home);
    expect(readFileSync(path, 'utf8')).toMatch(/^@rem .*\r\n@node ".*spillway\.cjs" %\*\r\n$/);
  });
});
