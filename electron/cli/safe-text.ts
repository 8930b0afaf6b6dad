/** Captured text on its way out: a file or a pipe gets it as it is; on a terminal nothing in it may act. */
import { escapeControls } from '../../shared/text/escape.ts';
import { terminal } from './print.ts';

/** `raw`: the person asked for the escape sequences themselves. */
export function forOutput(text: string, raw: boolean): string {
  return raw || !terminal().isTerminal ? text : escapeControls(text);
}

/** A view's note as the command line says it: its arguments are flags here. */
export function noteForPerson(note: string): string {
  return `spillway: ${escapeControls(note).replaceAll('as_text', '--as-text')}`;
}
