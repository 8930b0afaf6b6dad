import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import http, { type IncomingHttpHeaders } from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { startWebShell, type WebShell, type WebShellOptions } from '../../../electron/web/shell.ts';
import { documentState, hello, memoryHost } from '../../contract/memory-host.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { untilPasses } from '../../fixtures/until.ts';

const token = 'tokentokentokentokentoken';
const script = 'export {};\n';
/** Longer than anything takes, even where others keep the processors. */
let staticDir: string;
const shells: WebShell[] = [];
const sockets: Array<{ destroy(): void }> = [];

beforeAll(() => {
  staticDir = makeFolder();
  mkdirSync(path.join(staticDir, 'assets'));
  writeFileSync(path.join(staticDir, 'index.html'), '<!doctype html><title>Spillway</title>');
  writeFileSync(path.join(staticDir, 'icon.svg'), '<svg/>');
  writeFileSync(path.join(staticDir, 'assets', 'index-abcdefgh.js'), script);
});

afterAll(() => removeFolder(staticDir));

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const shell of shells.splice(0)) await shell.close();
});

async function start(options: Partial<WebShellOptions> = {}): Promise<WebShell> {
  const shell = await startWebShell({ host: memoryHost(), hello, port: 0, staticDir, token, ...options });
  shells.push(shell);
  return shell;
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

function ask(shell: WebShell, target: string, options: http.RequestOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request({
      host: '127.0.0.1',
      port: shell.port,
      path: target,
      agent: false,
      ...options,
    });
    request.on('error', reject);
    request.on('response', async (response) => {
      let body = '';
      for await (const chunk of response) body += chunk;
      resolve({ status: response.statusCode!, headers: response.headers, body });
    });
    request.end();
  });
}

