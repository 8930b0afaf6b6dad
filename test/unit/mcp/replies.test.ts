import { expect, test } from 'vitest';
import * as z from 'zod';
import { parseArguments } from '../../../electron/mcp/arguments.ts';
import { budgetFor, fitText } from '../../../electron/mcp/budget.ts';
import { isTimeout } from '../../../electron/mcp/commands/agent-commands.ts';
import { bytesOf, partsReply, textReply } from '../../../electron/mcp/reply.ts';
import { Settings } from '../../../shared/settings.ts';

const texts = ({ content }: ReturnType<typeof textReply>) =>
  content.map((block) => 'text' in block && block.text);

test('every block but the last ends with a newline, and none is blank', () => {
  expect(texts(textReply({ a: 1 }, 'one', 'two\n', 'three'))).toEqual([
    '{"a":1}\n',
    'one\n',
    'two\n',
    'three',
  ]);
  expect(texts(textReply({ a: 1 }, ''))).toEqual(['{"a":1}\n', '(no lines)']);
  expect(texts(textReply({ a: 1 }))).toEqual(['{"a":1}']);
});

test('a text of blank lines is replaced by their number, which agrees with the head', () => {
  expect(texts(textReply({ lines_shown: 3 }, '\n\n'))[1]).toBe('(3 blank lines)');
  const part = { stream: 'stdout', start_line: 1, end_line: 3, content: '\n \n', totalLines: 3 };
  expect(texts(partsReply({}, [part]))[1]).toBe('(3 blank lines)');
  expect(texts(partsReply({}, [part, { ...part, end_line: 1, content: '' }])).slice(1)).toEqual([
    '[stdout, lines 1-3 of 3]\n(3 blank lines)\n',
    '[stdout, lines 1-1 of 3]\n(1 blank line)',
  ]);
  expect(texts(textReply({ lines_shown: 1 }, ''))[1]).toBe('(1 blank line)');
  expect(texts(textReply({ lines_shown: 0 }, ''))[1]).toBe('(no lines)');
  expect(texts(partsReply({}, [{ ...part, start_line: 2, end_line: 2, content: '  ' }]))[1]).toBe(
    '(1 blank line)',
  );
});

test('the newline that ends a text of blank lines begins no further one', () => {
  for (const line of ['\n', ' \n', '\r\n']) {
    for (const count of [1, 2]) {
      const content = line.repeat(count);
      const said = count === 1 ? '(1 blank line)' : '(2 blank lines)';
      const part = { stream: 'output', start_line: 1, end_line: count, content, totalLines: count };
      expect(texts(partsReply({}, [part]))[1]).toBe(said);
      expect(texts(textReply({ bytes_shown: content.length }, content))[1]).toBe(said);
    }
  }
});

test('stderr has a label even if it is the only part', () => {
  const part = { stream: 'stderr', start_line: 1, end_line: 1, content: 'oops', totalLines: 1 };
  expect(texts(partsReply({}, [part]))[1]).toBe('[stderr, lines 1-1 of 1]\noops');
});

test('a label says which end of a line a part has, even if it is the only part', () => {
  const part = { stream: 'stdout', start_line: 1, end_line: 1, content: 'x', totalLines: 1 };
  const halves = [
    { ...part, clipped: 'beginning' as const },
    { ...part, clipped: 'end' as const },
  ];
  expect(texts(partsReply({}, halves)).slice(1)).toEqual([
    '[stdout, lines 1-1 of 1: only the beginning of line 1]\nx\n',
    '[stdout, lines 1-1 of 1: only the end of line 1]\nx',
  ]);
  const [, alone] = texts(partsReply({}, [{ ...halves[0]!, why: 'error', end_line: 3, totalLines: 9 }]));
  expect(alone).toBe('[stdout, lines 1-3 of 9: error; only the beginning of line 3]\nx');
});

test('a label gives the reason for a part if it is known', () => {
  const part = { stream: 'stderr', start_line: 1, end_line: 1, totalLines: 9 };
  const labelOf = (why: string, content: string) =>
    (texts(partsReply({}, [{ ...part, why, content }]))[1] as string).split('\n')[0];
  expect(labelOf('exception', 'ValueError: not a rate')).toBe('[stderr, lines 1-1 of 9: exception]');
  expect(labelOf('exception', 'int err = handle_error(code);')).toBe('[stderr, lines 1-1 of 9]');
  expect(labelOf('consequence', 'DEBUG 12 connections')).toBe('[stderr, lines 1-1 of 9]');
  expect(labelOf('error', 'error: x')).toBe('[stderr, lines 1-1 of 9: error]');
});

