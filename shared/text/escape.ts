/** Makes any text safe to print on a terminal: what could move, colour, retitle, answer or reorder is written out. */

const LIVE = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Marks and overrides of text direction: with them a line can look like another one (CVE-2021-42574). */
const BIDIRECTIONAL = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Returns `text` with control characters (except tab and newline) as `\x1b`, bidirectional ones as `\u202e`. */
export function escapeControls(text: string): string {
  return text
    .replace(LIVE, (control) => `\\x${hex(control, 2)}`)
    .replace(BIDIRECTIONAL, (control) => `\\u${hex(control, 4)}`);
}

/** Returns `text` as `escapeControls` does, on one line: tab and newline are written out too. */
export function escapeLine(text: string): string {
  return escapeControls(text).replace(/[\t\n]/g, (c) => (c === '\t' ? '\\t' : '\\n'));
}

/** Overrides and isolates: the direction controls that can move what stands beside them. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;

/** Returns `text` with a visible sign for each control that would reorder it. Columns stay as they are. */
export function inOrder(text: string): string {
  return text.replace(REORDERING, '\u21c4');
}

function hex(char: string, digits: number): string {
  return char.charCodeAt(0).toString(16).padStart(digits, '0');
}
