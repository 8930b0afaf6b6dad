/** Private sockets where the path is too long, or where something else is in their place. */
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { connectPrivately } from '../../../electron/host/socket/private-socket.ts';
import {
  home,
  killedListener,
  listen,
  longHome,
  modeOf,
  roundTrip,
  run,
  setUpSockets,
} from '../../fixtures/set-up/private-sockets.ts';

setUpSockets();

const asRoot = process.getuid?.() === 0;

describe('where the path would be too long', () => {
  it('listens in a private temporary directory and records where', async () => {
    const dir = longHome();
    const one = await listen(dir);
    expect(Buffer.byteLength(one.path)).toBeLessThanOrEqual(100);
    expect(readFileSync(path.join(dir, 'control.path'), 'utf8')).toBe(`${one.path}\n`);
    expect(modeOf(path.dirname(one.path))).toBe(0o700);
    expect(modeOf(one.path)).toBe(0o600);
    expect(await roundTrip(one, dir)).toBe('hello');
    await expect(listen(dir)).rejects.toMatchObject({ code: 'busy' });
    await one.close();
    expect(existsSync(path.dirname(one.path))).toBe(false);
    expect(readdirSync(dir)).toEqual([]);
  });

  it('clears away what a killed one left there', async () => {
    const dir = longHome();
    const { place } = await killedListener(dir);
    const one = await listen(dir);
    expect(one.path).not.toBe(place);
    expect(existsSync(path.dirname(place))).toBe(false);
    expect(await roundTrip(one, dir)).toBe('hello');
  });

  it('is found by another spelling of the same home', async () => {
    const dir = longHome();
    const one = await listen(dir);
    const short = path.join(home, 'short');
    symlinkSync(dir, short);
    expect(await roundTrip(one, short)).toBe('hello');
    await expect(listen(short)).rejects.toMatchObject({ code: 'busy' });
  });

  it('starts anew when the temporary directory was cleaned', async () => {
    const dir = longHome();
    const { place } = await killedListener(dir);
    rmSync(path.dirname(place), { recursive: true });
    expect(await connectPrivately(dir, 'control')).toBeNull();
    expect(await roundTrip(await listen(dir), dir)).toBe('hello');
  });

  it.each([
    ['a place of another name', '/tmp/spillway-abcdef/other.sock\n'],
    ['no absolute path', 'control.sock\n'],
    ['nothing at all', ''],
    ['more than a path', `/tmp/${'x'.repeat(5000)}\n`],
  ])('refuses a record that holds %s', async (_, text) => {
    mkdirSync(run, { recursive: true, mode: 0o700 });
    writeFileSync(path.join(run, 'control.path'), text);
    await expect(connectPrivately(run, 'control')).rejects.toMatchObject({ code: 'home' });
    await expect(listen()).rejects.toMatchObject({ code: 'home' });
  });

  it('refuses a record that leads to a directory others may write to', async () => {
    const open = path.join(home, 'open');
    mkdirSync(open);
    chmodSync(open, 0o777);
    mkdirSync(run, { mode: 0o700 });
    writeFileSync(path.join(run, 'control.path'), `${open}/control.sock\n`);
    await expect(connectPrivately(run, 'control')).rejects.toMatchObject({
      code: 'home',
      todo: expect.stringContaining('chmod 700'),
    });
  });
});

describe('what is not safely ours', () => {
  const bystander = net.createServer();
  afterEach(() => new Promise((resolve) => bystander.close(resolve)));

  it('is refused when it is a link, though it leads to a live socket', async () => {
    const elsewhere = path.join(home, 'elsewhere.sock');
    await new Promise<void>((resolve) => bystander.listen(elsewhere, resolve));
    mkdirSync(run, { mode: 0o700 });
    symlinkSync(elsewhere, path.join(run, 'control.sock'));
    const refusal = { code: 'home', what: expect.stringContaining('symbolic link') };
    await expect(connectPrivately(run, 'control')).rejects.toMatchObject(refusal);
    await expect(listen()).rejects.toMatchObject(refusal);
    expect(lstatSync(path.join(run, 'control.sock')).isSymbolicLink()).toBe(true);
    expect(existsSync(elsewhere)).toBe(true);
  });

  it('is refused and left alone when it is a file', async () => {
    mkdirSync(run, { mode: 0o700 });
    writeFileSync(path.join(run, 'control.sock'), 'precious');
    await expect(listen()).rejects.toMatchObject({
      code: 'home',
      what: expect.stringContaining('not a socket'),
    });
    expect(readFileSync(path.join(run, 'control.sock'), 'utf8')).toBe('precious');
  });

  it.skipIf(!asRoot)("is refused when it is another user's socket", async () => {
    mkdirSync(run, { mode: 0o700 });
    const place = path.join(run, 'control.sock');
    await new Promise<void>((resolve) => bystander.listen(place, resolve));
    chownSync(place, 12345, 12345);
    const refusal = { code: 'home', what: expect.stringContaining('user 12345') };
    await expect(connectPrivately(run, 'control')).rejects.toMatchObject(refusal);
    await expect(listen()).rejects.toMatchObject(refusal);
  });

  it.skipIf(!asRoot)("is refused when the directory is another user's", async () => {
    mkdirSync(run, { mode: 0o700 });
    chownSync(run, 12345, 12345);
    await expect(listen()).rejects.toMatchObject({
      code: 'home',
      what: expect.stringContaining('user 12345'),
    });
  });

  it('is made private by a listener, and refused by who connects before that', async () => {
    mkdirSync(run);
    chmodSync(run, 0o777);
    await expect(connectPrivately(run, 'control')).rejects.toMatchObject({
      code: 'home',
      todo: expect.stringContaining('chmod 700'),
    });
    await listen();
    expect(modeOf(run)).toBe(0o700);
  });

  it('is said in a sentence when the directory is a file', async () => {
    writeFileSync(run, '');
    await expect(listen()).rejects.toMatchObject({ code: 'home', what: expect.stringContaining(run) });
  });

  it('is not removed by closing what was moved away', async () => {
    const one = await listen();
    renameSync(run, path.join(home, 'moved'));
    await one.close();
    expect(existsSync(path.join(home, 'moved', 'control.sock'))).toBe(true);
  });
});
