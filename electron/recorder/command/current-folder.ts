/** Our working directory, which a command inherits even if it was deleted, or its name is not UTF-8. */

/** Returns its path; $PWD where the system cannot tell. */
export function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return process.env.PWD ?? '/';
  }
}

/** Returns a child's `cwd`: undefined for the directory that we are in anyway. */
export function folderToEnter(cwd: string): string | undefined {
  return cwd === currentFolder() ? undefined : cwd;
}
