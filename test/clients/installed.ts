/** Installs published packages once, in a folder that is kept; SPILLWAY_CLIENTS names another. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const INSTALL_MS = 600_000;

/** Returns the path of a package's command; null where the registry does not have the package. */
export function installedCommand(name: string, command: string): string | null {
  const folder = process.env.SPILLWAY_CLIENTS ?? join(tmpdir(), 'spillway-clients');
  const path = join(folder, 'node_modules', '.bin', command);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const args = ['install', '--no-audit', '--no-fund', '--prefix', folder, name];
  try {
    execFileSync('npm', args, { stdio: 'pipe', timeout: INSTALL_MS });
  } catch {
    return null;
  }
  return existsSync(path) ? path : null;
}
