/** Makes any text safe to print on a terminal: whatever could move, colour, retitle or answer is written out. */

const LIVE = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** `text` with every control character but tab and newline as `\x1b`-style text. */
export function escapeControls(text: string): string {
  return text.replace(LIVE, (control) => `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** As `escapeControls`, for what must stay on one line: tab and newline are written out too. */
export function escapeLine(text: string): string {
  return escapeControls(text).replace(/[\t\n]/g, (c) => (c === '\t' ? '\\t' : '\\n'));
}
