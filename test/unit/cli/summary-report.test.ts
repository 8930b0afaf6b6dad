import { expect, test } from 'vitest';
import { summaryReport } from '../../../electron/cli/output/views.ts';
import type { SummaryView } from '../../../shared/views.ts';
import { makeSummary } from '../../fixtures/reader/summary.ts';

test('aligns the figures, the first errors and the shapes', () => {
  expect(summaryReport(makeSummary())).toBe(`file      /logs/app.log
artifact  file-app.log-2026-01-13T10-30-00-abc123
content   text, utf-8
size      47.7 KiB (48,893 bytes)
lines     5,000, 12 of them blank, ending in LF
length    8.8 characters on average, 90 at most
levels    error 2, info 4,000
from      2026-01-13T10:30:00Z
to        2026-01-13T11:30:00Z

First errors
     17  ERROR disk full
  4,200  ERROR again

Most frequent messages
  4,000  INFO request <n> done  (line 1)
      2  ERROR <w>  (line 17)
`);
});

test('leaves out empty parts', () => {
  const report = summaryReport(
    makeSummary({ levels: {}, first_errors: [], shapes: [], first_timestamp: null, last_timestamp: null }),
  );
  expect(report).not.toMatch(/levels|from|to {2}|First errors|Most frequent/);
});

test('says nothing of lines that were not counted', () => {
  expect(summaryReport(makeSummary({ total_lines: null }))).not.toMatch(/^(lines|length) /m);
});

test('says when counts are not exact, what a JSON text holds, and which stream was read', () => {
  const report = summaryReport(
    makeSummary({
      shapes_exact: false,
      json: { type: 'object', keys: ['a', 'b'] },
      stream: 'stderr',
      running: true,
    }),
  );
  expect(report).toContain('Most frequent messages (counts may be low)');
  expect(report).toMatch(/^JSON +object: a, b$/m);
  expect(report).toMatch(/^stream +stderr$/m);
  expect(report).toMatch(/still being written/);
});

test('says that a text has an object per line, and of how many lines the keys are', () => {
  const row = (json: SummaryView['json']) => /^JSON +(.*)$/m.exec(summaryReport(makeSummary({ json })))?.[1];
  const keys = ['a', 'b'];
  expect(row({ type: 'object', keys, per_line: true })).toBe('objects, one per line: a, b');
  expect(row({ type: 'object', keys, per_line: true, sampled_lines: 1200 })).toBe(
    'objects, one per line: a, b (keys of 1,200 sampled lines)',
  );
});

test('keeps a row on one line when a name has a newline', () => {
  expect(summaryReport(makeSummary({ file_path: '/a\nb' }))).toContain('file      /a\\nb\n');
});
