/** The preview of a text that explains a failure, or all of the text where it fits. */
import { Buffer } from 'node:buffer';
import { lineText } from '../../../shared/text/line-text.ts';
import type { Decoder } from '../bytes/encoding.ts';
import { type CutExplanation, type CutLimits, cutExplanation, type ExplainingPart } from './cut.ts';
import { explaining, type TextRange } from './explain.ts';
import type { CauseLine, Explanation, ReadingSteps } from './explanation.ts';
import type { FailureText } from './log-lines.ts';

export interface FailurePreview extends Omit<CutExplanation, 'bytes'> {
  cause: CauseLine | null;
}

/** A preview with the explanation that it was cut from. */
export interface ExplainedPreview extends FailurePreview {
  explanation: Explanation;
}

/** Text in another encoding than UTF-8 is decoded first, up to so many bytes of it. */
const MOST_DECODED_BYTES = 64 * 1024 * 1024;

/** Explains the lines in `range`. Reads all of them once: some 10 ms a megabyte. */
export function* previewing(
  text: FailureText,
  decoder: Decoder,
  range: TextRange,
  limits: CutLimits,
): ReadingSteps<ExplainedPreview> {
  if (decoder.encoding !== 'utf-8') {
    const decoded = decodedText(text, decoder, range);
    return yield* preview(decoded, { from: 0, to: decoded.size, firstLine: range.firstLine }, limits);
  }
  return yield* preview(text, range, limits);
}

function* preview(text: FailureText, range: TextRange, limits: CutLimits): ReadingSteps<ExplainedPreview> {
  const explanation = yield* explaining(text, range);
  const { cause } = explanation;
  const whole = wholeRange(text, range, explanation, limits);
  if (whole !== null) {
    const lines = explanation.totalLines;
    const none = { errors_left_out: 0, next_error: 0 };
    return { parts: whole, cause, lines, isCut: false, ...none, explanation };
  }
  const { bytes: _, ...cut } = cutExplanation(explanation, limits);
  return { ...cut, cause, explanation };
}

/**
 * Returns all lines as one part; null if they do not fit. Redrawn lines may be many times longer than what they show.
 */
function wholeRange(
  text: FailureText,
  { from, to, firstLine }: TextRange,
  { totalLines, cause }: Explanation,
  limits: CutLimits,
): ExplainingPart[] | null {
  const size = Math.min(to, text.size) - from;
  if (totalLines > limits.lines || size > limits.bytes * 8) return null;
  if (totalLines === 0) return [];
  const bytes = Buffer.alloc(size);
  const raw = bytes.toString('utf8', 0, text.read(bytes, from));
  const lines = (raw.endsWith('\n') ? raw.slice(0, -1) : raw).split('\n').map((line) => lineText(line));
  const content = lines.join('\n');
  if (Buffer.byteLength(content) > limits.bytes) return null;
  const part = { start_line: firstLine, end_line: firstLine + lines.length - 1, content };
  return [cause === null ? part : { ...part, why: 'all of it', line: cause.line_number }];
}

/** Returns the text in UTF-8; of a text in another encoding, up to MOST_DECODED_BYTES of the range. */
export function decodedText(
  text: FailureText,
  decoder: Decoder,
  { from, to }: Pick<TextRange, 'from' | 'to'> = { from: 0, to: text.size },
): FailureText {
  if (decoder.encoding === 'utf-8') return text;
  const bytes = Buffer.alloc(Math.min(to - from, MOST_DECODED_BYTES));
  const got = text.read(bytes, from);
  const decoded = Buffer.from(decoder.decode(bytes.subarray(0, got), true).replace(/^\uFEFF/, ''));
  return { size: decoded.length, read: (target, position) => decoded.copy(target, 0, position) };
}