test('a head over 600 characters leaves out paths, then shortens texts, then tells less of its streams; its cause stays whole', () => {
  const path = `/home/person/captures/${'x'.repeat(150)}`;
  const stream = { file_path: path, total_lines: 9, returned_lines: 5, content_type: 'log' };
  const head = { command: 'x'.repeat(500), cause: { text: 'y'.repeat(500) }, stdout: stream };
  const headOf = (more: object) => {
    const line = texts(textReply({ ...head, ...more }))[0] as string;
    return { ...JSON.parse(line), length: line.length };
  };
  const short = headOf({});
  expect([short.command.length, short.cause.text.length, short.stdout.file_path]).toEqual([60, 240, path]);
  const two = headOf({ stderr: stream });
  expect([two.command.length, two.stdout, two.length < 600]).toEqual([
    60,
    { total_lines: 9, returned_lines: 5, content_type: 'log' },
    true,
  ]);
  const many = headOf({ parts: Array.from({ length: 15 }, (_, i) => ['stdout', i * 1000, i * 1000 + 9]) });
  expect([many.command.length, many.cause.text.length]).toEqual([32, 240]);
  const long = headOf({ warnings: ['w'.repeat(500)] });
  expect(long.stdout).toEqual({ total_lines: 9 });
  expect(headOf({ file_path: path, warnings: ['w'.repeat(500)] }).file_path).toBe(path);
});

test('the head leaves out nulls, empty lists, unknown types, zeros and falses, except informative ones', () => {
  const head = {
    ...{ exit_code: 0, success: false, match_count: 0, total_lines: 0, total_bytes: 0 },
    ...{ error: null, warnings: [], truncated: false, clipped_lines: 0, running: true },
    stderr: { total_bytes: 0, dropped_bytes: 0, file_path: null, content_type: 'unknown' },
  };
  expect(JSON.parse(texts(textReply(head))[0] as string)).toEqual({
    ...{ exit_code: 0, success: false, match_count: 0, total_lines: 0, total_bytes: 0, running: true },
    stderr: { total_bytes: 0 },
  });
});

test('each of several parts begins with a label', () => {
  const part = (stream: string, content: string) => ({
    stream,
    start_line: 1,
    end_line: 2,
    content,
    totalLines: 9,
  });
  expect(texts(partsReply({}, [part('stdout', 'a\nb')]))).toEqual(['{"parts":[["stdout",1,2]]}\n', 'a\nb']);
  expect(texts(partsReply({}, [part('stdout', 'a\nb'), part('stderr', 'c')])).slice(1)).toEqual([
    '[stdout, lines 1-2 of 9]\na\nb\n',
    '[stderr, lines 1-2 of 9]\nc',
  ]);
});

test('a reply keeps to the limit of its client, whatever limit is requested', () => {
  const settings = Settings.parse({});
  expect(budgetFor('some-client', settings).usualBytes).toBe(16_384);
  expect(budgetFor('Cline', settings)).toEqual({ usualBytes: 8000, mostBytes: 8000 });
  expect(budgetFor('github-copilot-cli', settings)).toEqual({ usualBytes: 16_384, mostBytes: 20_480 });
  expect(budgetFor(null, { maxReplyBytes: 4000 }).usualBytes).toBe(4000);
});

test.each(['x', 'é', '\u{1f600}', '語'])('text of %s is cut until head and text fit', async (char) => {
  const make = async (most: number) =>
    textReply({ total_lines: 1 }, char.repeat(Math.floor(most / char.length)));
  const reply = await fitText(make, 2000);
  expect(bytesOf(reply)).toBeLessThanOrEqual(2000);
  expect(bytesOf(reply)).toBeGreaterThan(1600);
});

test("numbers and booleans written as strings are accepted; errors use the client's names", () => {
  const schema = z.strictObject({
    timeout: z.number().int().optional(),
    background: z.boolean().optional(),
    env: z.record(z.string(), z.string()).optional(),
    args: z.array(z.string()).optional(),
  });
  const parse = (given: object) => parseArguments('run_command', schema, given);
  const bounded = z.strictObject({ timeout: z.number().int().min(0).max(5).optional() });
  const bound = (timeout: number) => () => parseArguments('wait', bounded, { timeout });
  expect(bound(1e300)).toThrow('give at most 5');
  expect(bound(-1e300)).toThrow('give at least 0');
  expect(() => parseArguments('storage_stats', z.strictObject({}), { x: 1 })).toThrow(
    'storage_stats has no argument "x": leave it out: it takes none',
  );
  expect(parse({ timeout: '5000', background: 'true' })).toEqual({ timeout: 5000, background: true });
  expect(() => parse({ timeout: '5 s' })).toThrow('`timeout` cannot be "5 s": give a whole number');
  expect(() => parse({ env: { A: 5 } })).toThrow('env.A must be a string: it is 5');
  expect(() => parse({ args: ['a', 1] })).toThrow('args.1 must be a string: it is 1');
  expect(() => parse({ timeuot: 1 })).toThrow(
    'run_command has no argument "timeuot": did you mean `timeout`?',
  );
});

test('a cancellation by a time limit is distinguished from one by a client', () => {
  for (const reason of [
    'Request timed out',
    'timeout',
    'MCP error -32001: Request timed out',
    new Error('time-out'),
  ])
    expect(isTimeout(reason), String(reason)).toBe(true);
  for (const reason of ['User cancelled', undefined, 'AbortError: This operation was aborted'])
    expect(isTimeout(reason), String(reason)).toBe(false);
});
