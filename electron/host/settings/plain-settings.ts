/** Reads `config.json` without schemas, for `spillway run`: loading the schemas takes a quarter of its time. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isAllowed, REDACT_DEFAULT, SETTING_RULES, type SettingRule } from '../../../shared/setting-rules.ts';
import type { Settings } from '../../../shared/settings.ts';
import { isObject } from '../../../shared/text/json-line.ts';

/** Returns null if a setting is invalid. Then `loadConfig` describes the problem. */
export function plainSettings(home: string): Settings | null {
  const given = readGiven(join(home, 'config.json'));
  if (given === null) return null;
  if (!Object.keys(given).every((key) => Object.hasOwn(SETTING_RULES, key))) return null;
  const settings: Record<string, unknown> = {};
  for (const [key, rule] of Object.entries<SettingRule>(SETTING_RULES)) {
    if (key === 'archive' || key === 'archiveSearch') {
      // A run does not look into them: what ships, after the run, does.
      settings[key] = given[key] ?? null;
      continue;
    }
    if (key === 'redact') {
      const redact = plainRedact(given[key]);
      if (redact === null) return null;
      settings[key] = redact;
      continue;
    }
    const value = Object.hasOwn(given, key) ? given[key] : rule.default;
    if (!(rule.list ? isPlainList(rule.list, value) : isAllowed(rule, value))) return null;
    settings[key] = value;
  }
  return settings as Settings;
}

function readGiven(path: string): Record<string, unknown> | null {
  try {
    if (!statSync(path).isFile()) return null;
    const value: unknown = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
    return isObject(value) ? value : null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? {} : null;
  }
}

function plainRedact(given: unknown): Settings['redact'] | null {
  if (given === undefined) return REDACT_DEFAULT;
  if (!isObject(given) || !Object.keys(given).every((key) => Object.hasOwn(REDACT_DEFAULT, key))) return null;
  const redact = { ...REDACT_DEFAULT, ...given };
  const areExpressions = [redact.patterns, redact.except].every(
    (list) =>
      Array.isArray(list) && list.every((one) => typeof one === 'string' && one !== '' && isPattern(one)),
  );
  const areNames = [redact.exceptClients, redact.exceptSources].every(
    (list) => Array.isArray(list) && list.every((one) => typeof one === 'string' && one !== ''),
  );
  return areExpressions && areNames && typeof redact.mcp === 'boolean' && typeof redact.copy === 'boolean'
    ? redact
    : null;
}

function isPlainList(list: SettingRule['list'], value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  return value.every((item) =>
    // Where the sources are does not matter to a run.
    list === 'sources' && typeof item === 'object' && item !== null
      ? true
      : typeof item === 'string' && item !== '' && (list !== 'patterns' || isPattern(item)),
  );
}

/** Also false for a pattern that only Perl understands: `loadConfig` asks Perl. */
function isPattern(text: string): boolean {
  try {
    return Boolean(new RegExp(text));
  } catch {
    return false;
  }
}
