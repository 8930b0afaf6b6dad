/** Where captures go and under which settings; or why nothing can be recorded, which keeps nothing from being run. */
import { toSpillwayError } from '../../../shared/errors.ts';
import type { Settings } from '../../../shared/settings.ts';
import { loadConfig } from '../settings/config.ts';
import { prepareHome } from '../settings/home.ts';

export interface RecordingHome {
  /** Prepared and private; null when nothing is recorded. */
  home: string | null;
  /** Why nothing is recorded, with what to do; null when all is well. */
  problem: string | null;
  settings: Settings;
  /** What is not understood in the settings, in sentences. */
  warnings: string[];
}

/** `home` as resolveHome gives it. Never throws. */
export function openRecordingHome(home: string): RecordingHome {
  let problem: string | null = null;
  try {
    prepareHome(home);
  } catch (error) {
    problem = toSpillwayError(error).message;
  }
  const { settings, warnings } = loadConfig(home);
  // One sentence about a home that is no good is enough.
  return problem === null
    ? { home, problem, settings, warnings }
    : { home: null, problem, settings, warnings: [] };
}
