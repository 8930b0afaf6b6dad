/** The folder that is the user's own, also for one the system knows nothing of: in a container, or from a timer. */
import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';

/** Absolute: what HOME says, else the account; the root, as shells have it, where there is neither. */
export function userFolder(sources: readonly (() => string)[] = [homedir, accountFolder]): string {
  for (const source of sources) {
    const path = absolute(source);
    if (path !== null) return path;
  }
  return '/';
}

function accountFolder(): string {
  return userInfo().homedir;
}

/** Null for what is relative, which would be another folder each time, and where the system fails. */
function absolute(source: () => string): string | null {
  try {
    const path = source();
    return isAbsolute(path) ? path : null;
  } catch {
    return null;
  }
}
