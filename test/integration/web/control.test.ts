import { mkdirSync, statSync } from 'node:fs';
import type net from 'node:net';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  askRunning,
  type ControlInfo,
  type ControlOptions,
  readLine,
  serveControl,
} from '../../../electron/app/control.ts';
import { connectPrivately, listenPrivately } from '../../../electron/host/socket/private-socket.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const info: ControlInfo = { pid: process.pid, version: '0.1.0', shell: 'web' };
const url = 'http://127.0.0.1:7070/?token=abc';

let home: string;
let toClose: Array<{ close(): Promise<void> }>;

beforeEach(() => {
  home = makeFolder();
  toClose = [];
});

afterEach(async () => {
  for (const one of toClose) await one.close();
  removeFolder(home);
});

async function serve(onOpen: ControlOptions['onOpen'] = async () => ({ url })) {
  const spy = vi.fn(onOpen);
  toClose.push(await serveControl({ home, info, onOpen: spy }));
  return spy;
}

/** The reply to `text` on the bare socket. */
async function say(text: string): Promise<unknown> {
  const socket = (await connectPrivately(path.join(home, 'run'), 'control')) as net.Socket;
  socket.on('error', () => {});
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return answer === '' ? null : JSON.parse(answer);
}

describe('a second start', () => {
  it('is told that none runs, without making a home', async () => {
    expect(await askRunning(path.join(home, 'none'), { open: [] })).toBeNull();
    expect(() => statSync(path.join(home, 'none'))).toThrow();
  });

  it('hands paths and ids over, and learns where to look', async () => {
    const onOpen = await serve();
    const open = ['/var/log/a file.log', 'cmd-npm_test-2026-01-13T10-30-00-abc123', '/tmp/äöü\n"x"'];
    expect(await askRunning(home, { open })).toEqual({ ...info, url });
    expect(onOpen).toHaveBeenCalledWith({ open });
  });

  it('may only ask who runs', async () => {
    const onOpen = await serve(async () => ({ url: null }));
    expect(await askRunning(home, { open: [] })).toEqual({ ...info, url: null });
    expect(onOpen).toHaveBeenCalledWith({ open: [] });
  });

  it('hears why a path could not be opened', async () => {
    await serve(async ({ open: [path] }) => {
      throw new SpillwayError('not_found', `There is no ${path}`, 'the nearest is /var/log');
    });
    await expect(askRunning(home, { open: ['/var/lgo'] })).rejects.toMatchObject({
      code: 'not_found',
      what: 'There is no /var/lgo',
      todo: 'the nearest is /var/log',
    });
  });

  it.each(['relative/file', '', '/nul\0/x', '../x', 'not-an-id'])('can not hand over %j', async (item) => {
    const onOpen = await serve();
    await expect(askRunning(home, { open: [item] })).rejects.toMatchObject({ code: 'usage' });
    expect(await say(`${JSON.stringify({ open: [item] })}\n`)).toMatchObject({ error: { code: 'usage' } });
    expect(onOpen).not.toHaveBeenCalled();
  });

  it('cannot serve the same home', async () => {
    await serve();
    await expect(serveControl({ home, info, onOpen: async () => ({ url }) })).rejects.toMatchObject({
      code: 'busy',
    });
  });

  it('says so when who holds the socket does not answer', async () => {
    const holder = await listenPrivately(path.join(home, 'run'), 'control');
    toClose.push(holder);
    const refusal = { code: 'busy', what: expect.stringContaining(`process ${process.pid}`) };
    for (const answer of [
      '',
      'hello\n',
      '{"reply":{"url":5}}\n',
      '{"error":"x"}\n',
      'x'.repeat(5 * 1024 * 1024),
    ]) {
      holder.server.once('connection', (socket) => socket.end(answer));
      await expect(askRunning(home, { open: [] })).rejects.toMatchObject(refusal);
    }
  });

  it('can serve once the first is gone', async () => {
    await serve();
    await toClose.pop()!.close();
    expect(await askRunning(home, { open: [] })).toBeNull();
    await serve();
    expect(await askRunning(home, { open: [] })).toEqual({ ...info, url });
  });
});

describe('the control socket', () => {
  it.each(['\n', 'GET / HTTP/1.1\n', '{"open":"/a"}\n', '{"open":[1]}\n', '[]\n', 'null\n', '{"open":[]\n'])(
    'answers %j with an error and goes on',
    async (text) => {
      const onOpen = await serve();
      expect(await say(text)).toMatchObject({ error: { code: 'usage' } });
      expect(onOpen).not.toHaveBeenCalled();
      expect(await askRunning(home, { open: [] })).toEqual({ ...info, url });
    },
  );

  it('hangs up on a line without an end', async () => {
    await serve();
    expect(await say('x'.repeat(5 * 1024 * 1024)).catch(() => null)).toBeNull();
    expect(await askRunning(home, { open: [] })).toEqual({ ...info, url });
  });

  it('does not wait for the end of a line that is too long already', async () => {
    const stream = new PassThrough();
    const line = readLine(stream as unknown as net.Socket, 10);
    stream.write('x'.repeat(11));
    expect(await line).toBeNull();
  });

  it('reads a request that comes in pieces, in the middle of a character', async () => {
    const onOpen = await serve();
    const socket = (await connectPrivately(path.join(home, 'run'), 'control')) as net.Socket;
    const bytes = Buffer.from('{"open":["/ä"]}\nrest');
    for (const byte of bytes) {
      socket.write(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    for await (const _ of socket);
    expect(onOpen).toHaveBeenCalledWith({ open: ['/ä'] });
  });

  it('does not leak why Spillway itself failed', async () => {
    await serve(async () => {
      throw new Error('first line\n    at secret.ts:3');
    });
    const error = await askRunning(home, { open: [] }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'internal', what: 'first line' });
  });

  it('is for its user alone, also where the home has a long path', async () => {
    home = path.join(home, 'h'.repeat(150));
    mkdirSync(home, { mode: 0o700 });
    await serve();
    expect(await askRunning(home, { open: [] })).toEqual({ ...info, url });
    expect(statSync(path.join(home, 'run')).mode & 0o777).toBe(0o700);
  });
});
