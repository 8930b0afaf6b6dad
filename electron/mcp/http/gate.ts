/**
 * Decides which HTTP requests may enter. It refuses pages of other sites and made-up host names (DNS rebinding)
 * first, then requests without the token.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const MCP_PATH = '/mcp';

interface Refused {
  status: 400 | 401 | 403 | 404;
  why: string;
}

/** Null lets the request in. */
export function refusalOf(request: IncomingMessage, token: string): Refused | null {
  const hosts = request.headersDistinct.host ?? [];
  if (hosts.length !== 1 || !OWN_HOST.test(hosts[0]!)) {
    return { status: 403, why: 'it was addressed to another host than this machine' };
  }
  const { origin } = request.headers;
  if (origin !== undefined && !OWN_ORIGIN.test(origin)) {
    return { status: 403, why: 'it was sent by a page of another origin' };
  }
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site === 'cross-site') {
    return { status: 403, why: 'it was sent by a page of another site' };
  }
  if (!isAuthorized(request, token)) {
    return {
      status: 401,
      why: 'it came without its token: send the one in run/mcp-http.token of the home as `Authorization: Bearer`',
    };
  }
  if (pathOf(request) !== MCP_PATH) return { status: 404, why: `MCP is at ${MCP_PATH}` };
  return null;
}

/** Names of this machine only, so that DNS rebinding gets nowhere; any port, as a tunnel may end at another. */
const OWN_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;
const OWN_ORIGIN = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

function isAuthorized(request: IncomingMessage, token: string): boolean {
  const given = request.headersDistinct.authorization ?? [];
  const bearer = given.length === 1 ? /^bearer +([\w.~+/-]+=*) *$/i.exec(given[0]!)?.[1] : undefined;
  // Takes the same time wherever they differ.
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return bearer !== undefined && timingSafeEqual(digest(bearer), digest(token));
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '').split('?', 1)[0]!;
}
