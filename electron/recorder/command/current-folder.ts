/** Our working directory, which a command inherits even if it was deleted, or its name is not UTF-8. */

/** Returns its path, or $PWD if the system call fails. */
export function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return process.env.PWD ?? '/';
  }
}

/** Returns a child's `cwd`: undefined for our own directory. */
export function folderToEnter(cwd: string): string | undefined {
  return cwd === currentFolder() ? undefined : cwd;
}
