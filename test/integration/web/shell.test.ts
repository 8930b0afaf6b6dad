import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startWebShell, type WebShell } from '../../../electron/web/shell.ts';
import { hello, memoryHost } from '../../contract/connection/memory-host.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import {
  ask,
  script,
  setUpWebShells,
  shells,
  sockets,
  start,
  staticDir,
  token,
  upgrade,
} from '../../fixtures/set-up/web-shell.ts';

setUpWebShells();

describe('the page', () => {
  it('is given to a client with the token, with a cookie for everything else', async () => {
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
    'is not given at %s without a token; the answer says what to do',
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

describe('an address', () => {
  const codeOf = (shell: WebShell) => shell.browserUrl().slice(new URL(shell.url).origin.length);

  it('that a browser is started with is good once, and gives the cookie', async () => {
    const shell = await start();
    const target = codeOf(shell);
    const page = await ask(shell, target);
    expect(page.status).toBe(200);
    const cookie = page.headers['set-cookie']![0]!.split(';')[0]!;
    expect((await ask(shell, target)).status).toBe(401);
    expect((await ask(shell, target, { headers: { cookie } })).status).toBe(200);
  });

  it.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
    'that a browser is started with lets in no other user, and afterwards still its own',
    async () => {
      const shell = await start();
      const target = codeOf(shell);
      const program = `fetch(process.argv[1]).then(({ status }) => console.log(status))`;
      const url = `${new URL(shell.url).origin}${target}`;
      const asked = spawn(process.execPath, ['-e', program, url], { uid: 65534, gid: 65534, cwd: '/' });
      let said = '';
      for await (const chunk of asked.stdout) said += chunk;
      expect(said).toBe('401\n');
      expect((await ask(shell, target)).status).toBe(200);
    },
  );

  it('has nothing in it of the cookie, which lets in after it is spent', async () => {
    const shell = await start();
    const page = await ask(shell, `/?token=${token}`);
    const value = page.headers['set-cookie']![0]!.split(/[=;]/)[1]!;
    expect(value).toHaveLength(43);
    expect(shell.url).not.toContain(value);
    expect((await ask(shell, `/?token=${value}`)).status).toBe(401);
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

  it.each([-1, 65536, 1.5, Number.NaN])('%d is refused', async (port) => {
    await expect(start({ port })).rejects.toMatchObject({ code: 'usage' });
  });

  it('is the same one after a restart, as a browser keeps marks by address, and another if it is in use', async () => {
    const home = makeFolder();
    const own = { port: undefined, hello: { ...hello, home } };
    const first = await start(own);
    const beside = await start(own);
    expect(beside.port).not.toBe(first.port);
    await Promise.all(shells.splice(0).map((shell) => shell.close()));
    expect((await start(own)).port).toBe(first.port);
    removeFolder(home);
  });

  it('is any free one where all of a home are in use', async () => {
    const own = { port: undefined, hello: { ...hello, home: `/homes/${process.pid}` } };
    const started = [];
    for (let i = 0; i < 6; i += 1) started.push(await start(own));
    expect(new Set(started.map(({ port }) => port)).size).toBe(6);
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
