/**
 * Declares each setting's default and bounds as plain data. The schema (settings.ts) derives from it; `spillway run`
 * reads it without loading the schema library.
 */
import { GIB, KIB, MAX_LINE_CHARS, MAX_REPLY_BYTES } from './limits.ts';

export interface SettingRule {
  default: number | string | boolean | null;
  /** Bounds of a number, which is whole unless `isFraction`. */
  min?: number;
  max?: number;
  isFraction?: boolean;
  /** True for any text. */
  isText?: boolean;
  /** The words it may be. */
  words?: readonly string[];
}

/** Most bytes of each stream in a preview, by the size's name. */
export const PREVIEW_BYTES = { small: 2 * KIB, medium: 4 * KIB, large: 8 * KIB } as const;

/** All but the lists. */
export const SETTING_RULES = {
  inlineThresholdChars: { default: 5000, min: 0, max: 10_000_000 },
  inlineThresholdLines: { default: 100, min: 0, max: 1_000_000 },
  previewSize: { default: 'medium', words: ['small', 'medium', 'large'] },
  maxOutputLines: { default: 500, min: 1, max: 100_000 },
  maxErrorLines: { default: 750, min: 1, max: 100_000 },
  /** A redrawn line counts once in previews and views. */
  collapseProgress: { default: true },
  maxLineChars: { default: MAX_LINE_CHARS, min: 80, max: 100_000 },
  /** Bytes of a reply over MCP, unless the call names its size. */
  maxReplyBytes: { default: MAX_REPLY_BYTES, min: 1000, max: 1_000_000 },
  /** Bytes of one stream that are kept; 0 keeps all. */
  maxStreamBytes: { default: GIB, min: 0 },
  /** Bytes that stay free on the disk; null is 1 GiB or 5 % of the disk, the smaller. */
  minFreeBytes: { default: null, min: 0 },
  retentionHours: { default: 24, min: 0, isFraction: true },
  /** Bytes of all captures together. */
  maxTotalBytes: { default: 10 * GIB, min: 0 },
  /** Keep or delete a session's captures when it ends. */
  sessionEnd: { default: 'keep', words: ['keep', 'delete'] },
  /** Finished streams of more bytes are compressed once their session rests; 0 never. */
  compressAbove: { default: KIB * KIB, min: 0 },
  /** Port of MCP over HTTP on 127.0.0.1, 0 for any free one; null does not serve it. */
  mcpHttp: { default: null, min: 0, max: 65_535 },
  /** Bytes of output that an agent gets whole where longer output comes as a preview. */
  recordWholeBytes: { default: 24 * KIB, min: 4096, max: 10_000_000 },
  /** The command that opens a file, with {file}, {line} and {column}; null finds an editor. */
  editor: { default: null, isText: true },
  /** Warn of a watched file that grows by this many bytes in a minute; 0 for never. */
  growthWarnBytes: { default: 2 * GIB, min: 0 },
  /** Warn of a watched file that grows beyond this many bytes; 0 for never. */
  sizeWarnBytes: { default: 10 * GIB, min: 0 },
  /** Bytes of an agent's deleted captures that are kept; 0 sets no limit. */
  rescueQuotaBytes: { default: 2 * GIB, min: 0 },
} as const satisfies Record<string, SettingRule>;

export const REDACT_DEFAULT: { mcp: boolean; copy: boolean; patterns: string[]; except: string[] } = {
  ...{ mcp: true, copy: false, patterns: [], except: [] },
};

/** Whether a value of config.json is allowed. Null is allowed where it is the default. */
export function isAllowed(rule: SettingRule, value: unknown): boolean {
  if (value === null) return rule.default === null;
  if (rule.isText) return typeof value === 'string' && value !== '';
  if (rule.words) return rule.words.includes(value as string);
  if (typeof rule.default === 'boolean') return typeof value === 'boolean';
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  if (!rule.isFraction && !Number.isSafeInteger(value)) return false;
  return value >= (rule.min ?? 0) && value <= (rule.max ?? Number.POSITIVE_INFINITY);
}
