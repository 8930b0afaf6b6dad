/** `config.json` (CONTRACT 4): each setting with its default. */
import * as z from 'zod';
import { MAX_LINE_CHARS, MAX_REPLY_CHARS } from './limits.ts';

export const SourceSetting = z.union([
  z.string().min(1),
  z.strictObject({
    path: z.string().min(1),
    enabled: z.boolean().default(true),
    /** Agents may read it over MCP. */
    mcp: z.boolean().default(true),
  }),
]);
export type SourceSetting = z.infer<typeof SourceSetting>;

const count = z.number().int();

/** Only settings that something uses are here: the others of the contract come with what they set. */
export const settings = {
  maxLineChars: count.min(80).max(100_000).default(MAX_LINE_CHARS),
  maxReplyChars: count.min(1000).max(1_000_000).default(MAX_REPLY_CHARS),
  sources: z.array(SourceSetting).default([]),
} as const;

/** Settings of the contract that belong to features still to come: known, so not reported as misspelt. */
export const LATER_SETTINGS: readonly string[] = [
  'inlineThresholdChars',
  'inlineThresholdLines',
  'previewSize',
  'maxOutputLines',
  'maxErrorLines',
  'collapseProgress',
  'maxStreamBytes',
  'minFreeBytes',
  'retentionHours',
  'maxTotalBytes',
  'sessionEnd',
  'compressAbove',
];

export const Settings = z.object(settings);
export type Settings = z.infer<typeof Settings>;
