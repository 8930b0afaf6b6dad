import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
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
  utimesSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { build } from 'rolldown';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  connectPrivately,
  listenPrivately,
  type PrivateServer,
  socketHolder,
} from '../../../electron/host/socket/private-socket.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const asRoot = process.getuid?.() === 0;
const modeOf = (file: string) => lstatSync(file).mode & 0o777;

let programs: string;
let home: string;
let run: string;
let toClose: PrivateServer[];
let children: ChildProcess[];

beforeAll(async () => {
  programs = makeFolder();
  await build({
    input: path.resolve(import.meta.dirname, '../../../electron/host/socket/private-socket.ts'),
    platform: 'node',
    output: { file: path.join(programs, 'private-socket.mjs'), format: 'esm' },
    logLevel: 'silent',
  });
  writeFileSync(
    path.join(programs, 'listener.mjs'),
    `import { listenPrivately } from './private-socket.mjs';
     const [dir, name] = process.argv.slice(2);
     try {
       const { path } = await listenPrivately(dir, name);
       console.log('listening ' + path);
       setInterval(() => {}, 1000);
     } catch (error) {
       console.log(error.code + ' ' + error.message);
     }`,
  );
});

afterAll(() => removeFolder(programs));

beforeEach(() => {
  home = makeFolder();
  run = path.join(home, 'run');
  toClose = [];
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const one of toClose) await one.close();
  removeFolder(home);
});

async function listen(dir = run, name = 'control'): Promise<PrivateServer> {
  const one = await listenPrivately(dir, name);
  toClose.push(one);
  return one;
}

/** Another process that tries to listen, and what it said first. */
async function startListener(dir = run, name = 'control'): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, [path.join(programs, 'listener.mjs'), dir, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [said] = await once(child.stdout!, 'data');
  return { child, said: String(said).trim() };
}

async function killedListener(dir = run, name = 'control'): Promise<{ place: string; pid: number }> {
  const { child, said } = await startListener(dir, name);
  child.kill('SIGKILL');
  await once(child, 'exit');
  return { place: said.replace('listening ', ''), pid: child.pid! };
}

async function roundTrip(one: PrivateServer, dir = run, name = 'control'): Promise<string> {
  one.server.once('connection', (socket) => socket.end('hello'));
  const socket = await connectPrivately(dir, name);
  expect(socket).not.toBeNull();
  let text = '';
  for await (const chunk of socket!) text += chunk;
  return text;
}

function longHome(): string {
  const dir = path.join(home, 'd'.repeat(120), 'run');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  return dir;
}

describe('a private socket', () => {
  it('is 0600 in a 0700 directory, names its holder, and answers', async () => {
    const one = await listen();
    expect(one.path).toBe(path.join(run, 'control.sock'));
    expect(modeOf(run)).toBe(0o700);
    expect(modeOf(one.path)).toBe(0o600);
    expect(modeOf(path.join(run, 'control.pid'))).toBe(0o600);
    expect(await socketHolder(run, 'control')).toBe(process.pid);
    expect(await roundTrip(one)).toBe('hello');
  });

  it('leaves nothing behind when closed, not even an open connection', async () => {
    const one = await listen();
    const socket = await connectPrivately(run, 'control');
    const ended = once(socket!.resume(), 'close');
    await Promise.all([one.close(), one.close()]);
    await ended;
    expect(readdirSync(run)).toEqual([]);
    expect(await connectPrivately(run, 'control')).toBeNull();
  });

  it('is nobody when no home is there yet, and makes none by asking', async () => {
    expect(await connectPrivately(run, 'control')).toBeNull();
    expect(existsSync(run)).toBe(false);
  });

  it('keeps the names of one home apart', async () => {
    const control = await listen();
    const mcp = await listen(run, 'mcp');
    expect(await roundTrip(mcp, run, 'mcp')).toBe('hello');
    await mcp.close();
    expect(await roundTrip(control)).toBe('hello');
  });

  it('gives connections that came early to the first who listens for them', async () => {
    const one = await listen();
    const socket = await connectPrivately(run, 'control');
    await new Promise((resolve) => one.server.getConnections(resolve));
    await new Promise((resolve) => setTimeout(resolve, 50));
    one.server.on('connection', (accepted) => accepted.end('at last'));
    let text = '';
    for await (const chunk of socket!) text += chunk;
    expect(text).toBe('at last');
  });
});

describe('a second listener', () => {
  it('is refused while the first lives, and told which process that is', async () => {
    const { child, said } = await startListener();
    expect(said).toBe(`listening ${path.join(run, 'control.sock')}`);
    await expect(listen()).rejects.toMatchObject({
      code: 'busy',
      message: expect.stringContaining(`process ${child.pid}`),
    });
    const socket = await connectPrivately(run, 'control');
    expect(socket).not.toBeNull();
    socket!.destroy();
  });

  it('takes over from one that was killed', async () => {
    const { place } = await killedListener();
    expect(existsSync(place)).toBe(true);
    expect(await connectPrivately(run, 'control')).toBeNull();
    const one = await listen();
    expect(await roundTrip(one)).toBe('hello');
    expect(await socketHolder(run, 'control')).toBe(process.pid);
  });

  it('takes over though the recorded pid belongs to another process by now', async () => {
    await killedListener();
    writeFileSync(path.join(run, 'control.pid'), `${process.ppid}\n`);
    expect(await roundTrip(await listen())).toBe('hello');
  });

  it('takes over when a crash left the lock, even an empty one', async () => {
    const { pid } = await killedListener();
    const lock = path.join(run, 'control.lock');
    writeFileSync(lock, `${pid} abc\n`);
    await (await listen()).close();
    writeFileSync(lock, '');
    utimesSync(lock, new Date(0), new Date(0));
    await (await listen()).close();
    expect(readdirSync(run)).toEqual([]);
  });

  it('wins alone when many start at once over a stale socket', async () => {
    await killedListener();
    const starts = await Promise.all([1, 2, 3, 4].map(() => startListener()));
    const said = starts.map((start) => start.said);
    const winners = starts.filter((start) => start.said.startsWith('listening '));
    expect(winners).toHaveLength(1);
    expect(said.filter((line) => line.startsWith('busy '))).toHaveLength(3);
    expect(await socketHolder(run, 'control')).toBe(winners[0]!.child.pid);
    (await connectPrivately(run, 'control'))!.destroy();
  });

  it.each(['over nothing', 'over a stale socket'])(
    'wins alone when many start at once in one process, %s',
    async (over) => {
      if (over === 'over a stale socket') await killedListener();
      const results = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(() => listen()));
      const losers = results.filter((result) => result.status === 'rejected');
      expect(losers.map((loser) => loser.reason.code)).toEqual(Array(5).fill('busy'));
      (await connectPrivately(run, 'control'))!.destroy();
    },
  );
});

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
