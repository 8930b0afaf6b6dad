/** Remembers how lines are shown: with times, coloured by level, wrapped, JSON as message and fields. */

import { createStore, stored, storeText } from '../../ui/state/store.ts';

export type TimeColumn = 'off' | 'time' | 'since';

interface TextSettings {
  times: TimeColumn;
  levels: boolean;
  /** Wrap long lines. */
  wrap: boolean;
  /** Show JSON lines as message and fields. */
  json: boolean;
}

const KEY = 'spillway.text';
const COLUMNS: readonly TimeColumn[] = ['off', 'time', 'since'];

export const textSettings = createStore<TextSettings>(textSettingsFrom(stored(KEY)));

export function changeTextSettings(change: Partial<TextSettings>): void {
  const next = { ...textSettings.get(), ...change };
  storeText(KEY, JSON.stringify(next));
  textSettings.set(next);
}

export function nextTimes(times: TimeColumn): TimeColumn {
  return COLUMNS[(COLUMNS.indexOf(times) + 1) % COLUMNS.length] ?? 'off';
}

/** Parses the stored settings; drops invalid ones. */
export function textSettingsFrom(text: string | null): TextSettings {
  const usual: TextSettings = { times: 'off', levels: true, wrap: false, json: true };
  try {
    const value = JSON.parse(text ?? '') as Partial<Record<keyof TextSettings, unknown>> | null;
    return {
      times: COLUMNS.find((each) => each === value?.times) ?? usual.times,
      levels: typeof value?.levels === 'boolean' ? value.levels : usual.levels,
      wrap: typeof value?.wrap === 'boolean' ? value.wrap : usual.wrap,
      json: typeof value?.json === 'boolean' ? value.json : usual.json,
    };
  } catch {
    return usual;
  }
}