/** The result of a WebSocket to `target`: `open`, or the status that refused it. */
async function upgrade(shell: WebShell, target: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${shell.port}${target}`, { headers });
  sockets.push({ destroy: () => socket.terminate() });
  socket.on('error', () => {});
  return new Promise<number | 'open'>((resolve) => {
    socket.on('open', () => resolve('open'));
    socket.on('unexpected-response', (_, response) => resolve(response.statusCode!));
  });
}

/** Bytes as a hostile client would send them, and all that comes back. */
async function raw(shell: WebShell, text: string): Promise<string> {
  const socket = net.connect(shell.port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return answer;
}

describe('the page', () => {
  it('is given to who has the token, with a cookie that opens the rest', async () => {
    const shell = await start();
    expect(shell.url).toBe(`http://127.0.0.1:${shell.port}/?token=${token}`);
    const page = await ask(shell, `/?token=${token}`);
    expect(page.status).toBe(200);
    expect(page.body).toContain('<title>Spillway</title>');
    expect(page.headers['cache-control']).toBe('no-store');
    const [setCookie] = page.headers['set-cookie']!;
    expect(setCookie).toMatch(/^spillway-[0-9a-f]{12}=[\w-]+; Path=\/; HttpOnly; SameSite=Strict$/);

    const headers = { cookie: setCookie!.split(';')[0]! };
    const asset = await ask(shell, '/assets/index-abcdefgh.js', { headers });
    expect(asset).toMatchObject({ status: 200, body: script });
    expect(asset.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(asset.headers['cache-control']).toContain('immutable');
    const again = await ask(shell, '/', { headers });
    expect(again.status).toBe(200);
    expect(again.headers['set-cookie']).toBeUndefined();
    expect(await upgrade(shell, '/api', headers)).toBe('open');
  });

  it.each([`/`, `/?token=wrong`, '/index.html', '/assets/index-abcdefgh.js', '/missing'])(
    'is not given at %s to who has none, who is told what to do',
    async (target) => {
      const page = await ask(await start(), target);
      expect(page.status).toBe(401);
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page.headers['set-cookie']).toBeUndefined();
      expect(page.body).toContain('?token=');
      expect(page.body).not.toContain(token);
    },
  );

  it.each([
    [{ host: 'evil.example' }],
    [{ origin: 'http://evil.example' }],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }],
  ])('is refused to %j, token or not', async (headers) => {
    const shell = await start();
    expect(
      (await ask(shell, `/?token=${token}`, { headers: headers as http.OutgoingHttpHeaders })).status,
    ).toBe(403);
    expect((await ask(shell, '/', { headers: headers as http.OutgoingHttpHeaders })).status).toBe(403);
  });

  it('may be read and looked up, nothing else', async () => {
    const shell = await start();
    const head = await ask(shell, `/?token=${token}`, { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, body: '' });
    expect(Number(head.headers['content-length'])).toBeGreaterThan(10);
    const post = await ask(shell, `/?token=${token}`, { method: 'POST' });
    expect(post.status).toBe(405);
    expect(post.headers.allow).toBe('GET, HEAD');
  });

  it.each(['/', '/nothing', '/api', '/icon.svg', '/assets/index-abcdefgh.js'])(
    'at %s allows itself next to nothing',
    async (target) => {
      const shell = await start();
      for (const url of [target, `${target}?token=${token}`]) {
        const { headers } = await ask(shell, url);
        expect(headers).toMatchObject({
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
          'x-frame-options': 'DENY',
        });
        expect(headers['content-security-policy']).toBe(
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
            "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        );
        expect(headers['x-powered-by']).toBeUndefined();
        expect(headers['access-control-allow-origin']).toBeUndefined();
      }
    },
  );

  it('is not sent again when it has not changed', async () => {
    const shell = await start();
    const first = await ask(shell, `/icon.svg?token=${token}`);
    const etag = first.headers.etag!;
    const second = await ask(shell, `/icon.svg?token=${token}`, { headers: { 'if-none-match': etag } });
    expect(second).toMatchObject({ status: 304, body: '' });
  });

  it('that is not there is said to be missing, also when nothing was built', async () => {
    const shell = await start();
    expect((await ask(shell, `/no.js?token=${token}`)).status).toBe(404);
    expect((await ask(shell, `/..%2f..%2fetc%2fpasswd?token=${token}`)).status).toBe(404);
    expect((await ask(shell, `/api?token=${token}`)).status).toBe(426);
    const unbuilt = await start({ staticDir: path.join(staticDir, 'none') });
    const page = await ask(unbuilt, `/?token=${token}`);
    expect(page.status).toBe(503);
    expect(page.body).toContain('npm run build');
  });

  it('makes a token of 32 random bytes when it is given none', async () => {
    const options = { host: memoryHost(), hello, port: 0, staticDir };
    const two = [await startWebShell(options), await startWebShell(options)];
    shells.push(...two);
    const tokens = two.map((shell) => new URL(shell.url).searchParams.get('token')!);
    for (const one of tokens) expect(Buffer.from(one, 'base64url')).toHaveLength(32);
    expect(tokens[0]).not.toBe(tokens[1]);
    const cookies = await Promise.all(
      two.map(
        async (shell) =>
          (await ask(shell, new URL(shell.url).search.replace(/^/, '/'))).headers['set-cookie']![0]!,
      ),
    );
    expect(cookies[0]!.split('=')[0]).not.toBe(cookies[1]!.split('=')[0]);
  });
});

describe('the port', () => {
  it('that is in use is named, with what to do', async () => {
    const shell = await start();
    await expect(start({ port: shell.port })).rejects.toMatchObject({
      code: 'busy',
      what: expect.stringContaining(String(shell.port)),
      todo: expect.stringContaining('--port'),
    });
  });

  it.each([-1, 65536, 1.5, Number.NaN])('%d is none', async (port) => {
    await expect(start({ port })).rejects.toMatchObject({ code: 'usage' });
  });

  it('is reachable from this machine alone', async () => {
    const shell = await start();
    const other = Object.values(os.networkInterfaces())
      .flat()
      .find((address) => address && !address.internal && address.family === 'IPv4');
    const socket = net.connect(shell.port, other?.address ?? '127.0.0.2');
    sockets.push(socket);
    const [error] = await once(socket, 'error');
    expect(error.code).toBe('ECONNREFUSED');
  });

  it('refuses a token that could be guessed or would not fit a cookie', async () => {
    for (const bad of ['', 'short', 'x'.repeat(20).concat(';'), 'ä'.repeat(20)]) {
      await expect(start({ token: bad })).rejects.toMatchObject({ code: 'usage' });
    }
  });
});

