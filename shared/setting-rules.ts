/**
 * The table of settings (CONTRACT 4), as plain data: default, bounds, unit and a sentence of each. The schema
 * (settings.ts), the table of CONTRACT and the preferences derive from it; `spillway run` reads it without loading the
 * schema library.
 */
import { GIB, KIB, MAX_LINE_CHARS, MAX_REPLY_BYTES } from './limits.ts';

/** Which text is masked when it leaves Spillway. */
export interface RedactSetting {
  mcp: boolean;
  copy: boolean;
  patterns: string[];
  except: string[];
  exceptClients: string[];
  exceptSources: string[];
}

export interface SettingRule {
  default: number | string | boolean | null | readonly never[] | RedactSetting;
  /** Bounds of a number, which is whole unless `isFraction`. */
  min?: number;
  max?: number;
  isFraction?: boolean;
  unit?: Unit;
  /** True for any text. */
  isText?: boolean;
  /** True for a set of values, which only the schema knows. */
  isObject?: boolean;
  /** The words it may be. */
  words?: readonly string[];
  /** The kind of a list's items. */
  list?: 'patterns' | 'folders' | 'sources';
  /** The default in words, where its value does not tell. */
  usual?: string;
  /** Heading of its group in the preferences. */
  group: SettingGroup;
  /** Its name there. */
  label: string;
  /** Its effect, for CONTRACT and the preferences: with code in backticks, and no full stop at the end. */
  does: string;
}

export type Unit = 'bytes' | 'hours' | 'lines' | 'characters' | 'port';

/** In the order of the preferences. */
export const SETTING_GROUPS = [
  'Storage',
  'Previews and replies',
  'What is recorded',
  'Secrets',
  'Folders',
  'Warnings',
  'Connections',
  'Editor',
  'Desktop app',
] as const;
export type SettingGroup = (typeof SETTING_GROUPS)[number];

/** Most bytes of each stream in a preview, by the size's name. */
export const PREVIEW_BYTES = { small: 2 * KIB, medium: 4 * KIB, large: 8 * KIB } as const;

const REPLIES = { group: 'Previews and replies' } as const;
const STORAGE = { group: 'Storage', unit: 'bytes', min: 0 } as const;
const DESKTOP = { group: 'Desktop app' } as const;
const WARNINGS = { group: 'Warnings', unit: 'bytes', min: 0 } as const;

export const REDACT_DEFAULT: RedactSetting = {
  mcp: true,
  copy: false,
  patterns: [],
  except: [],
  exceptClients: [],
  exceptSources: [],
};

