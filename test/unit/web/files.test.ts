import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readStatic } from '../../../electron/web/reply.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

let base: string;
let dist: string;

beforeAll(() => {
  base = makeFolder();
  dist = path.join(base, 'dist');
  mkdirSync(path.join(dist, 'assets'), { recursive: true });
  mkdirSync(path.join(base, 'dist-other'));
  writeFileSync(path.join(base, 'secret.txt'), 'secret');
  writeFileSync(path.join(base, 'dist-other', 'secret.txt'), 'secret');
  writeFileSync(path.join(dist, 'index.html'), '<!doctype html>');
  writeFileSync(path.join(dist, 'favicon.svg'), '<svg/>');
  writeFileSync(path.join(dist, '.hidden'), 'secret');
  writeFileSync(path.join(dist, 'no-type'), 'x');
  writeFileSync(path.join(dist, 'assets', 'index-B3k_9-Zx.js'), 'export {}');
  symlinkSync(path.join(base, 'secret.txt'), path.join(dist, 'link.txt'));
  symlinkSync(base, path.join(dist, 'up'));
});

afterAll(() => removeFolder(base));

describe('a file of the interface', () => {
  it.each([
    ['/', 'text/html; charset=utf-8', false],
    ['/index.html', 'text/html; charset=utf-8', false],
    ['/favicon.svg', 'image/svg+xml', false],
    ['/f%61vicon.svg', 'image/svg+xml', false],
    ['/assets/index-B3k_9-Zx.js', 'text/javascript; charset=utf-8', true],
    ['/no-type', 'application/octet-stream', false],
  ])('%s has the type %s', async (pathname, type, immutable) => {
    expect(await readStatic(dist, pathname)).toMatchObject({ type, immutable });
  });

  it('has a tag of its content', async () => {
    const before = await readStatic(dist, '/favicon.svg');
    expect(before!.etag).toMatch(/^"[\w-]{22}"$/);
    expect((await readStatic(dist, '/favicon.svg'))!.etag).toBe(before!.etag);
    expect((await readStatic(dist, '/index.html'))!.etag).not.toBe(before!.etag);
  });
});

describe('a path that is not a file of the interface', () => {
  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/%2e%2e%2fsecret.txt',
    '/..%5csecret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/../dist-other/secret.txt',
    '//etc/passwd',
    '/%2fetc/passwd',
    '/link.txt',
    '/up/secret.txt',
    '/.hidden',
    '/%2ehidden',
    '/assets',
    '/assets/',
    '/index.html/',
    '/index.html%00.js',
    '/index.html\n',
    '/%',
    '/%ff',
    '/C:%5cWindows',
    '/missing.js',
    'index.html',
    '',
  ])('is not found at %j', async (pathname) => {
    expect(await readStatic(dist, pathname)).toBeNull();
  });

  it('is not found when nothing was built', async () => {
    expect(await readStatic(path.join(base, 'nothing'), '/')).toBeNull();
  });
});
