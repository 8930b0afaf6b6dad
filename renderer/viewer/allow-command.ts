/** The command that lets a person read a file of theirs; null where there is no such command. */
export function allowCommand(path: string | null): string | null {
  if (path === null || !path.startsWith('/')) return null;
  return `chmod u+r ${quoted(path)}`;
}

/** As a shell takes it: in quotes unless nothing in it could mean something else. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
