/**
 * A line as a person would see it (CONTRACT 1, "line text"): what one line of a terminal shows after the
 * line's bytes were written to it from its first column.
 *
 * Applied: CR, backspace, and the sequences that move or erase within the line (CSI C D G ` a I Z K J P @ X b,
 * save and restore). Understood only by `styledLine`: SGR (CSI m). Removed: every other escape sequence and
 * control character; tabs stay. Movement between lines has no effect. Decisions for hostile or broken input:
 * - A string sequence (title, link, DCS, APC, PM, SOS) without its terminator in the line loses its introducer
 *   alone, so that the rest of the line can't be hidden.
 * - The cursor can't be moved past column 1024 or the end of the text, whichever is further: a program that
 *   asks for column 9999 means the right edge.
 * - Filling, shifting and repeating cells is paid from a budget proportional to the line's length; when it is
 *   spent, the line's remaining controls are removed without effect. Time and memory stay linear.
 * - Colours start at default on every line.
 */

import type { StyleRun } from '../api/rows.ts';
import { CR } from './byte-values.ts';
import { LineBuilder } from './line-builder.ts';

/** The text of one decoded line, given without its LF; a CR at its end belongs to the line ending. */
export function lineText(raw: string): string {
  const end = lineEnd(raw);
  if (!controlBefore(raw, end)) return end === raw.length ? raw : raw.slice(0, end);
  return new LineBuilder(raw, end, false).text();
}

/** As `lineText`, with the colours and attributes of its runs; `runs` is null when all is default. */
export function styledLine(raw: string): { text: string; runs: StyleRun[] | null } {
  const end = lineEnd(raw);
  if (!controlBefore(raw, end)) return { text: end === raw.length ? raw : raw.slice(0, end), runs: null };
  return new LineBuilder(raw, end, true).styled();
}

const CONTROL = /[\x00-\x08\x0a-\x1f\x7f-\x9f]/;

function lineEnd(raw: string): number {
  return raw.charCodeAt(raw.length - 1) === CR ? raw.length - 1 : raw.length;
}

function controlBefore(raw: string, end: number): boolean {
  const at = raw.search(CONTROL);
  return at >= 0 && at < end;
}
