/**
 * Notes where VS Code keeps its user folders, since the uninstaller is not told. The note lies beside the program, and
 * goes with it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'storages.json';

/** `folder`: the extension's. `storage`: its folder in `User/globalStorage`. */
export function noteStorage(folder: string, storage: string): void {
  const known = notedStorages(folder);
  if (known.includes(storage)) return;
  try {
    writeFileSync(join(folder, NAME), `${JSON.stringify([...known, storage])}\n`);
  } catch {
    // The extension was installed for all users: uninstalling looks in the usual places alone.
  }
}

export function notedStorages(folder: string): string[] {
  try {
    const noted: unknown = JSON.parse(readFileSync(join(folder, NAME), 'utf8'));
    return Array.isArray(noted) ? noted.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}
