import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withLock } from '../../../electron/tooling/machine/lock.mjs';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

describe('the lock on installing and building', () => {
  let folder: string;
  let lock: string;
  const children: ChildProcess[] = [];

  beforeEach(() => {
    folder = makeFolder();
    lock = join(folder, 'dist', '.lock');
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    removeFolder(folder);
  });

  const url = JSON.stringify(new URL('../../../electron/tooling/machine/lock.mjs', import.meta.url).href);
  /** A process that prints when it has the lock, and holds it until its input ends. */
  const holder = async () => {
    const script = `import { withLock } from ${url};
      await withLock(process.argv[1], () => new Promise((done) => {
        console.log('held');
        process.stdin.on('end', done).resume();
      }));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, lock], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    children.push(child);
    await once(child.stdout, 'data');
    return child;
  };

  it('is held by one at a time, and each gets its turn', async () => {
    const log = join(folder, 'log');
    const turn = (name: string) =>
      withLock(lock, async () => {
        appendFileSync(log, `${name} in\n`);
        await new Promise((done) => setTimeout(done, 20));
        appendFileSync(log, `${name} out\n`);
      });
    await Promise.all(['a', 'b', 'c', 'd'].map(turn));
    expectTurns(log, 4);
    expect(existsSync(lock)).toBe(false);
  });

  it('is waited for while another process holds it, naming that process', async () => {
    const child = await holder();
    let owner = '';
    const mine = withLock(
      lock,
      async () => 'mine',
      (who) => {
        owner = who;
        child.stdin?.end();
      },
    );
    expect(await mine).toBe('mine');
    expect(owner).toBe(`process ${child.pid}`);
  });

  it('is taken over from a process that was killed', async () => {
    const child = await holder();
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(existsSync(lock)).toBe(true);
    expect(await withLock(lock, async () => 'mine')).toBe('mine');
  });

  it('is taken over from a process whose number belongs to another now', async () => {
    await withLock(lock, async () => {});
    // This process is alive, but has another start time.
    writeFileSync(lock, JSON.stringify({ pid: process.pid, started: '1', host: hostname() }));
    if (process.platform === 'linux') expect(await withLock(lock, async () => 'mine')).toBe('mine');
  });

  it('is taken over when it was torn by a kill while it was being written', async () => {
    await withLock(lock, async () => {});
    writeFileSync(lock, '{"pid":');
    const old = new Date(Date.now() - 10_000);
    utimesSync(lock, old, old);
    expect(await withLock(lock, async () => 'mine')).toBe('mine');
  });

  it('is taken over by only one of several processes that find it abandoned at once', async () => {
    const locks = Array.from({ length: 40 }, (_, index) => join(folder, `lock-${index}`));
    const gone = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(gone, 'exit');
    for (const path of locks) {
      writeFileSync(path, JSON.stringify({ pid: gone.pid, started: '1', host: hostname() }));
    }
    const script = `import { withLock } from ${url}; import { appendFileSync } from 'node:fs';
      const begin = Number(process.argv[1]);
      await Promise.all(process.argv.slice(2).map((path, index) => {
        while (Date.now() < begin + index * 10) {}
        return withLock(path, async () => {
          appendFileSync(path + '.log', process.pid + ' in\\n');
          await new Promise((done) => setTimeout(done, 10));
          appendFileSync(path + '.log', process.pid + ' out\\n');
        });
      }));`;
    const begin = String(Date.now() + 1_000);
    const contenders = [1, 2, 3].map(() =>
      spawn(process.execPath, ['--input-type=module', '-e', script, begin, ...locks], { stdio: 'inherit' }),
    );
    children.push(...contenders);
    await Promise.all(contenders.map((one) => once(one, 'exit')));
    for (const path of locks) expectTurns(`${path}.log`, 3);
  });

  it('is released when the work fails', async () => {
    await expect(withLock(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(existsSync(lock)).toBe(false);
  });
});

/** Expects that no process entered before the previous one left. */
function expectTurns(log: string, count: number): void {
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  expect(lines).toHaveLength(count * 2);
  for (let at = 0; at < lines.length; at += 2) expect(lines[at + 1]).toBe(lines[at]?.replace('in', 'out'));
}
