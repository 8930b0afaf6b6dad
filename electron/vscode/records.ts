/**
 * Finds the capture of a terminal. The shim becomes the recorder, so both have the same process id; a terminal that is
 * only listed has its shell's process id in its record.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CAPTURES_FOLDER, isTerminalId, RECORD_SUFFIX } from '../../shared/artifact-names.ts';
import type { TerminalCapture } from '../host/terminal/editor-terminals.ts';
import { shellName } from './shims.ts';

export interface TerminalRecord extends TerminalCapture {
  /** The file of its output; null for one that is listed and not recorded. */
  file: string | null;
}

export class TerminalRecords {
  readonly #captures: string;
  /** Terminals that have ended: their records are not read again. */
  readonly #ended = new Set<string>();

  /** `home` is Spillway's. */
  constructor(home: string) {
    this.#captures = join(home, CAPTURES_FOLDER);
  }

  /** The running captures, by process id. */
  byProcess(): Map<number, TerminalRecord> {
    const found = new Map<number, TerminalRecord>();
    for (const session of namesIn(this.#captures)) {
      const folder = join(this.#captures, session);
      for (const name of namesIn(folder)) {
        if (!isTerminalId(name) || !name.endsWith(RECORD_SUFFIX) || this.#ended.has(name)) continue;
        const record = readRecord(join(folder, name));
        if (record === null) continue;
        const pid = record.recorder?.pid;
        if (record.status !== 'running') this.#ended.add(name);
        if (record.status !== 'running' || pid === undefined) continue;
        const file = record.streams?.[0]?.file ?? null;
        // A recording counts more than a line in the list, should there be both.
        if (found.has(pid) && file === null) continue;
        const artifactId = name.slice(0, -RECORD_SUFFIX.length);
        found.set(pid, { artifactId, folder, file: file && join(folder, file) });
      }
    }
    return found;
  }
}

/**
 * True for a shell, and for a program that one has become; false for a shim, and the recorder that it becomes. Null
 * where the system does not say.
 */
export function isPlainShell(pid: number, shims: string): boolean | null {
  try {
    const program = basename(readlinkSync(`/proc/${pid}/exe`));
    const shell = shellName(program.replace(/[\d.-]+$/, ''));
    return shell !== null && !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(shims);
  } catch {
    return null;
  }
}

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
