/** Several inspectors in one home: the first serves, the others hand it their paths. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ListResult } from '../../../shared/views.ts';
import { cliEntry, finished, makePlace, type Place, runCli } from '../../fixtures/cli.ts';

let place: Place;
const children: ChildProcessWithoutNullStreams[] = [];

beforeEach(() => {
  place = makePlace({ sources: [] });
  for (const folder of ['one', 'two']) {
    mkdirSync(join(place.files, folder));
    writeFileSync(join(place.files, folder, 'app.log'), `${folder}\n`);
  }
});
afterEach(async () => {
  for (const child of children.splice(0)) await end(child, 'SIGKILL');
  place.remove();
});

/** Starts `spillway` in a folder of its own. */
function copy(args: readonly string[], folder: string): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [cliEntry, ...args], {
    cwd: join(place.files, folder),
    env: { ...process.env, SPILLWAY_HOME: place.home, PATH: '/nowhere', DISPLAY: '' },
  });
  child.stdin.on('error', () => {});
  children.push(child);
  return child;
}

async function end(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await new Promise((resolve) => child.once('close', resolve));
}

/** Resolves with the interface's URL once it is printed. */
function begun(child: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
      const found = /http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+/.exec(said);
      if (found) resolve(found[0]);
    });
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    child.once('close', () => reject(new Error(`it ended, and said: ${said}`)));
  });
}

async function listed(): Promise<string[]> {
  const { stdout } = await runCli(['list', '--limit', '100', '--json'], place);
  const { outputs } = JSON.parse(stdout) as ListResult;
  return outputs.map((artifact) => artifact.streams[0]!.file_path!.slice(place.files.length + 1)).sort();
}

test('each names paths as they are in its own directory, and the first has them all', async () => {
  const url = await begun(copy(['serve', 'app.log'], 'one'));
  expect(url).toMatch(/^http/);
  expect(await listed()).toEqual(['one/app.log']);
  const second = await finished(copy(['serve', 'app.log'], 'two'));
  expect(second).toMatchObject({ status: 0, stdout: `Spillway is at ${url}\n` });
  expect(second.stderr).toMatch(new RegExp(`runs already \\(process ${children[0]!.pid}\\)`));
  expect(await listed()).toEqual(['one/app.log', 'two/app.log']);
  writeFileSync(join(place.files, 'two', 'later.log'), '');
  const third = await finished(copy(['open', 'later.log'], 'two'));
  expect(third).toMatchObject({ status: 0, stdout: `Spillway is at ${url}\n`, stderr: '' });
  expect(await listed()).toEqual(['one/app.log', 'two/app.log', 'two/later.log']);
});

test('a path that the first cannot open is an error of the second, which says why', async () => {
  await begun(copy(['serve'], 'one'));
  for (const command of ['serve', 'open']) {
    const second = await finished(copy([command, 'missing.log'], 'two'));
    expect(second).toMatchObject({ status: 2, stdout: '' });
    expect(second.stderr).toMatch(/^spillway: .*missing\.log.*: .+\n$/);
  }
  expect(children[0]!.exitCode).toBeNull();
});

test('when the first was killed, the next is the first, and nothing of the dead one stands in its way', async () => {
  await begun(copy(['serve', 'app.log'], 'one'));
  expect(readdirSync(join(place.home, 'run')).length).toBeGreaterThan(0);
  await end(children[0]!, 'SIGKILL');
  const next = copy(['serve', 'app.log'], 'two');
  expect(await begun(next)).toMatch(/^http/);
  expect(next.exitCode).toBeNull();
  // The first path stays in the list, as nobody removed it.
  expect(await listed()).toEqual(['one/app.log', 'two/app.log']);
});

test('a socket on which nobody listens does not stand in the way', async () => {
  const run = join(place.home, 'run');
  mkdirSync(run, { mode: 0o700 });
  const path = join(run, 'control.sock');
  const listen = `require('net').createServer().listen(${JSON.stringify(path)}, () => console.log('listening'))`;
  const dying = spawn(process.execPath, ['-e', listen]);
  await new Promise((resolve) => dying.stdout.once('data', resolve));
  await end(dying, 'SIGKILL');
  expect(existsSync(path)).toBe(true);
  expect(await begun(copy(['serve', 'app.log'], 'one'))).toMatch(/^http/);
  expect(await listed()).toEqual(['one/app.log']);
});

test('of many that start at once one is the first, and has what all were given', async () => {
  const names = ['a.log', 'b.log', 'c.log', 'd.log'];
  for (const name of names) writeFileSync(join(place.files, 'one', name), '');
  const copies = names.map((name) => copy(['serve', name], 'one'));
  const urls = copies.map(begun);
  const ends = copies.map(async (child) => ({ ...(await finished(child)), child }));
  // All but one hand over, and end.
  const others: ChildProcessWithoutNullStreams[] = [];
  for (let i = 1; i < names.length; i += 1) {
    const left = ends.filter((_, index) => !others.includes(copies[index]!));
    const { child, status } = await Promise.race(left);
    expect(status).toBe(0);
    others.push(child);
  }
  expect(copies.filter((child) => child.exitCode === null).length).toBe(1);
  expect(new Set(await Promise.all(urls)).size).toBe(1);
  expect(await listed()).toEqual(names.map((name) => `one/${name}`));
});
