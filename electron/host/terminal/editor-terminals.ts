/**
 * Stores what an editor knows of its terminals: names of recorded terminals, and records of terminals that were open
 * before recording began. Throws what the system throws.
 */
import { join } from 'node:path';
import { INCOMPLETE_TERMINAL } from '../../../shared/terminals.ts';
import { fullRecord, readEntry } from '../../store/format/entry.ts';
import { nameFile, newArtifactId, recordFile } from '../../store/format/names.ts';
import { ownerOf } from '../../store/format/owner.ts';
import { type CaptureRecord, RECORD_VERSION } from '../../store/format/record.ts';
import { openSessionFolder } from '../../store/format/session.ts';
import { replaceFile } from '../../store/format/small-file.ts';
import { prepareHome } from '../settings/home.ts';

/** One capture: its id, and the path of its session's folder. */
export interface TerminalCapture {
  artifactId: string;
  folder: string;
}

interface OpenTerminal {
  session: string;
  name: string;
  /** Its shell's process: the terminal counts as running for as long as this does. */
  pid: number;
  cwd: string | null;
}

const MAX_NAME_CHARS = 200;

/** `name` empty: as the recording calls it. */
export function nameTerminal({ folder, artifactId }: TerminalCapture, name: string): void {
  if (readEntry(folder, artifactId) === null) return;
  replaceFile(join(folder, nameFile(artifactId)), name.slice(0, MAX_NAME_CHARS));
}

/** Makes the record of a terminal that nothing records. */
export function listTerminal(home: string, { session, name, pid, cwd }: OpenTerminal): TerminalCapture {
  prepareHome(home);
  const now = new Date();
  const folder = openSessionFolder(home, session, now);
  const label = name.slice(0, MAX_NAME_CHARS);
  const artifactId = newArtifactId('terminal', label, now);
  const record: CaptureRecord = {
    ...{ version: RECORD_VERSION, artifact_id: artifactId, kind: 'terminal', label, session, cwd },
    ...{ command: null, args: null, env_names: null, agent: null, origin: null },
    ...{ status: 'running', exit_code: null, signal: null, cause: null },
    ...{ started_at: now.toISOString(), ended_at: null, duration_ms: null },
    ...{ warnings: [INCOMPLETE_TERMINAL], recorder: ownerOf(pid), stop: null, times: null, terminal: null },
    streams: [
      {
        ...{ name: 'output', file: null, folded: '', total_bytes: 0, total_lines: 0 },
        ...{ gap: null, content_type: 'log' },
      },
    ],
  };
  replaceFile(join(folder, recordFile(artifactId)), JSON.stringify(record));
  return { artifactId, folder };
}

/** Concludes the record of a listed terminal. `exitCode` null: unknown. */
export function endTerminal({ folder, artifactId }: TerminalCapture, exitCode: number | null): void {
  const entry = readEntry(folder, artifactId);
  if (entry === null) return;
  const record = fullRecord(entry);
  const now = new Date();
  const ended: CaptureRecord = {
    ...record,
    ...{ status: 'finished', exit_code: exitCode, recorder: null },
    ...{
      ended_at: now.toISOString(),
      duration_ms: Math.max(0, now.getTime() - Date.parse(record.started_at)),
    },
  };
  replaceFile(join(folder, recordFile(artifactId)), JSON.stringify(ended));
}
