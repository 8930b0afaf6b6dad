/**
 * Decides which requests are let in. Refuses pages of other sites and foreign host names (DNS rebinding) first, then
 * requests with neither the token nor the cookie.
 */
import type { IncomingMessage } from 'node:http';
import { foreignPart, INSPECTOR_POLICY, isSame } from '../host/socket/local-request.ts';
import { cookieValue } from './cookie.ts';

export interface Gate {
  token: string;
  cookieName: string;
}

type Verdict =
  /** `by`: what let it in. A page requested with the token gets the cookie. */
  { pass: true; by: 'token' | 'cookie' } | { pass: false; status: 400 | 401 | 403 | 405; why: string };

export function judgeRequest(request: IncomingMessage, gate: Gate): Verdict {
  const foreign = foreignPart(request, INSPECTOR_POLICY);
  if (foreign !== null) return refused(403, FOREIGN[foreign]);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refused(405, 'only GET and HEAD are supported');
  const url = requestUrl(request);
  if (url === null) return refused(400, 'the address is not valid here');
  const token = url.searchParams.get('token');
  if (token !== null && isSame(token, gate.token)) return { pass: true, by: 'token' };
  const cookie = cookieValue(request.headers.cookie, gate.cookieName);
  if (cookie !== null && isSame(cookie, gate.token)) return { pass: true, by: 'cookie' };
  return refused(401, token === null ? 'the token is missing' : 'the token is not valid (any longer)');
}

const FOREIGN = {
  host: 'the request names another host than this machine',
  origin: 'a page of another origin sent the request',
  site: 'a page of another site sent the request',
};

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

function refused(status: 400 | 401 | 403 | 405, why: string): Verdict {
  return { pass: false, status, why };
}
