/** Colours grep's output for a terminal: line numbers, and the first match of each line. */
import { escapeControls } from '../../../shared/text/escape.ts';
import type { GrepView } from '../../../shared/views.ts';
import { hasColour, styled } from './style.ts';

/** Colours matching lines (`12:…`), context (`11-…`) and separators (`--`). Escapes controls in the text. */
export function colouredGrep({ content, matches }: GrepView): string {
  if (!hasColour()) return escapeControls(content);
  const byLine = new Map(matches.map((match) => [match.line_number, match]));
  return content
    .split('\n')
    .map((line) => {
      const [, number, mark, text = ''] = /^(\d+)([:-])(.*)$/s.exec(line) ?? [];
      if (number === undefined) return styled(line, 'faint');
      const match = mark === ':' ? byLine.get(Number(number)) : undefined;
      const head = styled(number, 'green') + styled(mark!, 'faint');
      return head + (match ? highlighted(text, match.match, match.column - 1) : escapeControls(text));
    })
    .join('\n');
}

/** `at`: offset of the match, unless the line was clipped before it. */
function highlighted(text: string, match: string, at: number): string {
  const start = text.startsWith(match, at) ? at : text.indexOf(match);
  if (match === '' || start < 0) return escapeControls(text);
  const end = start + match.length;
  const [before, found, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
  return escapeControls(before) + styled(escapeControls(found), 'match') + escapeControls(after);
}
