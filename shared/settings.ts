/** `config.json` (CONTRACT 4): each setting with its default. */
import * as z from 'zod';
import { MAX_LINE_CHARS, MAX_REPLY_BYTES } from './limits.ts';

export const SourceSetting = z.union([
  z.string().min(1),
  z.strictObject({
    path: z.string().min(1),
    enabled: z.boolean().default(true),
    /** Agents may read it over MCP. */
    mcp: z.boolean().default(true),
  }),
  /** Directories that Spillway finds by itself, by the name of their kind. */
  z.strictObject({
    kind: z.string().min(1),
    enabled: z.boolean().default(true),
    mcp: z.boolean().default(false),
  }),
]);
export type SourceSetting = z.infer<typeof SourceSetting>;

const count = z.number().int();

const KIB = 1024;
const GIB = 1024 ** 3;

/** Bytes of each stream that a preview may have, by the size's name. */
export const PREVIEW_BYTES = { small: 2 * KIB, medium: 4 * KIB, large: 8 * KIB } as const;
export const PreviewSize = z.enum(['small', 'medium', 'large']);
export type PreviewSize = z.infer<typeof PreviewSize>;

export const settings = {
  inlineThresholdChars: count.min(0).max(10_000_000).default(5000),
  inlineThresholdLines: count.min(0).max(1_000_000).default(100),
  previewSize: PreviewSize.default('medium'),
  maxOutputLines: count.min(1).max(100_000).default(500),
  maxErrorLines: count.min(1).max(100_000).default(750),
  /** A redrawn line counts once in previews and views. */
  collapseProgress: z.boolean().default(true),
  maxLineChars: count.min(80).max(100_000).default(MAX_LINE_CHARS),
  maxReplyBytes: count.min(1000).max(1_000_000).default(MAX_REPLY_BYTES),
  /** Bytes of one stream that are kept; 0 keeps all. */
  maxStreamBytes: count.min(0).default(GIB),
  /** Bytes that stay free on the disk; null is 1 GiB or 5 % of the disk, the smaller. */
  minFreeBytes: count.min(0).nullable().default(null),
  retentionHours: z.number().min(0).default(24),
  /** Bytes of all captures together. */
  maxTotalBytes: count.min(0).default(10 * GIB),
  /** What happens to a session's captures when it is ended. */
  sessionEnd: z.enum(['keep', 'delete']).default('keep'),
  /** Finished streams of more bytes are compressed once their session rests; 0 never. */
  compressAbove: count.min(0).default(KIB * KIB),
  /** Port of MCP over HTTP on 127.0.0.1, 0 for any free one; null does not serve it. */
  mcpHttp: count.min(0).max(65_535).nullable().default(null),
  /** Regular expressions: commands of agents that one of them matches are not recorded (electron/agent-shell/). */
  recordExclude: z.array(z.string().min(1)).default([]),
  /** Folders: commands of agents that run in one of them are not recorded. */
  recordExcludeFolders: z.array(z.string().min(1)).default([]),
  /** Bytes of output that an agent gets whole where longer output comes as a preview. */
  recordWholeBytes: count
    .min(4096)
    .max(10_000_000)
    .default(24 * KIB),
  sources: z.array(SourceSetting).default([]),
} as const;

export const Settings = z.object(settings);
export type Settings = z.infer<typeof Settings>;
