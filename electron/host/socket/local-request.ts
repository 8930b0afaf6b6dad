/**
 * Checks where a request to an HTTP server of this machine comes from: `Host` tells DNS rebinding, `Origin` and
 * `Sec-Fetch-Site` tell pages of other sites. Each server checks its token afterwards, with `isSame`.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** Which requests a server accepts, once their only `Host` is known to name this machine. */
interface Policy {
  allowsHost(host: string): boolean;
  /** `host` is the request's. */
  allowsOrigin(origin: string, host: string): boolean;
  allowsSite(site: string, headers: IncomingHttpHeaders): boolean;
}

/** For the inspector, which has a cookie. Any site may link to it; no other site or port may embed or fetch it. */
export const INSPECTOR_POLICY: Policy = {
  // A URL has no port over 65535.
  allowsHost: (host) => hostOf(`http://${host}`) !== null,
  allowsOrigin: (origin, host) => origin.startsWith('http://') && hostOf(origin) === hostOf(`http://${host}`),
  allowsSite: (site, headers) =>
    site === 'same-origin' ||
    site === 'none' ||
    (headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'),
};

/** For MCP, which has no cookie: a page of this machine gets in with the token. At another port it is `same-site`. */
export const MCP_POLICY: Policy = {
  allowsHost: () => true,
  allowsOrigin: (origin) => OWN_ORIGIN.test(origin),
  allowsSite: (site) => site !== 'cross-site',
};

/** Returns the first part of the request that the policy refuses; null if it refuses none. */
export function foreignPart(request: IncomingMessage, policy: Policy): 'host' | 'origin' | 'site' | null {
  const given = request.headersDistinct.host ?? [];
  const [host] = given;
  if (given.length !== 1 || host === undefined || !OWN_HOST.test(host) || !policy.allowsHost(host)) {
    return 'host';
  }
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin !== undefined && !policy.allowsOrigin(origin, host)) return 'origin';
  if (site !== undefined && !policy.allowsSite(site, request.headers)) return 'site';
  return null;
}

/** Compares in constant time, so that nobody can guess a token piece by piece. */
export function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

/** Names of this machine only, against DNS rebinding. Any port, as an SSH tunnel may end at another. */
const OWN_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;
const OWN_ORIGIN = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/** Returns `host:port` as a URL has it; null if the URL is not valid. */
function hostOf(url: string): string | null {
  try {
    return new URL(url).host;
  } catch {
    return null;
  }
}
