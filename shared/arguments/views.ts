/** The arguments of every view (CONTRACT 5): which stream, which part of it, and how it is shown. */
import * as z from 'zod';
import { Kind, Status, StreamName } from '../artifact.ts';
import {
  DEFAULT_CONTEXT_LINES,
  DEFAULT_LIST_LIMIT,
  DEFAULT_MATCHES,
  DEFAULT_SHAPES,
  DEFAULT_VIEW_LINES,
  DEFAULT_WINDOW_BYTES,
  MAX_CONTEXT_LINES,
  MAX_LIST_LIMIT,
  MAX_MATCHES,
  MAX_SHAPES,
  MAX_VIEW_CHARS,
  MAX_VIEW_LINES,
  MAX_WINDOW_BYTES,
} from '../limits.ts';
import { type Arguments, FLAGS, ViewMode } from './argument.ts';

const atLeast = (min: number) => z.number().int().min(min);

/** Which artifact. The command line takes either as ID|PATH. */
export const ARTIFACT_ARGUMENTS = {
  artifact_id: {
    schema: z.string(),
    help: 'id of the output, from list_outputs or a reply',
    flag: null,
  },
  file_path: { schema: z.string(), help: 'or its absolute path, inside a readable source', flag: null },
} as const satisfies Arguments;

/** Which of its streams, and how to decode it. */
export const STREAM_ARGUMENTS = {
  stream: {
    schema: StreamName,
    help: 'stdout, stderr, combined (both in order of arrival; default for a command) or output (anything else)',
    flag: 'stream',
    value: 'S',
    once: 'name one stream at a time',
  },
  encoding: {
    schema: z.string(),
    help: 'such as latin1, if the detected one is wrong',
    flag: FLAGS.encoding,
    value: 'E',
  },
  as_text: { schema: z.boolean(), help: 'show a binary stream as text', flag: FLAGS.as_text },
} as const satisfies Arguments;

/** Modes that can be bound to some of the lines. */
const TIMED = ['head', 'tail', 'range', 'grep', 'summary', 'failure'] as const;

/** `inspect`, `inspect_output`. */
export const INSPECT_ARGUMENTS = {
  mode: {
    schema: ViewMode,
    help: `${ViewMode.options.join(', ')} (default head; grep with a pattern, range with a start or end line)`,
    flag: 'mode',
    value: 'MODE',
  },
  lines: {
    schema: atLeast(1),
    help: `lines to show, at most ${MAX_VIEW_LINES}`,
    flag: 'lines',
    value: 'N',
    modes: ['head', 'tail', 'range'],
    default: DEFAULT_VIEW_LINES,
  },
  start_line: {
    schema: z.number().int(),
    help: 'first line, from 1',
    flag: FLAGS.start_line,
    value: 'N',
    modes: ['range', 'failure'],
  },
  end_line: {
    schema: z.number().int(),
    help: 'last line, included',
    flag: FLAGS.end_line,
    value: 'N',
    modes: ['range', 'failure'],
  },
  since: {
    schema: z.string(),
    help: 'lines from then on: a time, or 15m (ago)',
    flag: 'since',
    value: 'T',
    modes: TIMED,
  },
  until: { schema: z.string(), help: 'lines up to then', flag: 'until', value: 'T', modes: TIMED },
  around: {
    schema: z.string(),
    help: 'lines near then: 10:30±5m, line 120±30s',
    flag: 'around',
    value: 'T±SPAN',
    modes: TIMED,
  },
  section: {
    schema: z.string(),
    help: 'one section of the outline',
    flag: 'section',
    value: 'NAME',
    modes: TIMED,
    once: 'name one section at a time',
  },
  log_format: {
    schema: z.string(),
    help: 'if times or entries are read wrong: day-first, month-first, utc, local, +02:00, printed, arrivals, no-times, entries=time',
    flag: FLAGS.log_format,
    value: 'WORDS',
    once: 'put commas between several words',
  },
  pattern: {
    schema: z.string(),
    help: 'JavaScript regular expression, by line, ignoring case',
    flag: 'pattern',
    value: 'RE',
    modes: ['grep'],
    once: 'find both with one expression, as in a|b',
  },
  where: {
    schema: z.string(),
    help: 'lines by their fields: status>=500, duration>1s',
    flag: 'where',
    value: 'COND',
    modes: ['grep'],
    once: 'join conditions with a comma',
  },
  context_lines: {
    schema: atLeast(0).max(MAX_CONTEXT_LINES),
    help: 'lines to show around each match',
    flag: 'context',
    value: 'N',
    modes: ['grep'],
    default: DEFAULT_CONTEXT_LINES,
  },
  max_matches: {
    schema: atLeast(0).max(MAX_MATCHES),
    help: 'most matching lines to show; 0 only counts',
    flag: 'max-matches',
    value: 'N',
    modes: ['grep'],
    default: DEFAULT_MATCHES,
  },
  cursor: {
    schema: z.string(),
    help: 'next_cursor of the previous page; keep the pattern',
    flag: 'cursor',
    value: 'C',
    modes: ['grep', 'failure'],
  },
  case_sensitive: {
    schema: z.boolean(),
    help: 'distinguish upper and lower case',
    flag: 'case-sensitive',
    modes: ['grep'],
  },
  fixed: { schema: z.boolean(), help: 'take the pattern as plain text', flag: FLAGS.fixed, modes: ['grep'] },
  invert: {
    schema: z.boolean(),
    help: 'select the lines that do not match',
    flag: 'invert',
    modes: ['grep'],
  },
  entries: {
    schema: z.boolean(),
    help: 'whole entries: with their stack trace or wrapped lines',
    flag: 'entries',
    modes: ['head', 'tail', 'range', 'grep'],
  },
  max_shapes: {
    schema: atLeast(0).max(MAX_SHAPES),
    help: 'most message shapes to list',
    flag: 'max-shapes',
    value: 'N',
    modes: ['summary'],
    default: DEFAULT_SHAPES,
  },
  field: {
    schema: z.string(),
    help: 'count the values of this field',
    flag: 'field',
    value: 'NAME',
    modes: ['summary'],
    once: 'count one field at a time',
  },
  raw: {
    schema: z.boolean(),
    help: 'lines as written, with escape sequences and redraws',
    flag: 'raw',
    modes: ['head', 'tail', 'range', 'grep'],
  },
  max_chars: {
    schema: atLeast(1).max(MAX_VIEW_CHARS),
    help: 'length limit of the text; whole lines are left out to keep to it',
    flag: null,
  },
} as const satisfies Arguments;

