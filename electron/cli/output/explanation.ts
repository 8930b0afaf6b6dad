/** Shows the lines that explain a failure on a terminal: numbered, the cause marked, gaps between them counted. */
import { escapeControls } from '../../../shared/text/escape.ts';
import { plural } from '../../../shared/text/format.ts';
import type { FailureView } from '../../../shared/views.ts';
import { styled } from './style.ts';

/** Returns the lines, each behind its number. `>` marks the cause. */
export function numberedExplanation({ parts, content, cause, total_lines: total }: FailureView): string {
  const lines = content.split('\n');
  const width = String(total).length;
  const shown: string[] = [];
  let next = 1;
  let at = 0;
  const gap = (until: number) => {
    const missing = until - next;
    if (missing > 0) shown.push(styled(`${' '.repeat(width)}   … ${plural(missing, 'line')}`, 'faint'));
  };
  for (const { start_line: start, end_line: end } of parts) {
    gap(start);
    for (let number = start; number <= end; number += 1, at += 1) {
      const isCause = number === cause?.line_number;
      const head = styled(
        `${String(number).padStart(width)} ${isCause ? '>' : ' '} `,
        isCause ? 'red' : 'faint',
      );
      const text = escapeControls(lines[at] ?? '');
      shown.push(head + (isCause ? styled(text, 'bold') : text));
    }
    next = end + 1;
  }
  gap(total + 1);
  return shown.join('\n');
}
