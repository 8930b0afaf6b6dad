/** Runs after the extension was uninstalled: removes its shims, and the settings that name them. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { notedStorages } from './places.ts';
import { withoutShims } from './without-shims.ts';

const STORAGE = 'spillway.spillway';

/** The folders `User`: where the extension was used, and where VS Code and its kin usually keep them. */
function userFolders(): string[] {
  const extensions = resolve(__dirname, '..');
  const roots = [
    join(extensions, '..', 'data'),
    join(extensions, '..'),
    ...foldersIn(join(homedir(), '.config')),
    ...foldersIn(join(homedir(), 'Library', 'Application Support')),
  ];
  const used = notedStorages(__dirname).map((storage) => resolve(storage, '..', '..'));
  const users = [...used, ...roots.map((root) => join(root, 'User'))];
  return [...new Set(users.flatMap((user) => [user, join(user, '..', 'Machine')]))];
}

function foldersIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

function defaultBefore(storages: readonly string[]): string | null {
  const file = storages.map((storage) => join(storage, 'default-profile.json')).find(existsSync);
  return file === undefined ? null : (JSON.parse(readFileSync(file, 'utf8')) as string | null);
}

function uninstall(): void {
  const folders = userFolders();
  const storages = folders.map((folder) => join(folder, 'globalStorage', STORAGE));
  for (const folder of folders) {
    const file = join(folder, 'settings.json');
    try {
      const text = readFileSync(file, 'utf8');
      const left = withoutShims(text, storages, defaultBefore(storages));
      if (left !== text) writeFileSync(file, left);
    } catch {
      // There are none, or they can't be read: shims without Spillway would still start the shell.
    }
  }
  for (const storage of storages) rmSync(storage, { recursive: true, force: true });
}

uninstall();
