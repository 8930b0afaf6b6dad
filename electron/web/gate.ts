/**
 * Who may come in. A page of another site, or another name for this machine that an attacker's DNS made up, is
 * turned away before anything else is looked at; then whoever has neither the token nor the cookie it was
 * exchanged for.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { cookieValue } from './cookie.ts';

export interface Gate {
  token: string;
  cookieName: string;
}

export type Verdict =
  /** `by` says what let it in: a page that came with the token gets the cookie. */
  { pass: true; by: 'token' | 'cookie' } | { pass: false; status: 400 | 401 | 403 | 405; why: string };

export function judge(request: IncomingMessage, gate: Gate): Verdict {
  const host = ownHost(request);
  if (host === null) return refused(403, 'it was addressed to another host than this machine');
  if (!sameOrigin(request, host)) return refused(403, 'it was sent by a page of another origin');
  if (!sameSite(request)) return refused(403, 'it was sent by a page of another site');
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refused(405, 'only GET and HEAD are known');
  const url = requestUrl(request);
  if (url === null) return refused(400, 'its address is not one of a page here');
  const token = url.searchParams.get('token');
  if (token !== null && same(token, gate.token)) return { pass: true, by: 'token' };
  const cookie = cookieValue(request.headers.cookie, gate.cookieName);
  if (cookie !== null && same(cookie, gate.token)) return { pass: true, by: 'cookie' };
  return refused(401, token === null ? 'it came without its token' : 'its token is not (or no longer) valid');
}

/** The path and query asked for; null for what is no plain path, such as a proxy's absolute form. */
export function requestUrl(request: IncomingMessage): URL | null {
  const target = request.url ?? '';
  if (!target.startsWith('/') || target.startsWith('//')) return null;
  try {
    return new URL(target, 'http://localhost');
  } catch {
    return null;
  }
}

/** Names of this machine only, so that DNS rebinding gets nowhere; any port, as an SSH tunnel may end at another. */
const OWN_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/** `host:port` as a URL has it; null when it is not this machine's, or not said exactly once. */
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

/** Following a link to here is welcome from anywhere; embedding and fetching are not, nor from another port. */
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

/** Takes the same time wherever they differ. */
function same(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

function refused(status: 400 | 401 | 403 | 405, why: string): Verdict {
  return { pass: false, status, why };
}
