/** Serves the built interface at `spillway://app/…`, under a strict content security policy. */
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { App, Session, WebContents } from 'electron';

/** Only its own scripts, styles, fonts and images; the host is reached over a port. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
};

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** @param root folder of the built interface */
export async function respond(request: { url: string; method: string }, root: string): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return plain(405, 'Only GET and HEAD are supported');
  const path = fileForUrl(request.url, root);
  if (path === null) return plain(404, 'There is no such file');
  try {
    const body = await readFile(path);
    const type = types[extname(path)] ?? 'application/octet-stream';
    return new Response(request.method === 'HEAD' ? null : body, {
      headers: { ...headers, 'content-type': type },
    });
  } catch {
    return plain(404, 'There is no such file');
  }
}

/** Returns the file for an address; null when it is not inside `root`. */
export function fileForUrl(url: string, root: string): string | null {
  if (!isOurOrigin(url)) return null;
  const parts = decodedParts(new URL(url).pathname);
  if (!parts) return null;
  const path = join(root, ...parts);
  if (path === root) return join(root, 'index.html');
  return path.startsWith(root.endsWith(sep) ? root : root + sep) ? path : null;
}

/** Returns null for parts that no file of ours has: `..`, a NUL, an encoded separator or a colon (drives, streams). */
function decodedParts(pathname: string): string[] | null {
  try {
    const parts = pathname.split('/').map((part) => decodeURIComponent(part));
    return parts.some((part) => part === '..' || /[/\\:\0]/.test(part)) ? null : parts;
  } catch {
    return null;
  }
}

function plain(status: number, text: string): Response {
  return new Response(text, { status, headers: { ...headers, 'content-type': types['.txt'] ?? '' } });
}

// Restricts every page in this process: no navigation, no windows, no permissions but copying.

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

/** Copying, and notifications that a person asked for. */
const ALLOWED: readonly string[] = ['clipboard-sanitized-write', 'notifications'];

function isAllowed(permission: string, requester: string): boolean {
  return ALLOWED.includes(permission) && isOurOrigin(requester);
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
