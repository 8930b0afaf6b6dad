/** The web shell's promises as a real browser keeps them: what the page may do, and what other pages may not. */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type Browser, chromium } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemBrowser } from '../../../electron/tooling/machine/browser.mjs';
import { startWebShell, type WebShell } from '../../../electron/web/shell.ts';
import { hello, memoryHost } from '../../contract/connection/memory-host.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const executablePath = systemBrowser();

/** A stranger's name that resolves to this machine. */
const REBOUND = 'rebound.test';

const html = `<!doctype html><title>page</title>
<script>document.documentElement.dataset.inline = 'ran'</script>
<script type="module" src="/assets/page-abcdefgh.js"></script>
<p style="color: rgb(1, 2, 3)">text</p>`;

/** Notes what the policy blocked; then asks the host for its hello. */
const script = `
const socket = new WebSocket('ws://' + location.host + '/api');
socket.onopen = () => socket.send('{"type":"request","id":1,"name":"hello","params":{}}');
socket.onmessage = (event) => { document.title = JSON.parse(event.data).result.home; };
socket.onclose = () => { document.title = 'refused'; };
`;

describe.skipIf(executablePath === null)('in a real browser', () => {
  let staticDir: string;
  let shell: WebShell;
  let browser: Browser;
  let stranger: http.Server;

  beforeAll(async () => {
    staticDir = makeFolder();
    mkdirSync(path.join(staticDir, 'assets'));
    writeFileSync(path.join(staticDir, 'index.html'), html);
    writeFileSync(path.join(staticDir, 'assets', 'page-abcdefgh.js'), script);
    writeFileSync(path.join(staticDir, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    shell = await startWebShell({ host: memoryHost(), hello, port: 0, staticDir });
    stranger = http.createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end('<!doctype html><title>stranger</title>');
    });
    stranger.listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    browser = await chromium.launch({
      executablePath: executablePath!,
      chromiumSandbox: process.getuid?.() !== 0,
      args: [`--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`],
    });
  });

  afterAll(async () => {
    await browser?.close();
    await shell?.close();
    await new Promise((resolve) => stranger.close(resolve));
    removeFolder(staticDir);
  });

  it('the page reaches the host, keeps its cookie, and runs nothing that was not built', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(shell.url);
    await page.waitForFunction((home) => document.title === home, hello.home);
    expect(await page.evaluate(() => document.documentElement.dataset.inline)).toBeUndefined();
    expect(await page.evaluate(() => getComputedStyle(document.querySelector('p')!).color)).not.toBe(
      'rgb(1, 2, 3)',
    );
    expect(await page.evaluate(() => document.cookie)).toBe('');
    const outside = await page.evaluate((url) => fetch(url).then(String, String), strangerUrl('127.0.0.1'));
    expect(outside).toContain('TypeError');

    await page.goto(`http://127.0.0.1:${shell.port}/`);
    await page.waitForFunction((home) => document.title === home, hello.home);
    await context.close();
  });

  it('who comes without the token is told what to do', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const response = await page.goto(`http://127.0.0.1:${shell.port}/`);
    expect(response!.status()).toBe(401);
    expect(await page.innerText('body')).toContain('?token=');
    await context.close();
  });

  // Another port of 127.0.0.1 is the same site: the browser sends it the cookie.
  it.each(['127.0.0.1', 'localhost', REBOUND])(
    "a stranger's page at %s gets nothing, though the cookie is there",
    async (name) => {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(shell.url);
      await page.waitForFunction((home) => document.title === home, hello.home);

      await page.goto(strangerUrl(name));
      const base = `http://127.0.0.1:${shell.port}`;
      const got = await page.evaluate(async (target) => {
        const element = (tag: 'img' | 'script', url: string) =>
          new Promise<string>((resolve) => {
            const one = document.createElement(tag);
            one.onload = () => resolve('loaded');
            one.onerror = () => resolve('refused');
            one.src = url;
            document.head.append(one);
          });
        const socket = new Promise<string>((resolve) => {
          const one = new WebSocket(`${target.replace('http', 'ws')}/api`);
          one.onopen = () => resolve('open');
          one.onclose = () => resolve('refused');
        });
        const frame = new Promise<string>((resolve) => {
          const one = document.createElement('iframe');
          one.src = target;
          one.onload = () => {
            try {
              resolve(one.contentDocument === null ? 'other origin' : 'own');
            } catch {
              resolve('other origin');
            }
          };
          document.body.append(one);
        });
        await frame;
        return Promise.all([
          fetch(target, { credentials: 'include' }).then(String, () => 'refused'),
          element('img', `${target}/icon.svg`),
          element('script', `${target}/assets/page-abcdefgh.js`),
          socket,
        ]);
      }, base);
      expect(got).toEqual(['refused', 'refused', 'refused', 'refused']);
      const framed = page.frames().find((frame) => frame !== page.mainFrame());
      expect(await framed!.evaluate(() => document.title)).not.toBe(hello.home);
      await context.close();
    },
  );

  it('a name that was rebound to this machine gets no page, no socket and no cookie, token or not', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const rebound = shell.url.replace('127.0.0.1', REBOUND);
    expect((await page.goto(rebound))!.status()).toBe(403);
    const opened = await page.evaluate(
      (url) =>
        new Promise((resolve) => {
          const one = new WebSocket(url);
          one.onopen = () => resolve('open');
          one.onclose = () => resolve('refused');
        }),
      rebound.replace('http', 'ws').replace('/?', '/api?'),
    );
    expect(opened).toBe('refused');
    expect(await context.cookies()).toEqual([]);
    await context.close();
  });

  it('a link from anywhere to the whole address works, also when it is loaded anew without the token', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(strangerUrl('localhost'));
    await page.evaluate((url) => {
      location.href = url;
    }, shell.url);
    await page.waitForFunction((home) => document.title === home, hello.home);
    await page.evaluate(() => history.replaceState(null, '', '/'));
    expect((await page.reload())!.status()).toBe(200);
    await page.waitForFunction((home) => document.title === home, hello.home);
    await context.close();
  });

  it('a browser that is started with the address gets in, and a second one with the same does not', async () => {
    const url = shell.browserUrl();
    for (const status of [200, 401]) {
      const context = await browser.newContext();
      const page = await context.newPage();
      expect((await page.goto(url))!.status()).toBe(status);
      await context.close();
    }
  });

  it('two inspectors on one machine do not log each other out', async () => {
    const other = await startWebShell({ host: memoryHost(), hello, port: 0, staticDir });
    const context = await browser.newContext();
    const page = await context.newPage();
    for (const url of [
      shell.url,
      other.url,
      `http://127.0.0.1:${shell.port}/`,
      `http://127.0.0.1:${other.port}/`,
    ]) {
      await page.goto(url);
      await page.waitForFunction((home) => document.title === home, hello.home);
    }
    await context.close();
    await other.close();
  });

  function strangerUrl(name: string): string {
    return `http://${name}:${(stranger.address() as AddressInfo).port}/`;
  }
});
