/**
 * Remembers how lines are shown: with times, coloured by level, wrapped, JSON as message and fields. For each format of
 * a text it remembers which fields are columns.
 */

import type { LogFormat } from '../../../shared/log-format.ts';
import { jsonOf, persisted, recordOf } from '../../ui/state/store.ts';

export type TimeColumn = 'off' | 'time' | 'since';

interface TextSettings {
  times: TimeColumn;
  levels: boolean;
  /** Wrap long lines. */
  wrap: boolean;
  /** Show JSON lines as message and fields, and a CI's without job, step and time. */
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

/** A field that is a column, and its width in characters. */
export interface Column {
  field: string;
  width: number;
}

/** The columns for texts of one format with some of these fields. */
interface Table {
  format: string;
  columns: readonly Column[];
}

const MOST_TABLES = 50;
export const LEAST_COLUMN = 3;
export const MOST_COLUMN = 200;

export const tables = persisted('spillway.columns', tablesFrom);

export const NO_COLUMNS: readonly Column[] = [];

/** The table that was chosen last for a text with most of its fields: formats such as `JSON lines` have many. */
function tableOf({ name, fields }: LogFormat): Table | undefined {
  return tables.get().find(({ format, columns }) => {
    const known = columns.filter(({ field }) => fields.includes(field));
    return format === name && known.length * 2 >= columns.length;
  });
}

export function columnsOf(format: LogFormat | null): readonly Column[] {
  return (format && tableOf(format)?.columns) ?? NO_COLUMNS;
}

/** Remembers the columns for texts like this one; without columns, lines are shown as before. */
export function chooseColumns(format: LogFormat, columns: readonly Column[]): void {
  const last = tableOf(format);
  const others = tables.get().filter((one) => one !== last);
  const chosen = columns.length === 0 ? [] : [{ format: format.name, columns }];
  tables.set([...chosen, ...others].slice(0, MOST_TABLES));
}

/** Parses the stored tables; drops invalid ones. */
function tablesFrom(text: string | null): readonly Table[] {
  const stored = jsonOf(text);
  const isColumn = (one: unknown): one is Column =>
    typeof Object(one).field === 'string' &&
    Object(one).width >= LEAST_COLUMN &&
    Object(one).width <= MOST_COLUMN;
  return (Array.isArray(stored) ? stored : []).filter(
    ({ format, columns }) =>
      typeof format === 'string' && Array.isArray(columns) && columns.length > 0 && columns.every(isColumn),
  );
}
