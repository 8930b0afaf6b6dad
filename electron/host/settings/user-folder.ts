/** The folder that is the user's own, also for one the system knows nothing of: in a container, or from a timer. */
import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';

/** The user's home folder, absolute: from HOME, else from the account, else the root, as in shells. */
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

/** Returns null for a relative path, which would depend on the working directory, and if the system call fails. */
function absolute(source: () => string): string | null {
  try {
    const path = source();
    return isAbsolute(path) ? path : null;
  } catch {
    return null;
  }
}
