import { expect, test } from 'vitest';
import { numberedExplanation } from '../../../electron/cli/output/views.ts';

const view = {
  content: 'first\nbefore\nerror: \u001b[31mno such file\nlast',
  parts: [
    { start_line: 1, end_line: 1 },
    { start_line: 1199, end_line: 1200, why: 'error', line: 1200 },
    { start_line: 3000, end_line: 3000 },
  ],
  stream: 'output',
  cause: { stream: 'output', line_number: 1200, text: 'error: no such file' },
  total_lines: 3000,
} as unknown as Parameters<typeof numberedExplanation>[0];

test('an explanation begins with the cause, numbers its lines and counts the gaps', () => {
  expect(numberedExplanation(view).split('\n')).toEqual([
    'line 1200: error: no such file',
    '',
    '   1   first',
    '       … 1,197 lines',
    '1199   before',
    '1200 > error: \u001b[31mno such file',
    '       … 1,799 lines',
    '3000   last',
  ]);
});

test('lines after the last part are counted, too', () => {
  const cut = { ...view, parts: view.parts.slice(0, 1), content: 'first', cause: null };
  expect(numberedExplanation(cut).split('\n')).toEqual(['   1   first', '       … 2,999 lines']);
});
