/** Describes a bad setting: its key, the values it may have, the value found, and the value used instead. */
import * as z from 'zod';
import { type Settings, SourceSetting, settings } from '../../../shared/settings.ts';

type Key = keyof Settings;

/** As much of a bad value as is repeated. */
const SHOWN_CHARS = 60;

/** Defaults that need explaining. */
const DEFAULTS: Partial<Record<Key, string>> = {
  minFreeBytes: '1 GiB or 5 % of the disk, the smaller',
  mcpHttp: 'not to serve it',
  editor: 'the first editor that is found',
  sources: 'none of your own',
  recordExclude: 'nothing',
  recordExcludeFolders: 'none',
};

/** `value`: one that the setting does not take. */
export function settingProblem(key: Key, value: unknown): string {
  const bad = key === 'sources' ? badSource(value) : null;
  const wrong = bad ?? `${key} must be ${allowed(key, value)}, not ${shown(value)}`;
  return `${wrong}: its default (${DEFAULTS[key] ?? settings[key].parse(undefined)}) is used`;
}

/** Describes an invalid pattern of `recordExclude`. The valid ones stay in use. */
export function exclusionProblem(index: number, pattern: string, reason: string): string {
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
