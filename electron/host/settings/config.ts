/** Reading `config.json`: a key that is unknown or bad is named, and its default used. Nothing in it stops a start. */
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { REDACT_DEFAULT, SETTING_RULES, type SettingRule } from '../../../shared/setting-rules.ts';
import { ArchiveSettings, type Settings, SourceSetting, settings } from '../../../shared/settings.ts';
import { isObject } from '../../../shared/text/json-line.ts';
import { nearest } from '../../../shared/text/nearest.ts';
import { findPerl } from '../../recorder/command/perl.ts';

export interface Config {
  settings: Settings;
  /** Problems with the settings, as sentences. */
  warnings: string[];
}

export function loadConfig(home: string): Config {
  const path = join(home, 'config.json');
  const warnings: string[] = [];
  const given = readObject(path, warnings);
  const entries = Object.entries(settings).map(([key, schema]) => {
    const parsed = schema.safeParse(Object.hasOwn(given, key) ? given[key] : undefined);
    if (parsed.success) return [key, parsed.data];
    if (key === 'redact' && isObject(given[key])) {
      const { kept, problems } = validRedact(given[key]);
      warnings.push(...problems.map((problem) => `config.json: ${problem}`));
      return [key, kept];
    }
    warnings.push(`config.json: ${settingProblem(key as keyof Settings, given[key])}`);
    return [key, schema.parse(undefined)];
  });
  const found = Object.fromEntries(entries) as Settings;
  for (const { index, reason } of badPatterns(found.recordExclude))
    warnings.push(`config.json: ${exclusionProblem(index, found.recordExclude[index]!, reason)}`);
  const known = Object.keys(settings);
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue;
    const [near] = nearest(key, known, 1);
    warnings.push(
      `config.json: unknown setting ${JSON.stringify(key)}${near ? `, did you mean ${near}?` : ''}`,
    );
  }
  return { settings: found, warnings };
}

/** Keeps what is valid: one wrong field must not show the secrets that the others name. */
function validRedact(given: Record<string, unknown>): { kept: Settings['redact']; problems: string[] } {
  const kept: Record<string, unknown> = { ...REDACT_DEFAULT };
  const problems: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const usual = kept[name];
    if (usual === undefined) {
      problems.push(noField('redact', name, Object.keys(REDACT_DEFAULT)));
      continue;
    }
    const list = Array.isArray(usual) ? value : [value];
    const isValid = (one: unknown) =>
      settings.redact.safeParse({ [name]: Array.isArray(usual) ? [one] : one }).success;
    const bad = Array.isArray(list) ? list.filter((one) => !isValid(one)) : [value];
    const must =
      typeof usual === 'boolean'
        ? 'true or false'
        : ['patterns', 'except'].includes(name)
          ? 'a list of regular expressions'
          : 'a list of names';
    problems.push(...bad.map((one) => `redact.${name} must be ${must}, not ${shown(one)}`));
    if (Array.isArray(usual) && Array.isArray(list)) kept[name] = list.filter(isValid);
    else if (bad.length === 0) kept[name] = value;
  }
  return { kept: kept as Settings['redact'], problems };
}

function readObject(path: string, warnings: string[]): Record<string, unknown> {
  let text: string;
  try {
    // A pipe or device might never end.
    if (!statSync(path).isFile()) {
      warnings.push('config.json is not a file: the defaults are used');
      return {};
    }
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOENT') warnings.push(`config.json cannot be read (${code}): the defaults are used`);
    return {};
  }
  try {
    // Some editors begin a file with a byte order mark, which JSON.parse does not take.
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (isObject(value)) return value;
    warnings.push('config.json does not hold an object: the defaults are used');
  } catch (error) {
    warnings.push(`config.json is not valid JSON (${(error as Error).message}): the defaults are used`);
  }
  return {};
}

interface BadPattern {
  index: number;
  /** Perl's words, such as `Unmatched [`. */
  reason: string;
}

/** Settings are read for each request, patterns change rarely. */
let last: { key: string; bad: BadPattern[] } | null = null;

/** Returns none without Perl, since no command is recorded then. */
function badPatterns(patterns: readonly string[]): BadPattern[] {
  if (patterns.length === 0) return [];
  const key = JSON.stringify(patterns);
  if (last?.key !== key) last = { key, bad: askPerl(patterns) };
  return last.bad;
}

const CHECK = `local $SIG{__WARN__} = sub { };
for my $at (0 .. $#ARGV) { my $pattern = $ARGV[$at]; eval { '' =~ /$pattern/; 1 } or print "$at $@" }`;

function askPerl(patterns: readonly string[]): BadPattern[] {
  const perl = findPerl();
  // No process can be given a NUL.
  if (perl === null || patterns.some((pattern) => pattern.includes('\0'))) return [];
  const { stdout } = spawnSync(perl, ['-f', '-e', CHECK, '--', ...patterns], {
    ...{ env: {}, encoding: 'utf8', timeout: 2000, stdio: ['ignore', 'pipe', 'ignore'] },
  });
  return [...(stdout ?? '').matchAll(/^(\d+) (.*?)(?: in regex[;,].*| at -e line .*)?$/gm)].map(
    ([, index, reason]) => ({ index: Number(index), reason: reason! }),
  );
}

