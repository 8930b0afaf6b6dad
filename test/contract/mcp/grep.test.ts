/** `inspect_output` in mode grep, and what becomes of arguments that a model filled in without need. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import { createAgent } from '../../../electron/mcp/agent.ts';
import { type McpSocket, serveMcpSocket } from '../../../electron/mcp/socket.ts';
import { makePlace, type Place } from '../../fixtures/cli.ts';
import { connectClient, REVISIONS, socketTransport } from '../../fixtures/mcp/client.ts';

const LINES = Array.from({ length: 3000 }, (_, i) => `line ${i + 1}${i % 10 === 9 ? ' ERROR' : ''}`);
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

let place: Place;
let host: Host;
let socket: McpSocket;

beforeAll(async () => {
  place = makePlace();
  writeFileSync(join(place.files, 'app.log'), text(LINES));
  writeFileSync(join(place.files, 'odd.log'), 'a.b\naxb\n\u001b[31mer\u001b[0mror\n');
  writeFileSync(join(place.files, 'hang.log'), `${'a'.repeat(60)}!\nplain b\n`);
  writeFileSync(join(place.files, 'data.bin'), Buffer.from('\0\x01error\n'));
  host = await createHost({ home: place.home, watch: false, threads: 1 });
  socket = await serveMcpSocket({
    runDir: join(place.home, 'run'),
    createAgent: () => createAgent(host, { home: place.home, commands: null, version: '9.9.9' }),
  });
});

afterAll(async () => {
  await socket?.close();
  await host?.close();
  place?.remove();
});

describe.each(REVISIONS)('in %s', (revision) => {
  let client: Client;

  beforeAll(async () => {
    client = await connectClient(socketTransport(socket.path), revision);
  });
  afterAll(() => client.close());

  async function inspect(args: Record<string, unknown>, name = 'app.log') {
    const given = { file_path: join(place.files, name), ...args };
    const result = await client.callTool({ name: 'inspect_output', arguments: given });
    const [head, content] = (result.content as { text: string }[]).map((block) => block.text);
    return { result, head: result.isError ? null : JSON.parse(head!), content: content ?? '', said: head! };
  }

  test('a view is a line of JSON without matches, then what grep -n prints', async () => {
    const { result, head, content } = await inspect({
      mode: 'grep',
      pattern: 'error',
      max_matches: 2,
      context_lines: 1,
    });
    expect(content).toBe(
      '9-line 9\n10:line 10 ERROR\n11-line 11\n--\n19-line 19\n20:line 20 ERROR\n21-line 21',
    );
    expect(result.structuredContent).toBeUndefined();
    expect(result.content).toHaveLength(2);
    expect(head).not.toHaveProperty('matches');
    expect(head).not.toHaveProperty('content');
    expect(head).toMatchObject({
      mode: 'grep',
      match_count: 300,
      matches_shown: 2,
      lines_shown: 6,
      total_lines: 3000,
      truncated: true,
      next_cursor: expect.any(String),
    });
  });

  test('a search without a match leaves nothing out', async () => {
    const { head, content } = await inspect({ pattern: 'nowhere' });
    expect(head).toMatchObject({ mode: 'grep', match_count: 0 });
    expect(head).not.toHaveProperty('truncated');
    expect(content).toBe('(no lines)');
  });

  test('a pattern alone means grep', async () => {
    expect((await inspect({ pattern: 'line 3000' })).head).toMatchObject({ mode: 'grep', match_count: 1 });
  });

  test('pages put together are every match, also when the file has grown between them', async () => {
    const name = `growing-${revision}.log`;
    writeFileSync(join(place.files, name), text(LINES));
    const numbers: number[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const args = { pattern: 'error', context_lines: 0, max_matches: 70, ...(cursor ? { cursor } : {}) };
      const { head, content } = await inspect(args, name);
      numbers.push(...[...content.matchAll(/^(\d+):/gm)].map(([, number]) => Number(number)));
      cursor = head.next_cursor ?? null;
      pages += 1;
      if (pages === 1) appendFileSync(join(place.files, name), 'one more error\n');
    } while (cursor !== null);
    expect(numbers).toEqual([...LINES.flatMap((line, i) => (line.endsWith('ERROR') ? [i + 1] : [])), 3001]);
    expect(pages).toBe(5);
  });

  test('a reply keeps to its characters, and its cursor goes on behind what it gave', async () => {
    const first = await inspect({ pattern: 'line', max_matches: 2000, context_lines: 0, max_chars: 500 });
    expect(first.content.length).toBeLessThanOrEqual(500);
    expect(first.head.match_count).toBe(3000);
    const next = await inspect({
      pattern: 'line',
      max_matches: 1,
      context_lines: 0,
      cursor: first.head.next_cursor,
    });
    expect(next.content).toBe(`${first.head.end_line + 1}:line ${first.head.end_line + 1}`);
    const usual = await inspect({ pattern: 'line', max_matches: 2000 });
    expect(usual.content.length).toBeLessThanOrEqual(20_000);
    expect(usual.head.next_cursor).not.toBeNull();
  });

  test('case, plain text, inversion and raw text are as asked for', async () => {
    const count = async (args: object, name?: string) => (await inspect({ ...args }, name)).head.match_count;
    expect(await count({ pattern: 'error', case_sensitive: true })).toBe(0);
    expect(await count({ pattern: 'error', invert: true })).toBe(2700);
    expect(await count({ pattern: 'a.b' }, 'odd.log')).toBe(2);
    expect(await count({ pattern: 'a.b', fixed: true }, 'odd.log')).toBe(1);
    expect(await count({ pattern: 'error' }, 'odd.log')).toBe(1);
    expect(await count({ pattern: 'error', raw: true }, 'odd.log')).toBe(0);
    expect(await count({ pattern: '\\x1b', raw: true }, 'odd.log')).toBe(1);
  });

  test('no match gives a normal reply, and so does a count alone', async () => {
    const nothing = await inspect({ pattern: 'no such thing' });
    expect(nothing.result.isError).toBeFalsy();
    expect(nothing.head.match_count).toBe(0);
    expect(nothing.head).not.toHaveProperty('next_cursor');
    expect(nothing.content).toBe('(no lines)');
    const counted = await inspect({ pattern: 'error', max_matches: 0 });
    expect([counted.head.match_count, counted.content]).toEqual([300, '(no lines)']);
    expect(counted.head).not.toHaveProperty('next_cursor');
  });

  test('a binary output is not searched, and says how to search it', async () => {
    expect((await inspect({ pattern: 'error' }, 'data.bin')).head).toMatchObject({
      match_count: 0,
      unsearched: true,
      note: expect.stringContaining('as_text'),
    });
    expect((await inspect({ pattern: 'error', as_text: true }, 'data.bin')).head.match_count).toBe(1);
  });

  test('an expression that gets nowhere is ended, and says so', async () => {
    const { head } = await inspect({ pattern: '(a+)+(b|\\1)$' }, 'hang.log');
    expect(head).toMatchObject({ timed_out: true, note: expect.stringContaining('stopped making progress') });
    const { head: plain } = await inspect({ pattern: 'plain' }, 'hang.log');
    expect(plain.match_count).toBe(1);
    expect(plain).not.toHaveProperty('timed_out');
  });

  test.each([
    [{ mode: 'summary', lines: 50, pattern: '' }, { mode: 'summary' }],
    [{ mode: 'summary', lines: 0, start_line: 0, end_line: -1, cursor: 'x' }, { mode: 'summary' }],
    [
      { mode: 'head', pattern: '', lines: 3, context_lines: 3, fixed: false },
      { mode: 'head', end_line: 3 },
    ],
    [
      { mode: 'tail', start_line: 3, lines: 1, pattern: 'a(' },
      { mode: 'tail', start_line: 3000 },
    ],
    [
      { mode: 'range', start_line: 7, end_line: 8, max_matches: 99_999 },
      { mode: 'range', start_line: 7, end_line: 8 },
    ],
    [
      { mode: 'grep', pattern: 'line 7$', lines: 0, start_line: 0, max_shapes: -1 },
      { mode: 'grep', match_count: 1 },
    ],
    [
      { pattern: '', encoding: '', cursor: '', artifact_id: '' },
      { mode: 'head', lines_shown: 50 },
    ],
    [
      { start_line: 9, pattern: '' },
      { mode: 'range', start_line: 9 },
    ],
    [
      { mode: 'head', lines: 2, stream: 'output' },
      { mode: 'head', lines_shown: 2, stream: 'output' },
    ],
  ])('%j: what means nothing there is ignored', async (args, wanted) => {
    const { result, head } = await inspect(args);
    expect(result.isError, JSON.stringify(result.content)).toBeFalsy();
    expect(head).toMatchObject(wanted);
  });

  test.each([
    [
      { mode: 'tail', pattern: 'zzz', lines: 2 },
      '`pattern` means nothing in mode tail and was ignored: for it, use mode grep',
    ],
    [
      { pattern: 'line', lines: 5 },
      '`lines` means nothing in mode grep and was ignored: for it, use mode head or tail or range',
    ],
    [
      { mode: 'summary', start_line: 5, invert: true },
      '`start_line` means nothing in mode summary and was ignored: for it, use mode range or failure; `invert` means nothing in mode summary and was ignored: for it, use mode grep',
    ],
  ])('%j: what is ignored is named', async (args, note) => {
    expect((await inspect(args)).head).toMatchObject({ note });
  });

  test.each([
    { mode: 'tail', lines: 2, max_matches: 50, context_lines: 3, fixed: false, start_line: 0, pattern: '' },
    { pattern: 'line', lines: 50, max_shapes: 10, end_line: 0 },
  ])('%j: defaults and empty values are ignored silently', async (args) => {
    expect((await inspect(args)).head).not.toHaveProperty('note');
  });

  test.each([
    [{ mode: 'head', patern: 'x' }, /no argument "patern".*did you mean `pattern`/],
    [{ mode: 'head', search: null }, /no argument "search"/],
    [{ mode: 'head', lines: 0 }, /`lines` cannot be 0/],
    [{ mode: 'grep', pattern: '' }, /grep needs a pattern/],
  ])('%j is refused all the same', async (args, wanted) => {
    const { result, said } = await inspect(args);
    expect(result.isError).toBe(true);
    expect(said).toMatch(wanted);
  });

  test('it is announced with how to page', async () => {
    const { tools } = await client.listTools();
    const { description = '', inputSchema } = tools.find((tool) => tool.name === 'inspect_output')!;
    expect(inputSchema.properties).toMatchObject({
      cursor: { description: expect.stringMatching(/next_cursor of the previous page/) },
    });
    expect(Buffer.byteLength(description)).toBeLessThan(2048);
    expect(Object.keys(inputSchema.properties ?? {})).toEqual(
      expect.arrayContaining([
        'pattern',
        'context_lines',
        'max_matches',
        'cursor',
        'case_sensitive',
        'fixed',
        'invert',
      ]),
    );
  });
});
