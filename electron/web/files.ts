/** Reads the files of the built interface: none outside its directory, no hidden ones, no listings. */
import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

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