// Describes a bad setting: its key, the values it may have, the value found, and the value used instead.

type Key = keyof Settings;

/** As much of a bad value as is repeated. */
const SHOWN_CHARS = 60;

/** `value`: one that the setting does not take. */
export function settingProblem(key: Key, value: unknown): string {
  const { usual }: SettingRule = SETTING_RULES[key];
  return `${valueProblem(key, value)}: its default (${usual ?? settings[key].parse(undefined)}) is used`;
}

/** Says which values it takes. */
export function valueProblem(key: Key, value: unknown): string {
  const bad = key === 'sources' ? badSource(value) : key === 'archive' ? badArchive(value) : null;
  return bad ?? `${key} must be ${allowed(key, value)}, not ${shown(value)}`;
}

/** Describes an invalid pattern of `recordExclude`. The valid ones stay in use. */
function exclusionProblem(index: number, pattern: string, reason: string): string {
  return `recordExclude[${index}] must be a regular expression, not ${shown(pattern)} (${reason}): it excludes no command`;
}

/** The first of the list that is none; null where the list itself is none. */
function badSource(value: unknown): string | null {
  if (!Array.isArray(value)) return null;
  const index = value.findIndex((one) => !SourceSetting.safeParse(one).success);
  const one: unknown = value[index];
  const isKind = typeof one === 'object' && one !== null && 'kind' in one;
  return `sources[${index}] must be ${isKind ? A_KIND : A_SOURCE}, not ${shown(one)}`;
}

const A_SOURCE = 'a path, or {"path": "...", "enabled": true or false, "mcp": true or false}';
const A_KIND =
  '{"kind": "...", "enabled": true or false, "mcp": true or false, "rescue": "off", "failed" or "all"}';

/** Names the first field of `archive` that is wrong; null where all of it is. */
function badArchive(value: unknown): string | null {
  const issue = ArchiveSettings.safeParse(value).error?.issues[0];
  // A value without a URL is described as a whole.
  if (!issue || !isObject(value) || value.url === undefined) return null;
  const fields = ArchiveSettings.shape;
  if (issue.code === 'unrecognized_keys') return noField('archive', issue.keys[0]!, Object.keys(fields));
  const field = issue.path[0] as keyof typeof fields;
  const must = ARCHIVE_TEXTS[field] ?? inWords(z.toJSONSchema(fields[field]) as Plain, value[field]);
  return `archive.${field} must be ${must}, not ${shown(value[field])}`;
}

function noField(key: Key, name: string, fields: string[]): string {
  const [near] = nearest(name, fields, 1);
  return `${key} has no ${JSON.stringify(name)}${near ? `, did you mean ${near}?` : ''}`;
}

const ARCHIVE_TEXTS: Partial<Record<keyof ArchiveSettings, string>> = {
  url: '"s3://BUCKET" or "s3://BUCKET/PREFIX"',
  endpoint: 'an address such as "https://s3.example.com", or null',
  region: 'a name such as "us-east-1"',
  space: 'a name of letters, digits, `.`, `_` and `-`',
};

/** The part of a JSON schema that our settings use. */
interface Plain {
  type?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  anyOf?: Plain[];
}

/** Told by the schema itself, so that the two cannot differ. */
function allowed(key: Key, value: unknown): string {
  if (key === 'sources') return 'a list of paths of folders or files';
  if (key === 'archive') return 'a set such as {"url": "s3://BUCKET", "ship": "failed"}, or null';
  if (key === 'archiveSearch')
    return 'a set such as {"clickhouse": "http://127.0.0.1:8123", "user": "default"}, or null';
  if (key === 'redact')
    return 'a set such as {"mcp": true, "copy": false, "patterns": ["a regular expression"], "exceptClients": ["codex"]}';
  if (key === 'sectionPatterns' || key === 'fieldPatterns') return 'a list of regular expressions';
  return inWords(z.toJSONSchema(settings[key]) as Plain, value);
}

function inWords({ type, enum: words, minimum, maximum, anyOf }: Plain, value: unknown): string {
  if (anyOf) return anyOf.map((one) => inWords(one, value)).join(', or ');
  if (words) return `one of ${words.map((word) => JSON.stringify(word)).join(', ')}`;
  if (type === 'boolean') return 'true or false';
  if (type === 'null') return 'null';
  if (type === 'string') return 'a text';
  if (type === 'array') return 'a list of texts';
  const kind = type === 'integer' ? 'a whole number' : 'a number';
  // Name the largest safe integer as a limit only if the value exceeds it.
  const isEndless = maximum === Number.MAX_SAFE_INTEGER && !(Number(value) > maximum);
  if (maximum === undefined || isEndless) return `${kind} of ${minimum} or more`;
  return `${kind} from ${minimum} to ${maximum}`;
}

function shown(value: unknown): string {
  // JSON has no word for what 1e999 becomes.
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}

/** Settings that parts of the host ask for at each use: a change of config.json applies without a restart. */
export interface LiveSettings {
  readonly maxLineChars: number;
  /** Bytes of a preview, per stream. */
  readonly previewBytes: number;
  readonly sectionPatterns: readonly string[];
  readonly fieldPatterns: readonly string[];
  readonly retentionHours: number;
}
