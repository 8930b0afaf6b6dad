/**
 * Decides which requests are let in. Refuses pages of other sites and foreign host names (DNS rebinding) first, then
 * requests with neither the token nor the cookie.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface Gate {
  token: string;
  cookieName: string;
}

type Verdict =
  /** `by`: what let it in. A page requested with the token gets the cookie. */
  { pass: true; by: 'token' | 'cookie' } | { pass: false; status: 400 | 401 | 403 | 405; why: string };

export function judgeRequest(request: IncomingMessage, gate: Gate): Verdict {
  const host = ownHost(request);
  if (host === null) return refused(403, 'the request names another host than this machine');
  if (!sameOrigin(request, host)) return refused(403, 'a page of another origin sent the request');
  if (!sameSite(request)) return refused(403, 'a page of another site sent the request');
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refused(405, 'only GET and HEAD are supported');
  const url = requestUrl(request);
  if (url === null) return refused(400, 'the address is not valid here');
  const token = url.searchParams.get('token');
  if (token !== null && same(token, gate.token)) return { pass: true, by: 'token' };
  const cookie = cookieValue(request.headers.cookie, gate.cookieName);
  if (cookie !== null && same(cookie, gate.token)) return { pass: true, by: 'cookie' };
  return refused(401, token === null ? 'the token is missing' : 'the token is not valid (any longer)');
}

/** Returns the requested path and query; null when the target is not a plain path, such as a proxy's absolute form. */
export function requestUrl(request: IncomingMessage): URL | null {
  const target = request.url ?? '';
  if (!target.startsWith('/') || target.startsWith('//')) return null;
  try {
    return new URL(target, 'http://localhost');
  } catch {
    return null;
  }
}

/** Names of this machine only, against DNS rebinding. Any port, as an SSH tunnel may end at another. */
const OWN_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/** Returns `host:port` as a URL has it; null when it is another machine's, missing or repeated. */
function ownHost(request: IncomingMessage): string | null {
  const given = request.headersDistinct.host ?? [];
  const [host] = given;
  if (given.length !== 1 || host === undefined || !OWN_HOST.test(host)) return null;
  return hostOf(`http://${host}`);
}

function sameOrigin(request: IncomingMessage, host: string): boolean {
  const { origin } = request.headers;
  return origin === undefined || (origin.startsWith('http://') && hostOf(origin) === host);
}

/** Any site may link here; no other site or port may embed or fetch. */
function sameSite(request: IncomingMessage): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return true;
  return request.headers['sec-fetch-mode'] === 'navigate' && request.headers['sec-fetch-dest'] === 'document';
}

function hostOf(url: string): string | null {
  try {
    return new URL(url).host;
  } catch {
    return null;
  }
}

/** Compares in constant time. */
function same(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

function refused(status: 400 | 401 | 403 | 405, why: string): Verdict {
  return { pass: false, status, why };
}

const PREFIX = 'spillway-';
/** Browsers that restore their session keep cookies of old inspectors, until requests become too large. */
const MAX_KEPT = 16;

/**
 * Returns the name of the cookie that replaces the token; the same for an inspector restarted with the same host, home
 * and port. Browsers share cookies between ports: without a hash of the inspector, two would log each other out.
 */
export function cookieName(...place: Array<string | number>): string {
  return PREFIX + createHash('sha256').update(JSON.stringify(place)).digest('hex').slice(0, 12);
}

/**
 * Returns the `Set-Cookie` headers that store `token` under `name`, and expire cookies of old inspectors beyond
 * `MAX_KEPT`.
 */
export function cookieHeaders(name: string, token: string, cookieHeader: string | undefined): string[] {
  const others = pairs(cookieHeader)
    .map(([key]) => key)
    .filter((key) => key !== name && /^spillway-[0-9a-f]{12}$/.test(key));
  return [
    `${name}=${token}; Path=/; HttpOnly; SameSite=Strict`,
    ...others.slice(MAX_KEPT).map((key) => `${key}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`),
  ];
}

/**
 * Makes and reads the cookie that replaces the token. Browsers share cookies between ports, so its name carries a
 * hash of the inspector: otherwise two inspectors would log each other out.
 */
export function cookieValue(cookieHeader: string | undefined, name: string): string | null {
  return pairs(cookieHeader).find(([key]) => key === name)?.[1] ?? null;
}

function pairs(cookieHeader: string | undefined): Array<[string, string]> {
  return (cookieHeader ?? '').split(';').map((pair) => {
    const [key = '', ...rest] = pair.split('=');
    return [key.trim(), rest.join('=').trim()];
  });
}
