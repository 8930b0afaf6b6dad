import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { judgeRequest, Passes } from '../../../electron/web/gate.ts';

const token = 'aaaaaaaaaaaaaaaaaaaaaaaa';
const passes = new Passes(token);
const gate = { passes, cookieName: 'spillway-0123456789ab' };
const cookie = `${gate.cookieName}=${passes.cookie}`;

interface Asked {
  method?: string;
  url?: string;
  host?: string | string[] | null;
  headers?: Record<string, string>;
}

/** Returns what admitted the request, or its status. */
function verdict({ method = 'GET', url = `/?token=${token}`, host = 'localhost:7070', headers = {} }: Asked) {
  const hosts = host === null ? undefined : [host].flat();
  const request = { method, url, headers, headersDistinct: { host: hosts } } as unknown as IncomingMessage;
  const said = judgeRequest(request, gate);
  return said.pass ? said.by : said.status;
}

describe('the gate', () => {
  it.each(['127.0.0.1', '127.0.0.1:1', 'localhost:65535', 'LOCALHOST:80', '[::1]:7070', 'localhost'])(
    'knows %s for this machine',
    (host) => expect(verdict({ host })).toBe('token'),
  );

  it.each([
    'evil.example',
    'evil.example:7070',
    'localhost.evil.example',
    'localhost.',
    '127.0.0.1.evil.example',
    '127.0.0.2',
    '0.0.0.0:7070',
    '10.0.0.1:7070',
    '[::1].evil.example',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '127.1',
    'localhost:7070@evil.example',
    'localhost:',
    'localhost:x',
    'localhost:123456',
    'localhost, evil.example',
    ' localhost',
    '',
    null,
    ['localhost', 'evil.example'],
    ['localhost', 'localhost'],
  ])('refuses the Host %j even with the token', (host) => {
    expect(verdict({ host, headers: { cookie } })).toBe(403);
  });

  it.each([
    ['localhost:7070', 'http://localhost:7070'],
    ['LocalHost:7070', 'http://localhost:7070'],
    ['localhost', 'http://localhost'],
    ['localhost:80', 'http://localhost'],
    ['[::1]:7070', 'http://[::1]:7070'],
  ])('accepts the page of %s from %s', (host, origin) => {
    expect(verdict({ host, headers: { origin } })).toBe('token');
  });

  it.each([
    'null',
    '',
    'http://evil.example',
    'http://localhost',
    'http://localhost:7071',
    'http://127.0.0.1:7070',
    'https://localhost:7070',
    'file://',
    'http://localhost:7070.evil.example',
    'http://localhost:7070, http://evil.example',
    'http://',
  ])('refuses the Origin %j at localhost:7070', (origin) => {
    expect(verdict({ headers: { origin, cookie } })).toBe(403);
  });

  it.each([
    ['none', 'navigate', 'document', 'token'],
    ['same-origin', 'cors', 'empty', 'token'],
    ['same-origin', 'no-cors', 'script', 'token'],
    ['cross-site', 'navigate', 'document', 'token'],
    ['cross-site', 'navigate', 'iframe', 403],
    ['cross-site', 'no-cors', 'script', 403],
    ['cross-site', 'cors', 'empty', 403],
    // Another port of this machine is the same site.
    ['same-site', 'no-cors', 'image', 403],
    ['same-site', 'websocket', 'websocket', 403],
    ['same-site', 'navigate', 'document', 'token'],
  ])('judges a request from %s, mode %s, for a %s', (site, mode, dest, wanted) => {
    const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest };
    expect(verdict({ headers })).toBe(wanted);
  });

  it('admits by token or by cookie, and says which', () => {
    expect(verdict({ url: '/', headers: { cookie } })).toBe('cookie');
    expect(verdict({ url: '/', headers: { cookie: `a=b; ${cookie};c=d` } })).toBe('cookie');
    expect(verdict({ url: `/?x=1&token=${token}#y` })).toBe('token');
    expect(verdict({ url: `/?token=old-token-old-token-old`, headers: { cookie } })).toBe('cookie');
  });

  it.each([
    ['/', {}],
    ['/?token=', {}],
    [`/?token=${token}a`, {}],
    [`/?token=${token.slice(1)}`, {}],
    [`/?Token=${token}`, {}],
    [`/?token=x&token=${token}`, {}],
    ['/', { cookie: `${gate.cookieName}=` }],
    ['/', { cookie: `${gate.cookieName}=${passes.cookie}x` }],
    ['/', { cookie: `${gate.cookieName}=${token}` }],
    ['/', { cookie: `spillway-000000000000=${passes.cookie}` }],
    ['/', { cookie: passes.cookie }],
    [`/?token=${passes.cookie}`, {}],
    [`/?code=${passes.cookie}`, {}],
    [`/?code=${token}`, {}],
    [`/?token=${passes.newCode()}`, {}],
    ['/', { authorization: `Bearer ${token}` }],
  ])('keeps %s with %j out', (url, headers) => {
    expect(verdict({ url, headers: headers as Record<string, string> })).toBe(401);
  });

  it('checks where a request comes from before anything else', () => {
    expect(verdict({ url: '/', host: 'evil.example' })).toBe(403);
    expect(verdict({ url: '/', method: 'POST', headers: { origin: 'http://evil.example' } })).toBe(403);
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'get'])('has no %s', (method) => {
    expect(verdict({ method })).toBe(405);
    expect(verdict({ method: 'HEAD' })).toBe('token');
  });

  it.each([`http://evil.example/?token=${token}`, `//evil.example/?token=${token}`, '*', ''])(
    'has no page at %s',
    (url) => expect(verdict({ url, headers: { cookie } })).toBe(400),
  );
});
