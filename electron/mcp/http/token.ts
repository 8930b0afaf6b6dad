/** The token that clients of MCP over HTTP show: made once, kept in the home's `run` directory for this user alone. */
import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SpillwayError } from '../../../shared/errors.ts';

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
