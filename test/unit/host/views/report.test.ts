/** A report of a failure, from sources that are made up. */
import { expect, it } from 'vitest';
import { failureReport } from '../../../../electron/host/views/report.ts';
import { SpillwayError } from '../../../../shared/errors.ts';
import { secretsOf } from '../../../../shared/secrets/mask.ts';
import type { ReportParams, View } from '../../../../shared/views.ts';
import { artifactOf } from '../../../fixtures/library/artifacts.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const LINES = ['<b>first</b> ``` & more', `token ${TOKEN}`, 'error: no such file'];

const artifact = artifactOf('cmd-make-1', {
  ...{ command: 'make', args: ['all', '--', '<x>'], cwd: '/w/api', status: 'failed', exit_code: 2 },
  duration_ms: 12_300,
});

const found = (change: object) =>
  ({ artifact_id: 'cmd-make-1', stream: 'stderr', total_lines: 90, total_bytes: 2048, ...change }) as View;

const sources: Parameters<typeof failureReport>[1] = {
  artifact: async () => artifact,
  inspect: async ({ mode, start_line }, { redact }) => {
    const masked = redact?.mask(LINES.join('\n'));
    if (mode === 'range') return found({ lines_shown: start_line === 9 ? 1 : 0, content: 'marked <line>' });
    return found({
      ...{ mode: 'failure', content: masked?.text ?? LINES.join('\n'), redacted: masked?.count },
      cause: { stream: 'stderr', line_number: 42, text: '  error: no such file' },
      parts: [{ start_line: 40, end_line: 42, why: 'an error', line: 42 }],
    });
  },
  compare: async () => ({
    ...{ artifact_id: 'cmd-make-1', lines: [], changed_lines: [], total_findings: 1, truncated: false },
    cause: null,
    baselines: [{ artifact_id: 'cmd-make-0', started_at: null, chosen: 'command' }],
    findings: [
      {
        ...{ kind: 'changed', stream: 'stderr', line_number: 42, text: `got ${TOKEN} <2>`, count: 1 },
        ...{ baseline_text: 'got nothing <1>', baseline_line: 40 },
      },
    ],
  }),
  secrets: () => secretsOf({ patterns: [], except: [] }),
};

const marks: ReportParams['marks'] = [
  { stream: 'stderr', line: 9, note: 'look here' },
  { stream: 'stderr', line: 10, note: 'gone' },
];

it('has cause, lines, marks and what changed as Markdown, with secrets masked', async () => {
  const { text, redacted } = await failureReport({ artifact_id: 'x', format: 'markdown', marks }, sources);
  expect(redacted).toBe(2);
  expect(text).not.toContain(TOKEN);
  expect(text).toContain("# `make all -- '<x>'`");
  expect(text).toContain('- Ended: `failed, exit status 2`\n- Directory: `/w/api`');
  expect(text).toContain('## Cause\n\nLine 42 of stderr:\n\n```text\nerror: no such file\n```');
  // The fence is longer than the back ticks in the lines.
  expect(text).toContain('Lines 40–42 of stderr: the cause\n\n````text\n  40  <b>first</b> ``` & more\n');
  expect(text).toContain('\n> 42  error: no such file\n````');
  expect(text).toContain('Line 9 of stderr: look here\n\n```text\n  9  marked <line>\n```');
  expect(text).toMatch(/Compared with cmd-make-0: 1 difference\.\n\n```text\nchanged {6}42 {2}/);
  expect(text).toContain('`spillway inspect cmd-make-1`');
});

it('has the same as HTML, in which nothing of the output is markup', async () => {
  const { text } = await failureReport({ artifact_id: 'x', format: 'html', marks }, sources);
  expect(text).not.toContain(TOKEN);
  expect(text).not.toMatch(/<script|<b>first|<x>|<line>|https?:/);
  expect(text).toContain('<i>40</i>&lt;b&gt;first&lt;/b&gt; ``` &amp; more');
  expect(text).toContain('<b><i>42</i>error: no such file</b>');
  expect(text).toContain('<pre class="cause">error: no such file</pre>');
  expect(text).toMatch(/<del>[^<]*&lt;1|<ins>[^<]*2/);
});

it('says why nothing was compared, and masks nothing where asked not to', async () => {
  const compare = () => Promise.reject(new SpillwayError('not_found', 'no run of this has passed here', ''));
  const params: ReportParams = { artifact_id: 'x', format: 'markdown', redact: false };
  const { text, redacted } = await failureReport(params, { ...sources, compare });
  expect(text).toContain('## What changed\n\nNot compared: no run of this has passed here.\n');
  expect(text).toContain(TOKEN);
  expect(redacted).toBe(0);
});

it('quotes the cause first, and neither set-up nor reasons in the words of a model', async () => {
  const setUp = Array.from({ length: 25 }, (_, i) => `set up ${i}`);
  const lines = [...setUp, 'warning: no cache', 'built a', 'built b', 'error: no such file'];
  const view = found({
    ...{ mode: 'failure', content: lines.join('\n') },
    cause: { stream: 'stderr', line_number: 42, text: 'error: no such file' },
    parts: [
      { start_line: 1, end_line: 25 },
      { start_line: 30, end_line: 32, why: 'unlike other lines', line: 30 },
      { start_line: 42, end_line: 42, why: 'error', line: 42 },
    ],
  });
  const params: ReportParams = { artifact_id: 'x', format: 'markdown' };
  const { text } = await failureReport(params, { ...sources, inspect: async () => view });
  expect(text).not.toContain('set up');
  expect(text).not.toContain('unlike');
  expect(text.match(/^Lines? \d.* of stderr.*/gm)).toEqual([
    'Line 42 of stderr:',
    'Line 42 of stderr: the cause',
    'Lines 30–32 of stderr',
  ]);
});
