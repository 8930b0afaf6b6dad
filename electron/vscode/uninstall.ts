/** Runs after the extension was uninstalled: removes its shims, and the settings that name them. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { editSettings, notedStorages, withoutShims } from './settings-file.ts';

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

async function uninstall(): Promise<void> {
  const folders = userFolders();
  const storages = folders.map((folder) => join(folder, 'globalStorage', STORAGE));
  const before = defaultBefore(storages);
  const edits = folders.map((folder) =>
    editSettings(join(folder, 'settings.json'), (text) => withoutShims(text, storages, before)),
  );
  // Some folders have no settings, or they can't be read.
  await Promise.allSettled(edits);
  for (const storage of storages) rmSync(storage, { recursive: true, force: true });
}

void uninstall();
