/** Reads `config.json` without schemas, for `spillway run`: loading those takes a quarter of its time. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isAllowed, SETTING_RULES, type SettingRule } from '../../../shared/setting-rules.ts';
import type { Settings } from '../../../shared/settings.ts';

const LISTS = ['sources', 'recordExclude', 'recordExcludeFolders'];

/** Returns null where something in it has to be explained to a person: `loadConfig` does. */
export function plainSettings(home: string): Settings | null {
  const given = readGiven(join(home, 'config.json'));
  if (given === null) return null;
  const rules: Record<string, SettingRule> = SETTING_RULES;
  const settings: Record<string, unknown> = {};
  for (const key of LISTS) settings[key] = given[key] ?? [];
  for (const [key, rule] of Object.entries(rules)) {
    settings[key] = Object.hasOwn(given, key) ? given[key] : rule.default;
    if (!isAllowed(rule, settings[key])) return null;
  }
  const isKnown = Object.keys(given).every((key) => LISTS.includes(key) || Object.hasOwn(rules, key));
  return isKnown && LISTS.every((key) => isPlainList(key, settings[key])) ? (settings as Settings) : null;
}

function readGiven(path: string): Record<string, unknown> | null {
  try {
    if (!statSync(path).isFile()) return null;
    const value: unknown = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
    return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? {} : null;
  }
}

function isPlainList(key: string, value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  return value.every((item) =>
    // Where the sources are does not matter to a run.
    key === 'sources' && typeof item === 'object' && item !== null
      ? true
      : typeof item === 'string' && item !== '',
  );
}