/** `read`, `read_command_output`. */
export const READ_ARGUMENTS = {
  offset: {
    schema: z.number().int(),
    help: 'first byte, from 0',
    flag: 'offset',
    value: 'B',
    default: 0,
  },
  limit: {
    schema: atLeast(1).max(MAX_WINDOW_BYTES),
    help: `most bytes, up to ${MAX_WINDOW_BYTES}`,
    flag: 'limit',
    value: 'B',
    default: DEFAULT_WINDOW_BYTES,
  },
  search: {
    schema: z.string(),
    help: 'show only lines that match this regular expression, numbered',
    flag: 'search',
    value: 'RE',
    once: 'find both with one expression, as in a|b',
  },
} as const satisfies Arguments;

/** `list`, `list_outputs`. */
export const LIST_ARGUMENTS = {
  session: {
    schema: z.string(),
    help: 'only outputs of this session',
    flag: 'session',
    value: 'S',
    once: 'list one session at a time',
  },
  kind: {
    schema: Kind,
    help: 'cmd (commands), tool (tool responses), terminal, capture (piped input) or file (watched)',
    flag: 'kind',
    value: 'K',
    once: 'list one kind at a time',
  },
  status: {
    schema: Status,
    help: `only outputs with this status: ${Status.options.join(', ')}`,
    flag: 'status',
    value: 'S',
    once: 'list one status at a time',
  },
  query: {
    schema: z.string(),
    help: 'only with this text in id, label, command, session or path, ignoring case',
    flag: null,
  },
  since: {
    schema: z.string(),
    help: 'only outputs that were written to since then: a time, or 2h (ago)',
    flag: 'since',
    value: 'T',
  },
  limit: {
    schema: atLeast(1).max(MAX_LIST_LIMIT),
    help: 'most outputs to list',
    flag: 'limit',
    value: 'N',
    default: DEFAULT_LIST_LIMIT,
  },
  cursor: { schema: z.string(), help: 'next_cursor of the previous page', flag: null },
} as const satisfies Arguments;

const { session, kind, status, since, cursor } = LIST_ARGUMENTS;
const { fixed, case_sensitive } = INSPECT_ARGUMENTS;
const { modes: _fixed, ...FIXED } = fixed;
const { modes: _case, ...CASE } = case_sensitive;

/** `search`, `search_outputs`; beside the pattern. */
export const SEARCH_ARGUMENTS = {
  fixed: FIXED,
  case_sensitive: CASE,
  session,
  kind,
  status: { ...status, flag: null },
  since,
  limit: {
    schema: atLeast(1).max(MAX_LIST_LIMIT),
    help: 'most outputs with matches',
    flag: null,
    default: DEFAULT_LIST_LIMIT,
  },
  cursor,
} as const satisfies Arguments;
