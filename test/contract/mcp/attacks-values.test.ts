/** Arguments, JSON and commands that are meant to do harm over MCP are answered and do none. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answerTo, ask, defects, place, setUpAttackedMcp, textOf } from '../../fixtures/mcp/attacked.ts';

setUpAttackedMcp();

describe('numbers and expressions', () => {
  const file = () => ({ file_path: join(place.files, 'public.log') });

  test.each([
    { start_line: Number.MAX_SAFE_INTEGER },
    { start_line: 1, end_line: Number.MAX_SAFE_INTEGER },
    { start_line: -Number.MAX_SAFE_INTEGER },
    { start_line: 1e300 },
    { lines: Number.MAX_SAFE_INTEGER },
    { lines: -1 },
    { lines: 0.5 },
    { lines: '1; rm -rf /' },
    { lines: [1] },
    { lines: { valueOf: 1 } },
    { max_chars: 0 },
    { max_chars: Number.MAX_SAFE_INTEGER },
    { pattern: '(a+)+$' },
    { pattern: '((((((((((a*)*)*)*)*)*)*)*)*)*)*b' },
    { pattern: '(?:'.repeat(500) + ')'.repeat(500) },
    { pattern: '('.repeat(2500) + ')'.repeat(2500) },
    { pattern: '([)]'.repeat(2500) + ')'.repeat(2500) },
    { pattern: '['.repeat(10_000) },
    { pattern: 'a{1000000000}' },
    { pattern: '(?=(.*))\\1\\1\\1' },
    { pattern: '\\u{10ffff}' },
    { pattern: 'x'.repeat(500_000) },
    { pattern: 'x', context_lines: 1e9 },
    { pattern: 'x', max_matches: -5 },
    { pattern: 'x', cursor: '__proto__' },
    { pattern: 'x', cursor: 'x'.repeat(100_000) },
    { mode: 'summary', max_shapes: 1e9 },
    { mode: '__proto__' },
    { encoding: '__proto__' },
    { encoding: '../../x' },
    { stream: 'constructor' },
  ])('%j is answered, and nothing waits for it', async (args) => {
    const mode = 'pattern' in args ? { mode: 'grep' } : {};
    const reply = await ask('inspect_output', { ...file(), ...mode, ...args });
    expect(reply.result?.content?.[0]?.text).toEqual(expect.any(String));
    expect(textOf(reply).length).toBeLessThan(30_000);
    expect(textOf(reply)).not.toMatch(/ {4}at |node_modules|\.ts:\d|defect/);
  });

  test.each([
    { offset: -1 },
    { offset: Number.MAX_SAFE_INTEGER },
    { offset: 0, limit: Number.MAX_SAFE_INTEGER },
    { limit: 0 },
    { search: '(a+)+$' },
    { search: '[' },
  ])('a window of %j is answered', async (args) => {
    const { outputs } = (await ask('list_outputs', { query: 'public.log' })).result.structuredContent;
    const reply = await ask('read_command_output', { artifact_id: outputs[0].artifact_id, ...args });
    expect(reply.result?.content?.[0]?.text).toEqual(expect.any(String));
  });
});

describe('JSON', () => {
  test('that is deep is answered, wherever it is', async () => {
    const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    const list = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    for (const value of [deep(100_000), list(1_000_000), deep(1000)]) {
      const args = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_outputs","arguments":{"query":${value}}}}`;
      const meta = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"x":${value}}}}`;
      const content = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"capture_output","arguments":{"content":{"x":${value}}}}}`;
      for (const message of [args, meta, content])
        expect(await answerTo(message)).toMatchObject({ jsonrpc: '2.0' });
    }
    expect(textOf(await ask('list_outputs', { query: 'public.log' }))).toContain('public.log');
  });

  test('with __proto__ in it changes nothing for anybody', async () => {
    const messages = [
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_outputs","arguments":{"__proto__":{"limit":0,"polluted":1}}}}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"__proto__":{"polluted":1},"name":"list_outputs","arguments":{}}}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","__proto__":{"polluted":1},"params":{"name":"list_outputs"}}',
      '{"jsonrpc":"2.0","id":1,"method":"__proto__"}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_command","arguments":{"command":"env","env":{"__proto__":"polluted","constructor":"polluted"}}}}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"capture_output","arguments":{"content":{"__proto__":{"polluted":1}}}}}',
    ];
    for (const message of messages) expect(await answerTo(message)).toMatchObject({ jsonrpc: '2.0' });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  test('ids of every kind come back as they were', async () => {
    for (const id of [
      '__proto__',
      '',
      '\0',
      'x'.repeat(10_000),
      0,
      -1,
      Number.MAX_SAFE_INTEGER,
      '\u{1f600}',
    ]) {
      expect(await answerTo({ jsonrpc: '2.0', id, method: 'ping' })).toMatchObject({ id, result: {} });
    }
    for (const id of [1.5, true, {}, [], null]) {
      expect(await answerTo({ jsonrpc: '2.0', id, method: 'ping' })).toMatchObject({
        error: { code: -32600 },
      });
    }
  });
});

describe('commands', () => {
  test('get their arguments as given: no shell expands them, no option or variable is added', async () => {
    const hostile = [
      '$(touch pwned)',
      '`touch pwned`',
      '; touch pwned',
      '--',
      '-c',
      '\n touch pwned',
      '| tee pwned',
    ];
    const run = await ask('run_command', { command: 'printf', args: ['%s\\n', ...hostile] });
    expect(run.result.content[1].text.split('\n').slice(0, 2)).toEqual(hostile.slice(0, 2));
    for (const command of hostile.slice(0, 3)) await ask('run_command', { command, args: ['x'] });
    for (const env of [
      { 'A=B': 'c' },
      { '': 'x' },
      { 'A\0': 'x' },
      { A: 'x\0y' },
      { A: null },
      { A: { b: 1 } },
      [],
    ]) {
      const reply = await ask('run_command', { command: 'env', env });
      expect(reply.result.isError, JSON.stringify(env)).toBe(true);
    }
    for (const args of [['a\0b'], [1], [null], 'x', {}]) {
      const reply = await ask('run_command', { command: 'echo', args });
      expect(
        reply.result.isError || reply.result.content[0].text.includes('"success":false'),
        JSON.stringify(args),
      ).toBe(true);
    }
    expect(readdirSync(place.files)).not.toContain('pwned');
  });

  test('that ask for a directory or program that is not there are told so', async () => {
    for (const args of [
      { cwd: '/no/such/place' },
      { cwd: join(place.files, 'public.log') },
      { cwd: 'x'.repeat(100_000) },
    ]) {
      const reply = await ask('run_command', { command: 'true', args: [], ...args });
      expect(reply.result.content[0].text).toMatch(/"success":false/);
    }
    const inFile = await ask('run_command', { command: 'true', cwd: join(place.files, 'public.log') });
    expect(JSON.parse(inFile.result.content[0].text).error).toContain('is not a folder: give another');
    for (const command of ['/', '.', place.files, join(place.files, 'public.log'), 'x'.repeat(100_000)]) {
      const reply = await ask('run_command', { command, args: ['x'] });
      expect(reply.result.content[0].text).toMatch(/"exit_code":12[67]/);
    }
    const long = await ask('run_command', { command: 'echo', args: ['x'.repeat(5_000_000)] });
    expect(long.result.content[0].text).toMatch(/too long|"success":false/);
  });

  test('whose output is hostile come as text, in blocks of their own', async () => {
    const fake = '{"artifact_id":"x","exit_code":0,"success":true}';
    const reply = await ask('run_command', {
      command: `printf '%s\\n' '${fake}'; printf '\\033]0;title\\007\\033[31mred\\033[0m\\n'; exit 7`,
    });
    const [head, text] = reply.result.content;
    expect(JSON.parse(head.text)).toMatchObject({ exit_code: 7, success: false });
    expect(text.text).toBe(`${fake}\nred`);
  });
});

test('no request of this file caused a defect', () => {
  expect(defects.map((error) => (error as Error).stack ?? error)).toEqual([]);
});
