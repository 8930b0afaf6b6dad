/** The part of a line that is new, when a line began before the moment that is asked about. */
import { clipText } from '../../../shared/text/clip.ts';
import { lineText } from '../../../shared/text/line-text.ts';
import { type Control, parseControl } from '../../../shared/text/sequences.ts';
import type { OpenStream } from '../../reader/bytes/open-stream.ts';

/** How far before the moment a character or an escape sequence may have begun that it falls into. Bytes. */
const BEFORE = 8 * 1024;
/** Bytes of the line that are looked at. */
const AFTER = 256 * 1024;

const LF = 0x0a;
const ESC = '\x1b';

/**
 * Returns the text of the line from byte `offset` on. A character that `offset` splits is new, as it arrived with its
 * last byte.
 */
export function newPartOfLine(
  stream: OpenStream,
  lineStart: number,
  offset: number,
  maxChars: number,
): { text: string; clipped: boolean; offset: number } {
  const from = Math.max(lineStart, offset - BEFORE);
  const buffer = Buffer.alloc(Math.min(stream.size - from, offset - from + AFTER));
  const bytes = buffer.subarray(0, stream.read(buffer, from));
  const lineEnd = bytes.indexOf(LF, offset - from);
  const line = lineEnd < 0 ? bytes : bytes.subarray(0, lineEnd);
  const start = wholeStart(line, offset - from);
  const { text, clipped } = clipText(lineText(line.subarray(start).toString()), maxChars);
  return { text, clipped: clipped || (lineEnd < 0 && bytes.length === AFTER), offset: from + start };
}

/** Where what `at` falls into begins. */
function wholeStart(line: Buffer, at: number): number {
  const text = line.toString('latin1');
  const control: Control = {
    kind: 'other',
    final: 0,
    paramsStart: 0,
    paramsEnd: 0,
    intermediates: false,
    end: 0,
  };
  const introduced = at > 0 ? text.lastIndexOf(ESC, at - 1) : -1;
  if (introduced >= 0 && parseControl(text, introduced, text.length, control).end > at) return introduced;
  let start = at;
  while (start > 0 && at - start < 4 && isContinuation(line[start])) start -= 1;
  return isContinuation(line[start]) ? at : start;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
