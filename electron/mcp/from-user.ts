/** A path as a client's model writes it: `~` is the person's own folder. */
import { join } from 'node:path';
import { userFolder } from '../host/settings/home-path.ts';

export function fromUser(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(userFolder(), path.slice(1)) : path;
}
