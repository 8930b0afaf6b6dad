import { shellWord } from './shell-words.ts';

/** The command that lets a person read a file of theirs; null where there is no such command. */
export function allowCommand(path: string | null): string | null {
  if (path === null || !path.startsWith('/')) return null;
  return `chmod u+r ${shellWord(path)}`;
}
