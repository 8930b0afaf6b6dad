/** The folder we are in, which a command is in by itself: also where it has been deleted, or its name is no UTF-8. */

/** Its path, as far as it can be said. */
export function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return process.env.PWD ?? '/';
  }
}

/** For a child's `cwd`: nothing for the folder that we are in anyway. */
export function folderToEnter(cwd: string): string | undefined {
  return cwd === currentFolder() ? undefined : cwd;
}
