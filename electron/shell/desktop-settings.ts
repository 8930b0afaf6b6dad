/** Switches of the desktop app alone. They are kept in the window's profile, apart from the settings of the home. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const DesktopSettings = z.object({
  /** An icon in the tray; closing the window then leaves the inspector running. */
  tray: z.boolean(),
  /** A notification when a command that ran for a while ends. */
  notify: z.boolean(),
  /** Asks one address for the newest version. */
  updates: z.boolean(),
});
export type DesktopSettings = z.infer<typeof DesktopSettings>;

/** Everything is off until the person agrees. */
const OFF: DesktopSettings = { tray: false, notify: false, updates: false };

const SETTINGS_FILE = 'desktop.json';

export class DesktopSwitches {
  readonly #path: string;
  readonly #listeners: ((key: keyof DesktopSettings) => void)[] = [];
  #now: DesktopSettings;

  constructor(profile: string) {
    this.#path = join(profile, SETTINGS_FILE);
    this.#now = stored(this.#path);
  }

  get now(): DesktopSettings {
    return this.#now;
  }

  readonly change = (key: keyof DesktopSettings, isOn: boolean): void => {
    this.#now = { ...this.#now, [key]: isOn };
    for (const listener of this.#listeners) listener(key);
    try {
      writeFileSync(this.#path, JSON.stringify(this.#now));
    } catch {
      // It is on until the app ends.
    }
  };

  /** @param listener gets the switch that was changed */
  onChange(listener: (key: keyof DesktopSettings) => void): void {
    this.#listeners.push(listener);
  }
}

function stored(path: string): DesktopSettings {
  try {
    return DesktopSettings.parse({ ...OFF, ...JSON.parse(readFileSync(path, 'utf8')) });
  } catch {
    return OFF;
  }
}
