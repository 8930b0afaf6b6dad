/** Whether a path is an executable file, and not a folder, which may have the same permission. */
import { accessSync, constants, statSync } from 'node:fs';

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
