/**
 * Decides which requests are let in. Refuses pages of other sites and foreign host names (DNS rebinding) first, then
 * requests with no token, code or cookie that is good.
 */
import type { IncomingMessage } from 'node:http';
import { foreignPart, INSPECTOR_POLICY, isSame } from '../host/socket/local-request.ts';
import { cookieValue } from './cookie.ts';
import type { Passes } from './passes.ts';
import { isOwnPeer } from './peer.ts';

export interface Gate {
  passes: Passes;
  cookieName: string;
}

type Verdict =
  /** `by`: what let it in. A page requested with a token or a code gets the cookie. */
  | { pass: true; by: 'token' | 'code' | 'cookie' }
  | { pass: false; status: 400 | 401 | 403 | 405; why: string };

export function judgeRequest(request: IncomingMessage, gate: Gate): Verdict {
  const foreign = foreignPart(request, INSPECTOR_POLICY);
  if (foreign !== null) return refused(403, FOREIGN[foreign]);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refused(405, 'only GET and HEAD are supported');
  const url = requestUrl(request);
  if (url === null) return refused(400, 'the address is not valid here');
  const { passes, cookieName } = gate;
  const [token, code] = [url.searchParams.get('token'), url.searchParams.get('code')];
  if (token && passes.takeToken(token)) return { pass: true, by: 'token' };
  if (code && passes.takeCode(code, () => isOwnPeer(request.socket))) return { pass: true, by: 'code' };
  const cookie = cookieValue(request.headers.cookie, cookieName);
  if (cookie !== null && isSame(cookie, passes.cookie)) return { pass: true, by: 'cookie' };
  if (token === null && code === null) return refused(401, 'the token is missing');
  return refused(401, 'this address is not good (any longer)');
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
