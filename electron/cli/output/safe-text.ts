/** Captured text on its way out: a file or a pipe gets it as it is; on a terminal nothing in it may act. */
import { escapeControls } from '../../../shared/text/escape.ts';
import { terminal } from './print.ts';

/** `raw`: the person asked for the escape sequences themselves. */
export function forOutput(text: string, raw: boolean): string {
  return raw || !terminal().isTerminal ? text : escapeControls(text);
}

/** A view's note as the command line says it. */
export function noteForPerson(note: string): string {
  return `spillway: ${escapeControls(withFlags(note))}`;
}

/** The host's sentence with its arguments written as flags. */
export function withFlags(sentence: string): string {
  return sentence.replaceAll('as_text', '--as-text').replaceAll('with fixed', 'with --fixed');
}
