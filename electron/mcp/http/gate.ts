/**
 * Decides which HTTP requests may enter. It refuses pages of other sites and made-up host names (DNS rebinding)
 * first, then requests without the token.
 */
import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { SpillwayError } from '../../../shared/errors.ts';
import { foreignPart, isSame, MCP_POLICY } from '../../host/socket/local-http.ts';

export const MCP_PATH = '/mcp';

interface Refused {
  status: 400 | 401 | 403 | 404;
  why: string;
}

/** Null lets the request in. */
export function refusalOf(request: IncomingMessage, token: string): Refused | null {
  const foreign = foreignPart(request, MCP_POLICY);
  if (foreign !== null) return { status: 403, why: FOREIGN[foreign] };
  const bearer = bearerOf(request);
  if (bearer === undefined || !isSame(bearer, token)) {
    const fault = bearer === undefined ? 'it came without a token' : "its token is not this home's";
    return {
      status: 401,
      why: `${fault}: send the one in run/mcp-http.token of the home as \`Authorization: Bearer\``,
    };
  }
  if (pathOf(request) !== MCP_PATH) return { status: 404, why: `MCP is at ${MCP_PATH}` };
  return null;
}

const FOREIGN = {
  host: 'it was addressed to another host than this machine',
  origin: 'it was sent by a page of another origin',
  site: 'it was sent by a page of another site',
};

function bearerOf(request: IncomingMessage): string | undefined {
  const given = request.headersDistinct.authorization ?? [];
  return given.length === 1 ? /^bearer +([\w.~+/-]+=*) *$/i.exec(given[0]!)?.[1] : undefined;
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '').split('?', 1)[0]!;
}

/** The token that clients of MCP over HTTP show: made once, kept in the home's `run` directory for this user alone. */
const FORM = /^[\w-]{32,}$/;

/** Returns the bearer token, made on first use. Errors: `home` when the token file is not a private file of ours. */
export async function httpToken(runDir: string): Promise<string> {
  await mkdir(runDir, { recursive: true, mode: 0o700 });
  const file = join(runDir, 'mcp-http.token');
  const token = randomBytes(32).toString('base64url');
  try {
    await writeFile(file, `${token}\n`, { flag: 'wx', mode: 0o600 });
    return token;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw notOurs(file, error);
  }
  const stats = await lstat(file).catch((error) => {
    throw notOurs(file, error);
  });
  const ours = process.platform === 'win32' || stats.uid === process.getuid?.();
  if (!stats.isFile() || !ours || stats.size > 1024) throw notOurs(file);
  if ((stats.mode & 0o077) !== 0 && process.platform !== 'win32') await chmod(file, 0o600);
  const kept = (await readFile(file, 'utf8')).trim();
  if (!FORM.test(kept)) throw notOurs(file);
  return kept;
}

function notOurs(file: string, error?: unknown): SpillwayError {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return new SpillwayError(
    'home',
    `${file} ${code ? `can't be used (${code})` : 'is not a token that Spillway wrote'}`,
    'look at it, then remove it: a new one is made',
  );
}
