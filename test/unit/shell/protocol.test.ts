import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONTENT_SECURITY_POLICY, fileForUrl, respond } from '../../../electron/shell/protocol.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

describe('the window’s protocol', () => {
  let parent: string;
  let root: string;
  const get = (url: string, method = 'GET') => respond({ url, method }, root);

  beforeAll(() => {
    parent = makeFolder();
    root = join(parent, 'renderer');
    mkdirSync(join(root, 'assets'), { recursive: true });
    mkdirSync(join(parent, 'renderer-secret'));
    writeFileSync(join(root, 'index.html'), '<!doctype html>');
    writeFileSync(join(root, 'assets', 'main.js'), 'export {};');
    writeFileSync(join(root, 'assets', 'a b.css'), 'b {}');
    writeFileSync(join(parent, 'secret.txt'), 'secret');
    writeFileSync(join(parent, 'renderer-secret', 'a.txt'), 'secret');
  });
  afterAll(() => removeFolder(parent));

  it.each([
    ['spillway://app/', 'text/html; charset=utf-8', '<!doctype html>'],
    ['spillway://app/index.html?x=1#y', 'text/html; charset=utf-8', '<!doctype html>'],
    ['spillway://app/assets/main.js', 'text/javascript; charset=utf-8', 'export {};'],
    ['spillway://app/assets/a%20b.css', 'text/css; charset=utf-8', 'b {}'],
  ])('serves %s as %s', async (url, type, text) => {
    const response = await get(url);
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      type,
      text,
    ]);
  });

  it.each([
    'spillway://app/missing.js',
    'spillway://app/assets',
    'spillway://app/assets/',
    'spillway://elsewhere/index.html',
    'https://app/index.html',
    'spillway://app/../secret.txt',
    'spillway://app/%2e%2e/secret.txt',
    'spillway://app/..%2fsecret.txt',
    'spillway://app/assets/..%2f..%2fsecret.txt',
    'spillway://app/..%5csecret.txt',
    'spillway://app/../renderer-secret/a.txt',
    'spillway://app/index.html%00.txt',
    'spillway://app//etc/passwd',
    'spillway://app/%2fetc/passwd',
    'spillway://app/index.html::$DATA',
    'spillway://app/C:/Windows/win.ini',
    'spillway://app/%E0%A4%A',
  ])('has nothing at %s', async (url) => {
    const response = await get(url);
    expect([response.status, await response.text()]).toEqual([404, 'There is no such file']);
  });

  it('serves nothing outside its folder, however an address is spelled', () => {
    const parts = ['..', '%2e%2e', '.', '', 'assets', '%2f', '%5c', '..%2f', '%2e.%5c'];
    for (const a of parts)
      for (const b of parts)
        for (const c of parts) {
          const path = fileForUrl(`spillway://app/${a}/${b}/${c}`, root);
          if (path !== null) expect(`${path}/`.startsWith(`${root}/`)).toBe(true);
        }
  });

  it('answers HEAD without a body and refuses writing methods', async () => {
    const head = await get('spillway://app/', 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await get('spillway://app/', 'POST')).status).toBe(405);
  });

  it('sends its security policy with every answer', async () => {
    for (const url of ['spillway://app/', 'spillway://app/missing']) {
      const { headers } = await get(url);
      expect(headers.get('content-security-policy')).toBe(CONTENT_SECURITY_POLICY);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('has a policy that allows nothing but the interface’s own files', () => {
    const directives = Object.fromEntries(
      CONTENT_SECURITY_POLICY.split('; ').map((part) => part.split(/ (.*)/)),
    );
    expect(directives['default-src']).toBe("'none'");
    expect(new Set(Object.values(directives))).toEqual(new Set(["'none'", "'self'"]));
  });
});
