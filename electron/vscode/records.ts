/** Finds the recording of a terminal: the shim becomes the recorder, so both have the same process id. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface TerminalRecord {
  artifactId: string;
  /** The session's folder, in which the recording's files are. */
  folder: string;
  /** The file of its output; null while nothing is written. */
  file: string | null;
}

/** Null when the terminal is not recorded. `home` is Spillway's. */
export function recordOfProcess(home: string, pid: number): TerminalRecord | null {
  const captures = join(home, 'captures');
  for (const session of namesIn(captures)) {
    const folder = join(captures, session);
    const records = namesIn(folder).filter((name) => name.startsWith('terminal-') && name.endsWith(META));
    for (const name of records) {
      const record = readRecord(join(folder, name));
      if (record?.status !== 'running' || record.recorder?.pid !== pid) continue;
      const file = record.streams?.[0]?.file ?? null;
      return {
        artifactId: name.slice(0, -META.length),
        folder,
        file: file === null ? null : join(folder, file),
      };
    }
  }
  return null;
}

const META = '.meta.json';

interface Fields {
  status?: string;
  recorder?: { pid?: number } | null;
  streams?: { file?: string | null }[];
}

function readRecord(path: string): Fields | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Fields;
  } catch {
    // It is replaced or removed just now.
    return null;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
