/** Answers plain requests: with a file of the interface, or a short page that says why not. */

import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { cookieHeaders, type Gate, judgeRequest, requestUrl } from './gate.ts';

interface Reply {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

export async function replyTo(request: IncomingMessage, gate: Gate, staticDir: string): Promise<Reply> {
  const verdict = judgeRequest(request, gate);
  const url = requestUrl(request);
  if (!verdict.pass || url === null) {
    if (verdict.pass) return ofPage(notFound);
    const reply = ofPage(refusal(verdict.status, verdict.why));
    if (verdict.status === 405) reply.headers.Allow = 'GET, HEAD';
    return reply;
  }
  if (url.pathname === '/api') {
    const reply = ofPage(
      page(426, 'This address is for WebSockets', 'The interface is at the address without a path.'),
    );
    reply.headers.Upgrade = 'websocket';
    return reply;
  }
  const file = await readStatic(staticDir, url.pathname);
  if (file === null) return ofPage(url.pathname === '/' ? notBuilt : notFound);
  const html = file.type.startsWith('text/html');
  const headers: Reply['headers'] = {
    'Content-Type': file.type,
    'Cache-Control': html ? 'no-store' : file.immutable ? 'private, max-age=31536000, immutable' : 'no-cache',
  };
  if (html && verdict.by !== 'cookie') {
    headers['Set-Cookie'] = cookieHeaders(gate.cookieName, gate.passes.cookie, request.headers.cookie);
  }
  if (!html) headers.ETag = file.etag;
  if (!html && request.headers['if-none-match'] === file.etag)
    return { status: 304, headers, body: Buffer.alloc(0) };
  return { status: 200, headers, body: file.body };
}

/** Sends a reply; to HEAD without its body. */
export function send(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  // Request bodies are never read, so no other request can follow on this connection.
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || request.headers['content-length'] !== undefined;
  response.writeHead(reply.status, {
    ...SECURITY_HEADERS,
    ...reply.headers,
    ...(reply.status === 304 ? {} : { 'Content-Length': String(reply.body.length) }),
    ...(hasBody ? { Connection: 'close' } : {}),
  });
  response.end(request.method === 'HEAD' || reply.status === 304 ? undefined : reply.body);
}

/** Refuses an upgrade by hand, as the HTTP server has given up the socket by then. */
export function refuseUpgrade(socket: Duplex, status: number): void {
  const headers = { ...SECURITY_HEADERS, Connection: 'close', 'Content-Length': '0' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`, () => socket.destroy());
}

export const broken: Reply = ofPage(
  page(500, 'Something went wrong', 'Reload the page; report it if it happens again.'),
);

function ofPage({ status, html }: Page): Reply {
  return {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' },
    body: Buffer.from(html),
  };
}

/** Headers of every reply. Captured text may hold anything, so the page is allowed as little as possible. */
const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/** Shown instead of the interface: short, without script or style. */
interface Page {
  status: number;
  html: string;
}

/** `what` and `todo` must be our own text, never text from a request. */
function page(status: number, what: string, todo: string): Page {
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Spillway: ${escapeHtml(what)}</title>
<h1>${escapeHtml(what)}</h1>
<p>${escapeHtml(todo)}</p>
</html>
`;
  return { status, html };
}

function refusal(status: number, why: string): Page {
  return page(status, `Refused: ${why}`, TODO[status] ?? 'Open the address that Spillway printed.');
}

const notFound: Page = page(404, 'Not found', 'The interface is at the address without a path.');

const notBuilt: Page = page(
  503,
  'The interface has not been built',
  'Run `npm run build` in the project, then reload this page.',
);

const TODO: Record<number, string> = {
  401:
    'Run `spillway open`: it prints a new address. Open the whole of it, including the part after ?token=. ' +
    'An address is good until it is used, and for a minute after that.',
  403:
    'Open Spillway at 127.0.0.1 or localhost in its own tab. From another machine, forward its port over SSH and open ' +
    'http://localhost with the forwarded port.',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}

// Reads the files of the built interface: none outside its directory, no hidden ones, no listings.

interface StaticFile {
  body: Buffer;
  type: string;
  etag: string;
  /** Its name has a hash of its content, so it never changes. */
  immutable: boolean;
}

/** Returns null when the file does not exist. `pathname`: as in the URL, percent-encoded. */
export async function readStatic(directory: string, pathname: string): Promise<StaticFile | null> {
  const name = plainName(pathname === '/' ? '/index.html' : pathname);
  if (name === null) return null;
  try {
    const root = await realpath(directory);
    const file = await realpath(path.join(root, name));
    if (!file.startsWith(root + path.sep) || !(await stat(file)).isFile()) return null;
    const body = await readFile(file);
    return {
      body,
      type: TYPES[path.extname(file).toLowerCase()] ?? 'application/octet-stream',
      etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
      immutable: /^\/assets\/.*-[\w-]{8,}\.\w+$/.test(name),
    };
  } catch {
    return null;
  }
}

/** Returns the path if it consists of ordinary names; null for anything else, wherever it leads. */
function plainName(pathname: string): string | null {
  let name: string;
  try {
    name = decodeURIComponent(pathname);
  } catch {
    return null;
  }
  const [root, ...parts] = name.split('/');
  return root === '' && parts.every((part) => /^\w[\w.@+-]*$/.test(part)) ? name : null;
}

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};
