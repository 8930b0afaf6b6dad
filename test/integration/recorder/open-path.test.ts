/** A home that other users could replace: nothing is written or removed there, and commands run bare. */
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openPathProblem } from '../../../electron/host/settings/open-path.ts';
import { makePlace, type Place, runCli } from '../../fixtures/cli.ts';
import { filesBelow } from '../../fixtures/stored-captures.ts';

const isRoot = process.getuid?.() === 0;
const STRANGER = 12_345;

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

describe('a folder above the home in which others may rename', () => {
  test('a command runs bare, and that is said before it begins', async () => {
    chmodSync(shared, 0o777);
    const run = await runCli(['run', '--', 'sh', '-c', 'echo begun >&2; exit 5'], place, { env });
    expect(run.status).toBe(5);
    expect(run.stderr).toMatch(
      /^spillway: this is not recorded: .+shared, which leads to the home, .+ \(mode 0777\): run: chmod go-w .+\nbegun\n$/,
    );
    expect(readdirSync(shared)).toEqual([]);
  });

  test.each([['serve', '--port', '0'], ['mcp'], ['cleanup', '--older-than', '0'], ['pin', 'last']])(
    '%s refuses, and leaves all as it is',
    async (...args) => {
      await runCli(['run', '--quiet', '--', 'seq', '9000'], place, { env });
      const before = filesBelow(home);
      chmodSync(shared, 0o777);
      const refused = await runCli(args, place, { env, input: '' });
      expect(refused.status).toBe(2);
      expect(refused.stderr).toMatch(/^spillway: .+shared, which leads to the home, .+: run: chmod go-w/m);
      expect(filesBelow(home)).toEqual(before);
    },
  );

  test.skipIf(!isRoot)('a folder of another user', async () => {
    chownSync(shared, STRANGER, STRANGER);
    const run = await runCli(['run', '--', 'echo', 'works'], place, { env });
    expect(run).toMatchObject({ status: 0, stdout: 'works\n' });
    expect(run.stderr).toContain(`belongs to another user (uid ${STRANGER})`);
    expect(existsSync(home)).toBe(false);
  });
});

describe('the way to the home', () => {
  test('is safe in a folder like /tmp, where only owners rename', () => {
    chmodSync(shared, 0o1777);
    expect(openPathProblem(home)).toBeNull();
    expect(openPathProblem(join(home, 'not', 'made', 'yet'))).toBeNull();
  });

  test('includes links and the folders that hold them', () => {
    const real = join(place.files, 'real');
    renameSync(shared, real);
    mkdirSync(join(place.files, 'links'));
    symlinkSync('../real', join(place.files, 'links', 'one'));
    symlinkSync(join(place.files, 'links', 'one'), shared);
    expect(openPathProblem(home)).toBeNull();
    chmodSync(join(place.files, 'links'), 0o777);
    expect(openPathProblem(home)?.what).toContain('/links,');
    chmodSync(join(place.files, 'links'), 0o755);
    chmodSync(real, 0o777);
    expect(openPathProblem(home)?.what).toContain('/real,');
  });

  test('ends at links that lead to each other', () => {
    symlinkSync('home', home);
    expect(openPathProblem(join(home, 'below'))).toBeNull();
  });

  test.skipIf(!isRoot)('may be written by a group only if it is the user’s own', () => {
    chmodSync(shared, 0o775);
    expect(openPathProblem(home)).toBeNull();
    chownSync(shared, 0, STRANGER);
    expect(openPathProblem(home)?.todo).toContain('chmod go-w');
  });
});

test('a home that others may enter is said before the command begins, once', async () => {
  chmodSync(place.home, 0o755);
  const run = await runCli(['run', '--', 'sh', '-c', 'echo begun >&2'], place);
  expect(run.status).toBe(0);
  expect(run.stderr).toMatch(
    /^spillway: this is not recorded: .+ \(mode 0755\): run: chmod 700 .+\nbegun\n$/,
  );
  expect(existsSync(join(place.home, 'captures'))).toBe(false);
});
