/**
 * How sentences name an argument: `as_text` for the caller of a tool, `--as-text` on the command line. Apart from the
 * tables of arguments, whose schemas take long to load.
 */

/** Where a sentence is read. */
export type Surface = 'tool' | 'command line';

/** The flags of the arguments that sentences name. */
export const FLAGS = {
  as_text: 'as-text',
  encoding: 'encoding',
  fixed: 'fixed',
  raw: 'raw',
  start_line: 'start',
  end_line: 'end',
} as const;

export function argumentOn(surface: Surface, name: keyof typeof FLAGS): string {
  return surface === 'tool' ? name : `--${FLAGS[name]}`;
}
