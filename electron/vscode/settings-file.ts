/**
 * Removes from a settings.json what leads to the extension. VS Code may be writing the file: it empties it first, then
 * writes the new text.
 */
import { chmodSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { applyEdits, type JSONPath, modify, type ParseError, parse } from 'jsonc-parser';

/** A file that is not whole for that long is the user’s own. VS Code ends the program that uninstalls after 5 s. */
const WRITING_MS = 1500;
const READ_AGAIN_MS = 50;

/**
 * Replaces the text by what `edit` makes of it, in one step: no reader sees half of it. Follows a link, and keeps
 * the permissions. Throws what the system throws. `writingMs`: how long to wait for a file that is being written.
 */
export async function editSettings(
  path: string,
  edit: (text: string) => string,
  writingMs = WRITING_MS,
): Promise<void> {
  const file = realpathSync(path);
  const text = await wholeText(file, writingMs);
  const edited = edit(text);
  if (edited !== text) replace(file, edited);
}

async function wholeText(file: string, writingMs: number): Promise<string> {
  for (const giveUp = performance.now() + writingMs; ; await pause(READ_AGAIN_MS)) {
    const text = readFileSync(file, 'utf8');
    if (isWhole(text) || performance.now() >= giveUp) return text;
  }
}

function isWhole(text: string): boolean {
  const errors: ParseError[] = [];
  parse(text, errors, { allowTrailingComma: true });
  return errors.length === 0;
}

function replace(file: string, text: string): void {
  const next = `${file}.${process.pid}.spillway`;
  try {
    writeFileSync(next, text, { mode: 0o600 });
    chmodSync(next, statSync(file).mode);
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}

/**
 * Returns the text without what leads to the extension. Comments and everything else stay.
 *
 * `storages`: folders that shims may lie in. `defaultBefore`: the default profile before the extension's.
 */
export function withoutShims(
  text: string,
  storages: readonly string[],
  defaultBefore: string | null,
): string {
  const settings = (parse(text) ?? {}) as Record<string, unknown>;
  const isShim = (value: unknown) => {
    const path = (value as { path?: unknown } | null)?.path;
    return typeof path === 'string' && storages.some((storage) => path.startsWith(storage));
  };
  let left = text;
  const set = (path: JSONPath, value?: unknown) => {
    left = applyEdits(left, modify(left, path, value, {}));
  };
  const ours: string[] = [];
  for (const [name, value] of Object.entries(settings)) {
    if (isShim(value) || name.startsWith('spillway.')) set([name]);
    if (!name.startsWith('terminal.integrated.profiles.')) continue;
    const profiles = Object.entries(value ?? {});
    const shims = profiles.filter(([, profile]) => isShim(profile)).map(([profile]) => profile);
    ours.push(...shims);
    if (shims.length > 0 && shims.length === profiles.length) set([name]);
    else for (const profile of shims) set([name, profile]);
  }
  for (const [name, value] of Object.entries(settings))
    if (name.startsWith('terminal.integrated.defaultProfile.') && ours.includes(String(value)))
      set([name], defaultBefore ?? undefined);
  return left;
}

// Notes where VS Code keeps its user folders, since the uninstaller is not told. The note lies beside the program, and
// goes with it.

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
