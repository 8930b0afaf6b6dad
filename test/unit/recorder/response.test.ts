/** A tool's response: recorded as it is, or as indented JSON; inline when it is short, else a preview. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRecordingHome } from '../../../electron/host/recording/run-request.ts';
import { captureResponse } from '../../../electron/host/recording/stream.ts';
import { loadConfig } from '../../../electron/host/settings/config.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { onlyCapture, storedBytes, streamOf } from '../../fixtures/library/captured.ts';

let home: string;

beforeEach(() => {
  home = makeFolder();
});
afterEach(() => removeFolder(home));

const capture = (content: unknown, options: { inlineThreshold?: number } = {}) =>
  captureResponse(openRecordingHome(home, loadConfig(home)), content, {
    source: 'search',
    session: 'task',
    ...options,
  });

test.each<[string, unknown, string, string]>([
  ['a string as it is', 'héllo\r\n', 'héllo\r\n', 'text'],
  [
    'an object as indented JSON',
    { a: [1, { b: null }] },
    '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ]\n}',
    'json',
  ],
  ['a list as indented JSON', ['x'], '[\n  "x"\n]', 'json'],
  ['a number', 5, '5', 'json'],
  ['nothing', undefined, '', 'unknown'],
  ['an empty string', '', '', 'unknown'],
  ['a string that is JSON', '{"a":1}', '{"a":1}', 'json'],
])('a response is recorded: %s', async (_, given, text, type) => {
  const { head, content, parts } = await capture(given);
  expect(content).toBe(text);
  expect(head).toMatchObject({ status: 'inline', truncated: false, file_path: null, content_type: type });
  expect(parts).toHaveLength(text === '' ? 0 : 1);
  const { record } = onlyCapture(home);
  expect(record).toMatchObject({
    kind: 'tool',
    label: 'search',
    session: 'task',
    status: 'finished',
    command: null,
  });
  expect(storedBytes(onlyCapture(home), 'output').toString()).toBe(text);
});

test('a long response spills to a file of its type, and is answered by its head and tail', async () => {
  const rows = Array.from({ length: 5000 }, (_, id) => ({ id }));
  const { head, parts, content } = await capture(rows);
  expect(head).toMatchObject({ status: 'captured', truncated: true, content_type: 'json' });
  expect(head.file_path).toMatch(/\.json$/);
  expect(JSON.parse(readFileSync(head.file_path!, 'utf8'))).toEqual(rows);
  expect(parts.map(({ start_line, end_line }) => [start_line === 1, end_line === head.total_lines])).toEqual([
    [true, false],
    [false, true],
  ]);
  expect(content).toBe(parts.map((part) => part.content).join('\n'));
  expect(streamOf(onlyCapture(home), 'output').total_lines).toBe(15_002);
});

test('a response of exactly the threshold, which counts characters, stays inline', async () => {
  expect((await capture('é'.repeat(10), { inlineThreshold: 10 })).head.status).toBe('inline');
  expect((await capture('é'.repeat(11), { inlineThreshold: 10 })).head.status).toBe('captured');
  expect((await capture('😀'.repeat(5), { inlineThreshold: 10 })).head.status).toBe('inline');
  expect((await capture('x', { inlineThreshold: 0 })).head.status).toBe('captured');
});
