/** The schema of `config.json` (CONTRACT 4). */
import * as z from 'zod';
import { AGENT_NAMES } from './agent-names.ts';
import { CAPTURES_SOURCE } from './artifact.ts';
import { GIB } from './limits.ts';
import { REDACT_DEFAULT, SETTING_RULES, type SettingName } from './setting-rules.ts';
import { Rescue } from './sources.ts';

export const SourceSetting = z.union([
  z.string().min(1),
  z.strictObject({
    path: z.string().min(1),
    /** Its name in the list. It may not pass for another source. */
    name: z
      .string()
      .min(1)
      .refine((name) => !Object.hasOwn(AGENT_NAMES, name) && name !== CAPTURES_SOURCE && !/[\\/]/.test(name))
      .optional(),
    /** Files that belong, such as `*.log` or `build-?/**`. */
    pattern: z.string().min(1).optional(),
    enabled: z.boolean().default(true),
    /** Agents may read it over MCP. */
    mcp: z.boolean().default(true),
  }),
  /** Directories that Spillway finds by itself, by the name of their kind. */
  z.strictObject({
    kind: z.string().min(1),
    enabled: z.boolean().default(true),
    mcp: z.boolean().default(false),
    rescue: Rescue.default('off'),
  }),
]);
export type SourceSetting = z.infer<typeof SourceSetting>;

export const PreviewSize = z.enum(SETTING_RULES.previewSize.words);
export type PreviewSize = z.infer<typeof PreviewSize>;

const Expressions = z.array(z.string().min(1).refine(isExpression)).default([]);

/** Secrets to mask in text for agents and copies (secrets/mask.ts). */
const Redact = z.strictObject({
  /** In replies to agents. */
  mcp: z.boolean().default(true),
  /** In what a person copies and exports. */
  copy: z.boolean().default(false),
  patterns: Expressions,
  except: Expressions,
  /** Agents, by their ids or the names they connect with: replies to them are not masked. */
  exceptClients: z.array(z.string().min(1)).default([]),
  /** Ids of agents, and watched files and folders: replies about one of their outputs are not masked. */
  exceptSources: z.array(z.string().min(1)).default([]),
});

/** Where finished captures go: an S3-compatible bucket (electron/archive/). */
export const ArchiveSettings = z.strictObject({
  url: z.string().regex(/^s3:\/\/[a-z0-9][a-z0-9.-]+[a-z0-9](?:\/[\w.-]+)*\/?$/),
  /** Address of the store; null is that of Amazon in the region. */
  endpoint: z
    .string()
    .regex(/^https?:\/\/[\w.:[\]-]+\/?$/)
    .nullable()
    .default(null),
  region: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .default('us-east-1'),
  /** Teams and projects that share a bucket keep apart by it. */
  space: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/)
    .default('main'),
  ship: z.enum(['failed', 'all', 'none']).default('failed'),
  /** Bytes of captures past their time that stay because they are not shipped yet. */
  maxSpoolBytes: z
    .number()
    .int()
    .min(0)
    .default(2 * GIB),
  /** Most bytes that are sent in a second; null sets no limit. */
  bandwidth: z.number().int().min(1).nullable().default(null),
  /** How the store encrypts what it keeps; null leaves that to the bucket. */
  sse: z.enum(['AES256', 'aws:kms']).nullable().default(null),
  /** Agents may read it over MCP. */
  mcp: z.boolean().default(false),
});
export type ArchiveSettings = z.infer<typeof ArchiveSettings>;

/** A server that finds candidates in the bucket, for searches of the archive. */
const ArchiveSearch = z.strictObject({
  /** Address of its HTTP interface. */
  clickhouse: z.string().regex(/^https?:\/\/[\w.:[\]-]+\/?$/),
  user: z.string().min(1).default('default'),
});
export type ArchiveSearch = z.infer<typeof ArchiveSearch>;

function isExpression(source: string): boolean {
  try {
    return Boolean(new RegExp(source));
  } catch {
    return false;
  }
}

const rules = SETTING_RULES;

export const settings = {
  inlineThresholdChars: count(rules.inlineThresholdChars),
  inlineThresholdLines: count(rules.inlineThresholdLines),
  previewSize: PreviewSize.default(rules.previewSize.default),
  maxOutputLines: count(rules.maxOutputLines),
  maxErrorLines: count(rules.maxErrorLines),
  collapseProgress: z.boolean().default(rules.collapseProgress.default),
  maxLineChars: count(rules.maxLineChars),
  maxReplyBytes: count(rules.maxReplyBytes),
  maxStreamBytes: count(rules.maxStreamBytes),
  minFreeBytes: countOrNull(rules.minFreeBytes),
  retentionHours: z.number().min(rules.retentionHours.min).default(rules.retentionHours.default),
  maxTotalBytes: count(rules.maxTotalBytes),
  sessionEnd: z.enum(rules.sessionEnd.words).default(rules.sessionEnd.default),
  compressAbove: count(rules.compressAbove),
  sectionPatterns: Expressions,
  fieldPatterns: Expressions,
  redact: Redact.default(REDACT_DEFAULT),
  mcpHttp: countOrNull(rules.mcpHttp),
  /** Regular expressions: commands of agents that one of them matches are not recorded (electron/agent-shell/). */
  recordExclude: z.array(z.string().min(1)).default([]),
  /** Folders: commands of agents that run in one of them are not recorded. */
  recordExcludeFolders: z.array(z.string().min(1)).default([]),
  recordWholeBytes: count(rules.recordWholeBytes),
  editor: z.string().min(1).nullable().default(rules.editor.default),
  growthWarnBytes: count(rules.growthWarnBytes),
  sizeWarnBytes: count(rules.sizeWarnBytes),
  whenClosed: z.enum(rules.whenClosed.words).default(rules.whenClosed.default),
  notifyEnded: z.boolean().default(rules.notifyEnded.default),
  updateNotice: z.boolean().default(rules.updateNotice.default),
  rescueQuotaBytes: count(rules.rescueQuotaBytes),
  archive: ArchiveSettings.nullable().default(null),
  archiveSearch: ArchiveSearch.nullable().default(null),
  sources: z.array(SourceSetting).default([]),
} as const satisfies Record<SettingName, z.ZodType>;

interface Count {
  default: number | null;
  min: number;
  max?: number;
}

function whole({ min, max }: Count) {
  const atLeast = z.number().int().min(min);
  return max === undefined ? atLeast : atLeast.max(max);
}

function count(rule: Count & { default: number }) {
  return whole(rule).default(rule.default);
}

function countOrNull(rule: Count) {
  return whole(rule).nullable().default(rule.default);
}

export const Settings = z.object(settings);
export type Settings = z.infer<typeof Settings>;

/** The settings in the window: each setting's value, and a change of one (CONTRACT 4). */
const Name = z.enum(Object.keys(SETTING_RULES) as [SettingName, ...SettingName[]]);

const Preference = z.object({
  name: Name,
  /** As it is used now. */
  value: z.unknown(),
  /** Whether config.json has it. */
  is_set: z.boolean(),
});
export type Preference = z.infer<typeof Preference>;

export const Preferences = z.object({
  /** The path of config.json. */
  path: z.string(),
  settings: z.array(Preference),
  /** Sentences about mistakes in config.json. */
  problems: z.array(z.string()),
});
export type Preferences = z.infer<typeof Preferences>;

/** Without a value, the default is used again. */
export const PreferenceChange = z.object({ name: Name, value: z.unknown().optional() });
export type PreferenceChange = z.infer<typeof PreferenceChange>;
