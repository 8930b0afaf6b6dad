/** Styles text for a terminal. No styles in pipes and files, with NO_COLOR, or on a terminal without colours. */
import { terminalLook } from './print.ts';

const CODES = { red: 31, green: 32, yellow: 33, cyan: 36, bold: 1, faint: 2, match: '1;31' } as const;
export type Style = keyof typeof CODES;

export function hasColour(env: NodeJS.ProcessEnv = process.env): boolean {
  return terminalLook().isTerminal && !env.NO_COLOR && env.TERM !== 'dumb';
}

/** Returns the text in this style, or unchanged without colours. The text must have no escape sequences. */
export function styled(text: string, style: Style | null): string {
  return style === null || text === '' || !hasColour() ? text : `\x1b[${CODES[style]}m${text}\x1b[0m`;
}
