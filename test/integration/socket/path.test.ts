import { once } from 'node:events';
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectPrivately, socketHolder } from '../../../electron/host/socket/private-socket.ts';
import {
  killedListener,
  listen,
  modeOf,
  roundTrip,
  run,
  setUpSockets,
  startListener,
} from '../../fixtures/set-up/private-sockets.ts';

setUpSockets();

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

  it('leaves no file and no open connection behind when it is closed', async () => {
    const one = await listen();
    const socket = await connectPrivately(run, 'control');
    const ended = once(socket!.resume(), 'close');
    await Promise.all([one.close(), one.close()]);
    await ended;
    expect(readdirSync(run)).toEqual([]);
    expect(await connectPrivately(run, 'control')).toBeNull();
  });

  it('has no holder where there is no home yet, and asking makes no home', async () => {
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
    const accepted = () =>
      new Promise<number>((resolve) => one.server.getConnections((_, count) => resolve(count)));
    await expect.poll(accepted).toBe(1);
    one.server.on('connection', (early) => early.end('at last'));
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

  it('takes over when the recorded pid belongs to an unrelated process', async () => {
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
