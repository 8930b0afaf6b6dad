/** Edits a settings.json that VS Code may be writing: it empties the file first, then writes the new text. */
import { chmodSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type ParseError, parse } from 'jsonc-parser';

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