describe('the socket at /api', () => {
  it.each([
    ['/api', {}, 401],
    ['/api?token=wrong', {}, 401],
    ['/', { query: true }, 404],
    ['/api/', { query: true }, 404],
    ['/api', { query: true }, 'open'],
    ['/api', { query: true, origin: 'http://evil.example' }, 403],
    ['/api', { query: true, origin: 'null' }, 403],
    ['/api', { query: true, host: 'evil.example' }, 403],
    ['/api', { query: true, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'websocket' }, 403],
  ])('at %s with %j comes to %s', async (target, { query, ...headers }: Record<string, unknown>, wanted) => {
    const shell = await start();
    const url = query ? `${target}?token=${token}` : target;
    expect(await upgrade(shell, url, headers as Record<string, string>)).toBe(wanted);
  });

  it('is open to the page of its own origin, under whichever name and port a tunnel gave it', async () => {
    const shell = await start();
    const headers = { host: 'localhost:9999', origin: 'http://localhost:9999' };
    expect(await upgrade(shell, `/api?token=${token}`, headers)).toBe('open');
  });

  it('does not let pages of other sites read a refusal', async () => {
    const answer = await raw(
      await start(),
      'GET /api HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\nConnection: Upgrade\r\n' +
        'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
    expect(answer).toContain('Cross-Origin-Resource-Policy: same-origin');
    expect(answer).not.toContain('Access-Control');
  });

  it('takes so many windows and no more', async () => {
    const shell = await start();
    const results = await Promise.all([...Array(70)].map(() => upgrade(shell, `/api?token=${token}`)));
    expect(results.filter((result) => result === 'open')).toHaveLength(64);
    expect(results.filter((result) => result === 503)).toHaveLength(6);
  });

  it.each([
    ['text that is no JSON', 'hello{', false],
    ['nothing', '', false],
    ['bytes', Buffer.from('{"type":"request","id":1,"name":"hello","params":{}}'), true],
    ['an array that never closes', '['.repeat(900_000), false],
  ])('ignores %s', async (_, message, binary) => {
    const shell = await start();
    const socket = await window(shell);
    const heard: string[] = [];
    socket.on('message', (data) => heard.push(String(data)));
    socket.send(message, { binary });
    socket.send('{"type":"request","id":2,"name":"hello","params":{}}');
    await untilPasses(() => expect(heard).toHaveLength(1));
    expect(JSON.parse(heard[0]!)).toEqual({ type: 'result', id: 2, result: hello });
  });

  it.each([
    ['a message of 10 MiB', Buffer.alloc(10 * 1024 * 1024, 'x'), false, 1009],
    ['text that is no UTF-8', Buffer.from([0xc3, 0x28]), false, 1007],
  ])('hangs up on %s, and stays open for others', async (_, message, binary, code) => {
    const shell = await start();
    const socket = await window(shell);
    socket.send(message, { binary });
    const [closed] = await once(socket, 'close');
    // A large message may still be on its way when the other side hangs up.
    expect([code, 1006]).toContain(closed);
    expect(await upgrade(shell, `/api?token=${token}`)).toBe('open');
  });

  it('hangs up on what is no WebSocket frame', async () => {
    const shell = await start();
    const socket = net.connect(shell.port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => {});
    socket.write(
      `GET /api?token=${token} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    const [first] = await once(socket, 'data');
    expect(String(first)).toContain('101');
    socket.write(Buffer.alloc(64, 0xff));
    await once(socket.resume(), 'close');
  });
});

describe('a client that behaves badly', () => {
  it('with headers beyond 16 KiB is refused', async () => {
    const answer = await raw(
      await start(),
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });

  it.each([
    [
      'two Hosts',
      'GET /?token=T HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n',
      /^HTTP\/1\.1 40[03] /,
    ],
    ['no Host', 'GET /?token=T HTTP/1.0\r\n\r\n', /^HTTP\/1\.1 403 /],
    [
      'a proxy request',
      'GET http://localhost/?token=T HTTP/1.1\r\nHost: localhost\r\n\r\n',
      /^HTTP\/1\.1 400 /,
    ],
    ['a tunnel', 'CONNECT evil.example:80 HTTP/1.1\r\nHost: localhost\r\n\r\n', /^$/],
    ['no HTTP at all', 'SSH-2.0-hello\r\n\r\n', /^HTTP\/1\.1 400 /],
  ])('with %s gets nowhere', async (_, text, wanted) => {
    const shell = await start();
    const answer = await raw(
      shell,
      text.replace('token=T', `token=${token}`).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
    );
    expect(answer).toMatch(wanted);
    expect(answer).not.toContain('<title>Spillway</title>');
  });

  it('with a body has it ignored, and the connection closed', async () => {
    const answer = await raw(
      await start(),
      `GET /?token=${token} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\nGET /x HTTP/1.1\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('\r\nConnection: close\r\n');
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('does not keep it from ending at once', async () => {
    const shell = await start();
    const idle = net.connect(shell.port, '127.0.0.1');
    const half = net.connect(shell.port, '127.0.0.1');
    sockets.push(idle, half);
    half.write('GET / HTTP/1.1\r\nHost: loc');
    const socket = await window(shell);
    const ended = Promise.all([once(idle, 'close'), once(half, 'close'), once(socket, 'close')]);
    for (const one of [idle, half]) one.on('error', () => {}).resume();
    await shell.close();
    await ended;
    await expect(ask(shell, '/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('a window that stops reading', () => {
  const subscribe = (id: number) =>
    `{"type":"subscribe","id":${id},"topic":"document","params":{"artifact_id":"a"}}`;
  const big = (n: number) => ({ ...documentState(n), notice: { at: 'now', text: 'x'.repeat(100_000) } });

  it('is owed a bounded amount, and gets the newest state when it reads on', async () => {
    const host = memoryHost();
    const shell = await start({ host });
    const socket = await window(shell);
    const sizes: number[] = [];
    socket.on('message', (data) => sizes.push(JSON.parse(String(data)).event.total_bytes));
    socket.send(subscribe(1));
    await untilPasses(() => expect(sizes).toHaveLength(1));
    socket.pause();
    const last = 1000;
    for (let n = 1; n <= last; n++) {
      host.changeDocument(big(n));
      await new Promise((resolve) => setImmediate(resolve));
    }
    socket.resume();
    await untilPasses(() => expect(sizes.at(-1)).toBe(last));
    // 100 MB were offered; what its socket and ours could hold came through, the rest was skipped.
    expect(sizes.length).toBeLessThan(400);
    // The first is the state before.
    const seen = sizes.slice(1);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
  });

  it('and answers no ping is dropped, and its streams with it', async () => {
    const host = memoryHost();
    const watched = vi.spyOn(host, 'watchDocument');
    const shell = await start({ host, keepAliveMs: 1000 });
    const socket = await window(shell, { autoPong: false });
    const dropped = once(socket, 'close');
    socket.send(subscribe(1));
    await dropped;
    expect(watched).toHaveBeenCalledTimes(1);
    await untilPasses(() => expect(host.watchers().document).toBe(0));
  });

  it('but answers pings is kept', async () => {
    const shell = await start({ keepAliveMs: 400 });
    const socket = await window(shell);
    let pings = 0;
    socket.on('ping', () => {
      pings += 1;
    });
    await untilPasses(() => expect(pings).toBeGreaterThan(3));
    expect(socket.readyState).toBe(WebSocket.OPEN);
  });
});

async function window(shell: WebShell, options: object = {}): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${shell.port}/api?token=${token}`, options);
  sockets.push({ destroy: () => socket.terminate() });
  socket.on('error', () => {});
  await once(socket, 'open');
  return socket;
}
