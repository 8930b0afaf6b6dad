/** Remembers how lines are shown: with times, coloured by level, wrapped, JSON as message and fields. */

import { persisted, recordOf } from '../../ui/state/store.ts';

export type TimeColumn = 'off' | 'time' | 'since';

interface TextSettings {
  times: TimeColumn;
  levels: boolean;
  /** Wrap long lines. */
  wrap: boolean;
  /** Show JSON lines as message and fields. */
  json: boolean;
}

const COLUMNS: readonly TimeColumn[] = ['off', 'time', 'since'];

export const textSettings = persisted('spillway.text', textSettingsFrom);

export function changeTextSettings(change: Partial<TextSettings>): void {
  textSettings.set({ ...textSettings.get(), ...change });
}

export function nextTimes(times: TimeColumn): TimeColumn {
  return COLUMNS[(COLUMNS.indexOf(times) + 1) % COLUMNS.length] ?? 'off';
}

/** Parses the stored settings; drops invalid ones. */
export function textSettingsFrom(text: string | null): TextSettings {
  const { times, levels, wrap, json } = recordOf(text);
  return {
    times: COLUMNS.find((each) => each === times) ?? 'off',
    levels: levels !== false,
    wrap: wrap === true,
    json: json !== false,
  };
}
