/** Escapes captured text for a terminal, which must not act on it. Files and pipes get it unchanged. */
import { escapeControls } from '../../../shared/text/escape.ts';
import { terminalLook } from './print.ts';

/** `raw`: the user asked for the escape sequences themselves. */
export function forOutput(text: string, raw: boolean): string {
  return raw || !terminalLook().isTerminal ? text : escapeControls(text);
}

/** Returns a view's note as the command line prints it. */
export function noteForPerson(note: string): string {
  return `spillway: ${escapeControls(note)}`;
}
