/** Restricts every page in this process: no navigation, no windows, no permissions but copying. */
import type { App, Session, WebContents } from 'electron';

/** @param openExternal opens a web address in the person's browser */
export function holdPages(app: App, openExternal: (url: string) => void): void {
  app.on('web-contents-created', (_event, contents) => holdPage(contents, openExternal));
}

function holdPage(contents: WebContents, openExternal: (url: string) => void): void {
  contents.setWindowOpenHandler(({ url }) => {
    const address = externalAddress(url);
    if (address) openExternal(address);
    return { action: 'deny' };
  });
  contents.on('will-navigate', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
}

/** Allows copying to the clipboard and refuses every other permission. */
export function holdPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(isAllowed(permission, details.requestingUrl));
  });
  session.setPermissionCheckHandler((_contents, permission, origin) => isAllowed(permission, origin));
  session.setDevicePermissionHandler(() => false);
}

function isAllowed(permission: string, requester: string): boolean {
  return permission === 'clipboard-sanitized-write' && isOurOrigin(requester);
}

/** The origin of the window's page. */
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
