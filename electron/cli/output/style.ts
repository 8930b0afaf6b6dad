/** Colours for a person at a terminal: none in a pipe or a file, with NO_COLOR, or on a terminal that has none. */
import { terminal } from './print.ts';

const CODES = { red: 31, green: 32, yellow: 33, cyan: 36, bold: 1, faint: 2, match: '1;31' } as const;
export type Style = keyof typeof CODES;

export function hasColour(env: NodeJS.ProcessEnv = process.env): boolean {
  return terminal().isTerminal && !env.NO_COLOR && env.TERM !== 'dumb';
}

/** Returns the text in this style, or unchanged without colours. The text has no escape sequences. */
export function styled(text: string, style: Style | null): string {
  return style === null || text === '' || !hasColour() ? text : `\x1b[${CODES[style]}m${text}\x1b[0m`;
}
