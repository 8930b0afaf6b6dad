/** Where the window's page comes from, and who may speak for it. */

export const SCHEME = 'spillway';
export const HOST = 'app';
export const ORIGIN = `${SCHEME}://${HOST}`;
export const START_PAGE = `${ORIGIN}/`;

/** The scheme as Chromium is to treat it: an origin of its own, and as trustworthy as https. */
export const PRIVILEGES = {
  scheme: SCHEME,
  privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
};

export function isOurs(url: string): boolean {
  const parsed = parse(url);
  return parsed?.protocol === `${SCHEME}:` && parsed.host === HOST;
}

/** The part of Electron's WebFrameMain that is used. */
export interface Frame {
  readonly url: string;
  readonly parent: unknown;
}

/** Whether a message comes from the page itself: not from a frame in it, nor from a page that took its place. */
export function isOurPage<F extends Frame>(frame: F | null): frame is F {
  return frame !== null && frame.parent === null && isOurs(frame.url);
}

/** The address to give to the person's browser, or null: only the web, since other schemes start programs. */
export function externalAddress(url: string): string | null {
  const parsed = parse(url);
  return parsed?.protocol === 'https:' || parsed?.protocol === 'http:' ? parsed.href : null;
}

function parse(url: string): URL | null {
  return URL.canParse(url) ? new URL(url) : null;
}
