/** Records a long tool response and makes the preview that replaces it. */

import { isObject } from '../../../shared/text/json/is-object.ts';
import { openRecordingHome } from '../../host/recording/recording-home.ts';
import { captureResponse } from '../../host/recording/response.ts';
import { loadConfig } from '../../host/settings/config.ts';
import { partsReply } from '../replies/reply.ts';

export interface CaptureTo {
  home: string;
  session: string;
  /** Limit for text that passes unchanged, in characters; the setting `inlineThresholdChars` by default. */
  threshold?: number | undefined;
  /** True if the client can call the proxy's `inspect_output`. */
  canInspect: boolean;
}

/**
 * Captures the text blocks of a result of `tool` as one output, and returns the content with a preview in their place.
 * Other blocks stay. Returns null if the text is short, or can't be recorded whole; the response then passes unchanged.
 */
export async function capturedContent(
  content: readonly unknown[],
  tool: string,
  { home, session, canInspect, ...to }: CaptureTo,
): Promise<unknown[] | null> {
  const texts = content.flatMap((block) => textOf(block) ?? []);
  const config = loadConfig(home);
  const threshold = to.threshold ?? config.settings.inlineThresholdChars;
  if (!isLonger(texts, threshold)) return null;
  const where = openRecordingHome(home, config);
  if (where.home === null) return null;
  const captured = await captureResponse(where, joined(texts), {
    ...{ source: tool, session },
    inlineThreshold: threshold,
  });
  const { artifact_id, file_path, total_lines, total_bytes, content_type, warnings } = captured.head;
  if (!captured.whole || artifact_id === null || file_path === null) return null;
  const head = {
    status: 'captured',
    ...{ artifact_id, full_output_file: file_path, total_lines, total_bytes, content_type, warnings },
    read_on: canInspect
      ? 'inspect_output with this artifact_id: mode summary, grep with a pattern, range, tail'
      : `read full_output_file, or run \`spillway inspect ${artifact_id}\``,
  };
  const { content: blocks } = partsReply(
    head,
    captured.parts.map((part) => ({ ...part, totalLines: total_lines })),
  );
  return inPlace(content, blocks);
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

/** Puts `blocks` in place of the first text block and removes the other text blocks. */
function inPlace(content: readonly unknown[], blocks: readonly unknown[]): unknown[] {
  const first = content.findIndex((block) => textOf(block) !== null);
  return content.flatMap((block, i) => (i === first ? blocks : textOf(block) === null ? [block] : []));
}