export const SETTING_RULES = {
  inlineThresholdChars: {
    ...REPLIES,
    default: 5000,
    min: 0,
    max: 10_000_000,
    unit: 'characters',
    label: 'Longest text given whole',
    does: 'a longer tool response or piped input spills, unless the call names `inline_threshold`',
  },
  inlineThresholdLines: {
    ...REPLIES,
    default: 100,
    min: 0,
    max: 1_000_000,
    unit: 'lines',
    label: 'Most lines given whole',
    does: 'a tool response or piped input of more lines spills, unless the call names `inline_threshold`',
  },
  previewSize: {
    ...REPLIES,
    default: 'medium',
    words: ['small', 'medium', 'large'],
    label: 'Size of a preview',
    does: "a command's preview, per stream: `small` 2 KiB, `medium` 4 KiB, `large` 8 KiB",
  },
  maxOutputLines: {
    ...REPLIES,
    default: 500,
    min: 1,
    max: 100_000,
    unit: 'lines',
    label: 'Lines of stdout in a preview',
    does: 'most lines of stdout in a preview',
  },
  maxErrorLines: {
    ...REPLIES,
    default: 750,
    min: 1,
    max: 100_000,
    unit: 'lines',
    label: 'Lines of stderr in a preview',
    does: 'most lines of stderr in a preview',
  },
  collapseProgress: {
    ...REPLIES,
    default: true,
    label: 'Collapse progress bars',
    does: 'previews and views count a redrawn line once',
  },
  maxLineChars: {
    ...REPLIES,
    default: MAX_LINE_CHARS,
    min: 80,
    max: 100_000,
    unit: 'characters',
    label: 'Longest line in a view',
    does: 'views clip longer lines, grep around the match, and count them; previews and `failure` have lines whole',
  },
  maxReplyBytes: {
    ...REPLIES,
    default: MAX_REPLY_BYTES,
    min: 1000,
    max: 1_000_000,
    unit: 'bytes',
    label: 'Size of a reply',
    does: 'one MCP reply in UTF-8, its head included, unless the call names a size (`limit`, `max_chars`, `inline_threshold`); less where the connected client is known to cut earlier, then also for a size that was named',
  },
  maxStreamBytes: {
    ...STORAGE,
    default: GIB,
    label: 'Most of one output',
    does: 'beyond it, Spillway keeps the head and the last min(8 MiB, half of it), and records the size and place of the gap; line numbers stay true. 0 keeps everything',
  },
  minFreeBytes: {
    ...STORAGE,
    default: null,
    usual: '1 GiB or 5 % of the disk, the smaller',
    label: 'Space left free on the disk',
    does: 'space left free on the disk; `null` means 1 GiB or 5 % of the disk, whichever is smaller. Below it, previews go on, and the record says why nothing is stored',
  },
  retentionHours: {
    ...STORAGE,
    unit: 'hours',
    default: 24,
    isFraction: true,
    label: 'Keep captures for',
    does: 'cleanup removes captures that ended longer ago, at start and every 10 minutes; pinned and running ones stay',
  },
  maxTotalBytes: {
    ...STORAGE,
    default: 10 * GIB,
    label: 'Most of all captures',
    does: 'above it, the oldest finished and unpinned captures go first; those in `sandboxes/` have at most half of it then',
  },
  sessionEnd: {
    group: 'Storage',
    default: 'keep',
    words: ['keep', 'delete'],
    label: 'When a session ends',
    does: "`delete` removes a session's captures when the session ends",
  },
  compressAbove: {
    ...STORAGE,
    default: KIB * KIB,
    label: 'Compress outputs above',
    does: 'larger streams may be compressed once their session ended or was idle for an hour; 0 never',
  },
  sectionPatterns: {
    ...REPLIES,
    default: [],
    list: 'patterns',
    usual: 'none',
    label: 'Lines that begin a section',
    does: 'regular expressions; a line that matches one begins a section of the outline, which ends before the next line that matches it or one before it in the list',
  },
  fieldPatterns: {
    ...REPLIES,
    default: [],
    list: 'patterns',
    usual: 'none',
    label: 'Lines whose parts are fields',
    does: 'regular expressions with named groups, such as `(?<user>\\w+) took (?<ms>\\d+)`; each group is a field of the lines that match: a column, a condition, counts of its values',
  },
  redact: {
    group: 'Secrets',
    default: REDACT_DEFAULT,
    label: 'Mask secrets',
    usual: '{"mcp": true, "copy": false, "patterns": [], "except": []}',
    does: 'what leaves is masked, character by character; bytes on disk are not. `patterns`: your own regular expressions (a first group is the secret); a secret that one of `except` matches stays readable; so do those in replies to a client, or of a source of outputs, that `exceptClients` or `exceptSources` names',
  },
  mcpHttp: {
    group: 'Connections',
    default: null,
    min: 0,
    max: 65_535,
    unit: 'port',
    usual: 'not to serve it',
    label: 'Port for agents over HTTP',
    does: 'port on which MCP is served over HTTP on 127.0.0.1; 0 takes any free one',
  },
  recordExclude: {
    group: 'What is recorded',
    default: [],
    list: 'patterns',
    usual: 'nothing',
    label: 'Commands that are not recorded',
    does: "regular expressions; an agent's commands that match one are not recorded. An invalid one is reported and excludes nothing; the others stay in use",
  },
  recordExcludeFolders: {
    group: 'What is recorded',
    default: [],
    list: 'folders',
    usual: 'none',
    label: 'Folders that are not recorded',
    does: "an agent's commands that run in one of these folders are not recorded",
  },
  recordWholeBytes: {
    ...REPLIES,
    default: 24 * KIB,
    min: 4096,
    max: 10_000_000,
    unit: 'bytes',
    label: 'Output that a recorded agent gets whole',
    does: 'with `--record=preview`, longer output reaches the agent as its preview',
  },
  editor: {
    group: 'Editor',
    default: null,
    isText: true,
    usual: 'the first editor that is found',
    label: 'Command of the editor',
    does: 'the command that opens a place in a file, such as `code -g {file}:{line}:{column}`; put arguments with blanks in quotes; no shell reads it. `null`: `$VISUAL`, `$EDITOR`, or the first editor that is found',
  },
  growthWarnBytes: {
    ...WARNINGS,
    default: 2 * GIB,
    label: 'Warn of growth in a minute',
    does: "a watched file, or all of an agent, that grows by more in a minute causes a warning in the window and in agents' next reply (`notices`); 0: never",
  },
  sizeWarnBytes: {
    ...WARNINGS,
    default: 10 * GIB,
    label: 'Warn of a file beyond',
    does: 'a watched file that grows beyond this size causes a warning, too; 0: never',
  },
  whenClosed: {
    ...DESKTOP,
    default: 'quit',
    words: ['quit', 'tray', 'background'],
    label: 'When the window is closed',
    does: '`quit` ends the app, `tray` keeps it running behind an icon in the tray, `background` without one, until it is started again. It asks before it ends what agents run',
  },
  notifyEnded: {
    ...DESKTOP,
    default: false,
    label: 'Notify when a command ends',
    does: 'a notification when a command that ran for 10 s or longer has ended and the window is not in front',
  },
  updateNotice: {
    ...DESKTOP,
    default: false,
    label: 'Notify of new versions',
    does: "asks the project's page once a day for the newest version; sends nothing of yours, and installs nothing",
  },
  rescueQuotaBytes: {
    ...STORAGE,
    default: 2 * GIB,
    label: 'Most that is rescued of an agent',
    does: "the most that `rescue` keeps of each agent's deleted output; 0: no limit. `spillway sources` and the window say what was missed",
  },
  archive: {
    group: 'Connections',
    default: null,
    isObject: true,
    usual: 'none',
    label: 'Archive in a bucket',
    does: '`{url, endpoint, region, space, ship: failed|all|none, maxSpoolBytes, bandwidth}`: finished captures go to an S3-compatible bucket. `url` is `s3://BUCKET[/PREFIX]`, `endpoint` the store\'s address (Amazon\'s by default), `maxSpoolBytes` (2 GiB) what cleanup spares because it is not shipped, `bandwidth` bytes a second; `sse` (`AES256`, `aws:kms`) asks for encryption; `"mcp": true` lets agents read it. Credentials come from the AWS variables and files',
  },
  archiveSearch: {
    group: 'Connections',
    default: null,
    isObject: true,
    usual: 'none',
    label: 'ClickHouse for searches of the archive',
    does: '`{clickhouse, user}`: the address of a ClickHouse server that can read the bucket, and its user (`default`); the password is `CLICKHOUSE_PASSWORD`. `search --archive` reads only the captures that it names',
  },
  sources: {
    group: 'Folders',
    default: [],
    list: 'sources',
    usual: 'none of your own',
    label: 'Watched folders',
    does: 'directories to watch: a path, or `{path, name, pattern, enabled, mcp}`; `pattern` is a glob for its files, such as `*.log` or `build-?/**`; `"mcp": false` hides one from agents. `{kind, enabled, mcp}` switches the captures of an agent, such as `claude-code`: listed where they exist, readable over MCP only if allowed; `"rescue": "failed"` or `"all"` copies what the agent deletes into Spillway\'s own captures. The variable `SPILLWAY_FIND_AGENTS=0` leaves agents\' directories alone',
  },
} as const satisfies Record<string, SettingRule>;

export type SettingName = keyof typeof SETTING_RULES;

/** Whether a plain value of config.json is allowed. Null is allowed where it is the default. */
export function isAllowed(rule: SettingRule, value: unknown): boolean {
  if (value === null) return rule.default === null;
  if (rule.isText) return typeof value === 'string' && value !== '';
  if (rule.words) return rule.words.includes(value as string);
  if (typeof rule.default === 'boolean') return typeof value === 'boolean';
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  if (!rule.isFraction && !Number.isSafeInteger(value)) return false;
  return value >= (rule.min ?? 0) && value <= (rule.max ?? Number.POSITIVE_INFINITY);
}
