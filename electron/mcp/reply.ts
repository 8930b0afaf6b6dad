/** Replies as MCP carries them: facts, or a head and the captured text after it. */
import { Buffer } from 'node:buffer';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { clipText } from '../../shared/text/clip.ts';
import { shortenMiddle } from '../../shared/text/format.ts';
import { isObject } from '../../shared/text/json-line.ts';
import { causeInHead } from '../host/views/failure.ts';
import { isMasked, maskedFacts, maskedReply } from './redaction.ts';

/** Facts alone: as structured content, and as text for clients that read only that. */
export function factsReply(value: object): CallToolResult {
  const facts = maskedFacts(value);
  return isMasked({
    content: [{ type: 'text', text: JSON.stringify(facts) }],
    structuredContent: facts as Record<string, unknown>,
  });
}

/** Leaves out the path: the id names the output, and list_outputs has its path. */
export function withoutPath<T extends { file_path: string | null }>({ file_path: _, ...view }: T) {
  return view;
}

/** Returns the facts without nulls, and without a text that is empty, at any depth. */
export function withoutBlanks(facts: object): object {
  return Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) => {
      if (value === null || value === undefined || value === '') return [];
      return [[name, isObject(value) ? withoutBlanks(value) : value]];
    }),
  );
}

/**
 * Builds a reply: a head of one line of compact JSON, then the captured text. It has no structured content: clients
 * that get some drop the text. Every block but the last ends with a newline, since some clients join blocks with
 * nothing; none is blank.
 */
export function textReply(head: object, ...blocks: readonly string[]): CallToolResult {
  const lines = 'lines_shown' in head && typeof head.lines_shown === 'number' ? head.lines_shown : 0;
  return blocksReply(head, ...blocks.map((block) => visible(block, lines)));
}

function blocksReply(head: object, ...blocks: readonly string[]): CallToolResult {
  const masked = maskedReply(head, blocks);
  const texts = [headLine(masked.head), ...masked.blocks];
  return isMasked({
    content: texts.map((text, i) => ({
      type: 'text',
      text: i < texts.length - 1 && !text.endsWith('\n') ? `${text}\n` : text,
    })),
  });
}

/** Part of a stream, and how many lines the stream has. */
interface ReplyPart {
  stream: string;
  start_line: number;
  end_line: number;
  content: string;
  /** Why the part was chosen: the evidence in it. */
  why?: string;
  /** Only the beginning of its last line is in it, or only the end of its first. */
  clipped?: 'beginning' | 'end';
  totalLines: number;
}

/**
 * Parts of streams after a head that names their places. Each begins with a label line if there are several, or if it
 * is of stderr or clipped.
 */
export function partsReply(head: object, parts: readonly ReplyPart[]): CallToolResult {
  const named = parts.map(({ stream, start_line, end_line }) => [stream, start_line, end_line]);
  const isLabelled = ({ stream, clipped }: ReplyPart) =>
    parts.length > 1 || stream === 'stderr' || clipped !== undefined;
  const blocks = parts.map(
    (part) =>
      `${isLabelled(part) ? `${label(part)}\n` : ''}${visible(part.content, part.end_line - part.start_line + 1)}`,
  );
  return blocksReply({ ...head, parts: named }, ...blocks);
}

/** The bytes in UTF-8 that a reply's text takes. */
export function bytesOf({ content }: CallToolResult): number {
  return content.reduce((sum, block) => sum + (block.type === 'text' ? Buffer.byteLength(block.text) : 0), 0);
}

function label({ stream, start_line, end_line, totalLines, why, clipped, content }: ReplyPart): string {
  const half = clipped && `only the ${clipped} of line ${clipped === 'end' ? start_line : end_line}`;
  const notes = [isKnown(why, content) && why, half].filter(Boolean).join('; ');
  return `[${stream}, lines ${start_line}-${end_line} of ${totalLines}${notes ? `: ${notes}` : ''}]`;
}

