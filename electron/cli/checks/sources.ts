/** Checks that the folders named in the settings exist and can be read. */
import { accessSync, constants, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadConfig } from '../../host/settings/config.ts';
import { userFolder } from '../../host/settings/home-path.ts';
import { type Check, ok, warn } from './check.ts';

export function checkSources(home: string): Check[] {
  const { sources } = loadConfig(home).settings;
  if (sources.length === 0) return [ok('sources', 'the settings name no folders to watch')];
  return sources.flatMap((source) => {
    // Spillway finds sources of these kinds itself.
    if (typeof source === 'object' && 'kind' in source) return [];
    const { path, enabled } = typeof source === 'string' ? { path: source, enabled: true } : source;
    return enabled ? checkSource(fromHome(path)) : ok('source', `${path} is switched off`);
  });
}

function checkSource(path: string): Check {
  try {
    const isDirectory = statSync(path).isDirectory();
    accessSync(path, constants.R_OK | (isDirectory ? constants.X_OK : 0));
    return ok('source', `${path} can be read`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === 'ENOENT'
      ? warn('source', `${path} does not exist`, 'make it, or take it out of config.json')
      : warn('source', `${path} cannot be read (${code})`, 'check its permissions');
  }
}

function fromHome(path: string): string {
  return path.startsWith('~/') || path === '~'
    ? join(userFolder(), path.slice(1))
    : resolve(userFolder(), path);
}
