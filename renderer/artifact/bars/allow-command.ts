import { shellWord } from '../../../shared/text/shell-words.ts';

/** Returns a command that makes a file readable for its owner; null on systems without one. */
export function allowCommand(path: string | null): string | null {
  if (path === null || !path.startsWith('/')) return null;
  return `chmod u+r ${shellWord(path)}`;
}
