/** Remembers how lines are shown: with times, coloured by level, wrapped, JSON as message and fields. */
import { createStore } from '../../ui/state/store.ts';
import { stored, storeText } from '../../ui/state/stored.ts';
import type { TimeColumn } from './line-times.ts';

interface TextLook {
  times: TimeColumn;
  levels: boolean;
  /** Wrap long lines. */
  wrap: boolean;
  /** Show JSON lines as message and fields. */
  json: boolean;
}

const KEY = 'spillway.text';
const COLUMNS: readonly TimeColumn[] = ['off', 'time', 'since'];

export const textLook = createStore<TextLook>(lookFrom(stored(KEY)));

export function changeLook(change: Partial<TextLook>): void {
  const next = { ...textLook.get(), ...change };
  storeText(KEY, JSON.stringify(next));
  textLook.set(next);
}

export function nextTimes(times: TimeColumn): TimeColumn {
  return COLUMNS[(COLUMNS.indexOf(times) + 1) % COLUMNS.length] ?? 'off';
}

/** Parses the stored settings; drops invalid ones. */
export function lookFrom(text: string | null): TextLook {
  const usual: TextLook = { times: 'off', levels: true, wrap: false, json: true };
  try {
    const value = JSON.parse(text ?? '') as Partial<Record<keyof TextLook, unknown>> | null;
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
