/** In a home that everybody could replace, nothing is removed. */
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { writableParentProblem } from '../../../electron/host/settings/writable-parent.ts';
import { makePlace, type Place, runCli } from '../../fixtures/cli.ts';
import { onlyCapture } from '../../fixtures/library/captured.ts';
import { filesBelow } from '../../fixtures/library/stored-captures.ts';

let place: Place;
/** The folder that holds the home. */
let shared: string;
let home: string;
let env: { SPILLWAY_HOME: string };
beforeEach(() => {
  place = makePlace();
  shared = join(place.files, 'shared');
  home = join(shared, 'home');
  mkdirSync(shared, { mode: 0o755 });
  env = { SPILLWAY_HOME: home };
});

describe('a folder above the home in which everybody may rename', () => {
  beforeEach(async () => {
    chmodSync(shared, 0o777);
    await runCli(['run', '--quiet', '--', 'seq', '9000'], place, { env });
  });

  test('keeps no command from being recorded', () => {
    expect(onlyCapture(home).record.exit_code).toBe(0);
  });

  test('nothing is removed there, and that is said', async () => {
    const before = filesBelow(home);
    const refused = await runCli(['cleanup', '--older-than', '0'], place, { env });
    expect(refused.status).toBe(2);
    expect(refused.stderr).toMatch(
      /^spillway: .+shared, which leads to the home, .+ \(mode 0777\): run `chmod o-w/m,
    );
    expect(filesBelow(home)).toEqual(before);
  });

  test('is told by doctor', async () => {
    const { stdout } = await runCli(['doctor'], place, { env });
    expect(stdout).toMatch(/home .+nothing is removed there/);
  });
});

describe('the way to the home', () => {
  test('is safe in a folder like /tmp, where only owners rename', () => {
    chmodSync(shared, 0o1777);
    expect(writableParentProblem(home)).toBeNull();
    expect(writableParentProblem(join(home, 'not', 'made', 'yet'))).toBeNull();
  });

  test('includes links and the folders that hold them', () => {
    const real = join(place.files, 'real');
    renameSync(shared, real);
    mkdirSync(join(place.files, 'links'));
    symlinkSync('../real', join(place.files, 'links', 'one'));
    symlinkSync(join(place.files, 'links', 'one'), shared);
    expect(writableParentProblem(home)).toBeNull();
    chmodSync(join(place.files, 'links'), 0o777);
    expect(writableParentProblem(home)?.what).toContain('/links,');
    chmodSync(join(place.files, 'links'), 0o755);
    chmodSync(real, 0o777);
    expect(writableParentProblem(home)?.what).toContain('/real,');
  });

  test('ends at links that lead to each other', () => {
    symlinkSync('home', home);
    expect(writableParentProblem(join(home, 'below'))).toBeNull();
  });
});

test('a home that others may enter is said before the command begins, once', async () => {
  chmodSync(place.home, 0o755);
  const run = await runCli(['run', '--', 'sh', '-c', 'echo begun >&2'], place);
  expect(run.status).toBe(0);
  expect(run.stderr).toMatch(
    /^spillway: this is not recorded: .+ \(mode 0755\): run `chmod 700 .+\nbegun\n$/,
  );
  expect(existsSync(join(place.home, 'captures'))).toBe(false);
});

describe('a home in which others have something, too, is not to be closed but another one chosen:', () => {
  test.each([
    ['one like /tmp', 0o1777, []],
    ['one of a group', 0o2775, []],
    ['one that holds something else', 0o755, ['web-page']],
  ])('%s', async (_, mode, names) => {
    chmodSync(place.files, 0o755);
    const open = join(place.files, 'open');
    mkdirSync(open);
    for (const name of names) writeFileSync(join(open, name), '');
    chmodSync(open, mode);
    const { status, stderr } = await runCli(['run', '--', 'true'], place, { env: { SPILLWAY_HOME: open } });
    expect(status).toBe(0);
    expect(stderr).toMatch(
      /^spillway: this is not recorded: .+: set SPILLWAY_HOME to a folder of its own\n$/,
    );
    rmSync(open, { recursive: true });
  });

  test('not one of ours', async () => {
    const open = join(place.files, 'open');
    const env = { SPILLWAY_HOME: open };
    chmodSync(place.files, 0o755);
    await runCli(['run', '--', 'true'], place, { env });
    chmodSync(open, 0o755);
    expect((await runCli(['run', '--', 'true'], place, { env })).stderr).toMatch(/chmod 700 .*open/);
  });
});
