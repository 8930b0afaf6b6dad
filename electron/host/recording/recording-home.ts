/** Opens the home that captures go to; where that fails, commands run unrecorded. */
import { toSpillwayError } from '../../../shared/errors.ts';
import type { Settings } from '../../../shared/settings.ts';
import { prepareHome } from '../settings/home.ts';

export interface RecordingHome {
  /** The prepared, private home; null if nothing is recorded. */
  home: string | null;
  /** Why nothing is recorded, and what to do; null without a problem. */
  problem: string | null;
  settings: Settings;
  /** Mistakes in the settings, in sentences. */
  warnings: string[];
}

/** `home` is from `resolveHome`, `config` from `loadConfig`. Never throws. */
export function openRecordingHome(
  home: string,
  { settings, warnings }: Pick<RecordingHome, 'settings' | 'warnings'>,
): RecordingHome {
  try {
    prepareHome(home);
    return { home, problem: null, settings, warnings };
  } catch (error) {
    // One sentence about a home that cannot be used is enough.
    return { home: null, problem: toSpillwayError(error).message, settings, warnings: [] };
  }
}
