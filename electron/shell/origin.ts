/** The origin of the window's page, and checks that a page or address is of it. */

export const SCHEME = 'spillway';
const HOST = 'app';
const ORIGIN = `${SCHEME}://${HOST}`;
export const START_PAGE = `${ORIGIN}/`;

/** Makes Chromium treat the scheme as a secure origin, like https. */
export const PRIVILEGES = {
  scheme: SCHEME,
  privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
};

export function isOurOrigin(url: string): boolean {
  const parsed = parse(url);
  return parsed?.protocol === `${SCHEME}:` && parsed.host === HOST;
}

/** The part of Electron's WebFrameMain that is used. */
interface WebFrame {
  readonly url: string;
  readonly parent: unknown;
}

/** True for the page itself; false for a frame in it and for a page that took its place. */
export function isOurPage<F extends WebFrame>(frame: F | null): frame is F {
  return frame !== null && frame.parent === null && isOurOrigin(frame.url);
}

/**
 * Returns the address to open in the person's browser; null unless it is http or https, as other schemes start
 * programs.
 */
export function externalAddress(url: string): string | null {
  const parsed = parse(url);
  return parsed?.protocol === 'https:' || parsed?.protocol === 'http:' ? parsed.href : null;
}

function parse(url: string): URL | null {
  return URL.canParse(url) ? new URL(url) : null;
}
