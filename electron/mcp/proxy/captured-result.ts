/** Records a long tool response and makes the preview that replaces it. */
import { isDeepStrictEqual } from 'node:util';
import type { Read } from '../../../shared/activity.ts';
import { CAPTURES_SOURCE } from '../../../shared/artifact.ts';
import { isObject } from '../../../shared/text/json-line.ts';
import { habitsOf } from '../../agents/agents.ts';
import { openRecordingHome } from '../../host/recording/run-request.ts';
import { captureResponse } from '../../host/recording/stream.ts';
import { loadConfig } from '../../host/settings/config.ts';
import { readsIn } from '../agent.ts';
import { budgetFor, roomIn } from '../budget.ts';
import { secretsForAgents, whileMasking } from '../redaction.ts';
import { bytesOf, partsReply } from '../reply.ts';

interface CaptureTo {
  home: string;
  session: string;
  /** Limit for a form that passes unchanged, in characters; the setting `inlineThresholdChars` by default. */
  threshold?: number | undefined;
  /** The client's name; null if it gave none. */
  client: string | null;
  /** True if the client can call the proxy's `inspect_output`. */
  canInspect: boolean;
}

interface CapturedResult {
  content: unknown[];
  /** The lines that the client gets, for the activity log. */
  reads: Read[];
  bytes: number;
  /** The structured content is short enough to pass. */
  keepsStructured: boolean;
}

/**
 * Captures the text blocks of a result of `tool`, and its structured content if the text does not tell the same, as one
 * output. Returns the content with a preview in place of the text; other blocks stay. Returns null if what the client
 * shows its model is short, or can't be recorded whole; the response then passes unchanged.
 */
export async function capturedResult(
  { content: given, structuredContent, isError }: Record<string, unknown>,
  tool: string,
  { home, session, client, canInspect, ...to }: CaptureTo,
): Promise<CapturedResult | null> {
  if (!Array.isArray(given)) return null;
  const texts = given.flatMap((block) => textOf(block) ?? []);
  const structured = structuredContent === undefined ? [] : [JSON.stringify(structuredContent)];
  const config = loadConfig(home);
  const threshold = to.threshold ?? config.settings.inlineThresholdChars;
  const seen = seenOf(texts, structured, client, isError === true);
  if (!seen.some((form) => isLonger(form, threshold))) return null;
  const { settings, ...where } = openRecordingHome(home, config);
  if (where.home === null) return null;
  const maxReplyBytes = roomIn(budgetFor(client, settings).usualBytes);
  const keepsStructured = !isLonger(structured, threshold);
  const isInText = keepsStructured || tells(texts, structuredContent);
  const all = isInText ? texts : [...texts, JSON.stringify(structuredContent, null, 2)];
  const captured = await captureResponse(
    { ...where, settings: { ...settings, maxReplyBytes } },
    joined(all),
    {
      ...{ source: tool, session },
      inlineThreshold: threshold,
    },
  );
  const { artifact_id, file_path, total_lines, total_bytes, content_type, warnings } = captured.head;
  if (!captured.whole || artifact_id === null || file_path === null) return null;
  const head = {
    status: 'captured',
    ...{ artifact_id, full_output_file: file_path, total_lines, total_bytes, content_type, warnings },
    read_on: canInspect
      ? 'inspect_output with this artifact_id: mode summary, grep with a pattern, range, tail'
      : `read full_output_file, or run \`spillway inspect ${artifact_id}\``,
  };
  const reply = whileMasking(secretsForAgents(settings, client, CAPTURES_SOURCE), () =>
    partsReply(
      head,
      captured.parts.map((part) => ({ ...part, totalLines: total_lines })),
    ),
  );
  return {
    content: inPlace(given, reply.content),
    reads: readsIn('capture_output', reply),
    bytes: bytesOf(reply),
    keepsStructured,
  };
}

/** Returns the forms of a result that the client shows its model. */
function seenOf(texts: string[], structured: string[], client: string | null, isError: boolean): string[][] {
  const habits = habitsOf(client);
  const shows = (isError ? habits?.showsOfError : undefined) ?? habits?.shows;
  if (shows === 'text' && texts.length > 0) return [texts];
  if (shows === 'structured' && structured.length > 0) return [structured];
  return [texts, structured];
}

/** Whether the text has all of the structured content: as JSON, or each of its values, if they are texts. */
function tells(texts: readonly string[], structured: unknown): boolean {
  if (texts.some((text) => isDeepStrictEqual(parsed(text), structured))) return true;
  const values = isObject(structured) ? Object.values(structured) : [];
  return (
    values.length > 0 &&
    values.every((value) => typeof value === 'string' && texts.some((text) => text.includes(value)))
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textOf(block: unknown): string | null {
  return isObject(block) && block.type === 'text' && typeof block.text === 'string' ? block.text : null;
}

/** Counts code points, not UTF-16 code units. */
function isLonger(texts: readonly string[], most: number): boolean {
  const units = texts.reduce((sum, text) => sum + text.length, 0);
  if (units <= most) return false;
  if (units > 2 * most) return true;
  let count = 0;
  for (const text of texts) for (const _ of text) count += 1;
  return count > most;
}

/** Joins blocks so that each begins on a new line. */
function joined(texts: readonly string[]): string {
  return texts.map((text, i) => (i < texts.length - 1 && !text.endsWith('\n') ? `${text}\n` : text)).join('');
}

/** Puts `blocks` in place of the first text block, or at the end, and removes the other text blocks. */
function inPlace(content: readonly unknown[], blocks: readonly unknown[]): unknown[] {
  if (!content.some((block) => textOf(block) !== null)) return [...content, ...blocks];
  const first = content.findIndex((block) => textOf(block) !== null);
  return content.flatMap((block, i) => (i === first ? blocks : textOf(block) === null ? [block] : []));
}