/**
 * Whether the reason is more than a guess. One word of a line decides whether it counts as an exception, and its
 * neighbours whether it is a consequence.
 */
function isKnown(why: string | undefined, content: string): boolean {
  return why !== 'consequence' && (why !== 'exception' || EXCEPTION.test(content));
}

const EXCEPTION = /\b(?:[A-Z]\w*)?(?:Exception|Error)\b|\bTraceback\b|\bpanic/;

/**
 * Returns the text, or a placeholder for an empty or blank one. An empty text may be one blank line. `lines`: how many
 * it has; 0 if only the text tells, where a newline ends a line.
 */
function visible(content: string, lines: number): string {
  if (content.trim() !== '') return content;
  if (content === '' && lines === 0) return '(no lines)';
  const blank = lines || content.replace(/\n$/, '').split('\n').length;
  return blank === 1 ? '(1 blank line)' : `(${blank} blank lines)`;
}

/** Compact JSON. A head that is long all the same tells less about its streams. */
function headLine(head: object): string {
  let line = '';
  for (const form of HEAD_FORMS) {
    line = JSON.stringify(compactHead(head, form));
    if (line.length <= LONG_HEAD_CHARS) break;
  }
  return line;
}

/** A model pays for the head of each call. */
const LONG_HEAD_CHARS = 600;

interface HeadForm {
  /** Most characters of texts. The agent knows its command. */
  mostChars: Record<string, number>;
  /** Facts of a stream that are left out: its id finds them. */
  leavesOut?: readonly string[];
}

const TEXTS = { command: 60, text: 240, error: 300, changes: 200 };
const SHORT_TEXTS = { ...TEXTS, command: 32, changes: 140 };
const FACTS_OF_PARTS = ['file_path', 'returned_lines', 'returned_bytes', 'content_type'];
const HEAD_FORMS: readonly HeadForm[] = [
  { mostChars: TEXTS },
  { mostChars: TEXTS, leavesOut: ['file_path'] },
  { mostChars: SHORT_TEXTS, leavesOut: ['file_path'] },
  // `parts` tells what was returned.
  { mostChars: SHORT_TEXTS, leavesOut: FACTS_OF_PARTS },
  { mostChars: { ...SHORT_TEXTS, changes: 100 }, leavesOut: FACTS_OF_PARTS },
];

/**
 * Drops facts that tell nothing: nulls, empty lists, unknown types, zeros and false. The fields in KEPT stay.
 * `isPart`: the facts are about a part of what the head is about, such as a stream.
 */
function compactHead(head: object, form: HeadForm, isPart = false): object {
  const { mostChars, leavesOut = [] } = form;
  return Object.fromEntries(
    Object.entries(head).flatMap(([name, value]) => {
      if (value === null || value === undefined || (isPart && leavesOut.includes(name))) return [];
      if (Array.isArray(value)) {
        const items = value.map((item) => (isObject(item) ? compactHead(item, form, true) : item));
        return items.length === 0 ? [] : [[name, items]];
      }
      if (isObject(value)) return [[name, compactHead(value, form, true)]];
      if (typeof value === 'string' && Object.hasOwn(mostChars, name))
        return [[name, (SHORTENERS[name] ?? shortenMiddle)(value, mostChars[name]!)]];
      return isSilent(name, value) ? [] : [[name, value]];
    }),
  );
}

/** A cause is cut around its reason, and the first changes tell most. */
const SHORTENERS: Record<string, (text: string, mostChars: number) => string> = {
  text: causeInHead,
  changes: (text, mostChars) => clipText(text, mostChars).text,
};

/** Where zero and false are news. */
const KEPT = new Set(['exit_code', 'success', 'match_count']);

function isSilent(name: string, value: unknown): boolean {
  if (name === 'content_type') return value === 'unknown';
  return (value === 0 || value === false) && !KEPT.has(name) && !name.startsWith('total_');
}
