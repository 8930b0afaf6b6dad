/** `spillway proxy` between a client and a server passes everything unchanged except long text results. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { finished, makePlace, type Place, runCli, startCli } from '../../fixtures/cli.ts';
import { callTool, INITIALIZE } from '../../fixtures/mcp/client.ts';
import { until } from '../../fixtures/until.ts';

const SERVER = fileURLToPath(new URL('../../fixtures/mcp/server.mjs', import.meta.url));
const LONG = 'a line of some length\n'.repeat(400);

let place: Place;
let log: string;
const started: ChildProcessWithoutNullStreams[] = [];

beforeEach(() => {
  place = makePlace();
  log = join(place.files, 'read-by-server');
});

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  place.remove();
});

/** A client behind the proxy that says and hears bytes. */
class RawClient {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #lines: string[] = [];
  #rest: Buffer[] = [];

  constructor(options: string[] = [], env: NodeJS.ProcessEnv = {}) {
    const server = [process.execPath, SERVER];
    this.child = startCli(['proxy', ...options, '--', ...server], place, { LOG: log, ...env });
    this.child.stdin.on('error', () => {});
    started.push(this.child);
  }

  say(...messages: (object | string)[]): this {
    for (const message of messages)
      this.child.stdin.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`);
    return this;
  }

  listen(): this {
    this.child.stdout.on('data', (chunk: Buffer) => {
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        this.#lines.push(Buffer.concat([...this.#rest, chunk.subarray(start, end + 1)]).toString());
        this.#rest = [];
        start = end + 1;
      }
      if (start < chunk.length) this.#rest.push(chunk.subarray(start));
    });
    return this;
  }

  /** The next line, with its newline. */
  async line(): Promise<string> {
    return this.#lines.shift() ?? until(() => this.#lines.shift());
  }

  // biome-ignore lint/suspicious/noExplicitAny: what comes is what the tests look into
  async message(): Promise<any> {
    return JSON.parse(await this.line());
  }

  /** The server's exact bytes in answer to a call; `@ID@` in them is the call's id. */
  async answeredWith(line: string, id: string | number = 1): Promise<string> {
    this.say(callTool(id, 'raw', { base64: Buffer.from(line, 'latin1').toString('base64') }));
    return this.line();
  }
}

test.each([
  [
    'spaces and key order',
    '{ "id" : @ID@,"result":{"content":[ ],"_meta":{"b":1,"a":2}} ,"jsonrpc":"2.0" }\r\n',
  ],
  ['numbers that a double cannot hold', '{"jsonrpc":"2.0","id":@ID@,"result":{"n":12345678901234567890}}\n'],
  ['an error', '{"jsonrpc":"2.0","id":@ID@,"error":{"code":-32000,"message":"no","data":{}}}\n'],
  ['a request of the server', '{"jsonrpc":"2.0","id":@ID@,"method":"sampling/createMessage","params":{}}\n'],
  ['progress', '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1}}\n'],
  ['a line that is not JSON', 'Server listening…\n'],
  ['an answer to nothing', '{"jsonrpc":"2.0","id":"none","result":{}}\n'],
  ['a batch', '[{"jsonrpc":"2.0","id":@ID@,"result":{}}]\n'],
])('%s passes byte for byte', async (_, line) => {
  const heard = await new RawClient().listen().answeredWith(line);
  expect(heard).toBe(Buffer.from(line.replace('@ID@', '1'), 'latin1').toString());
});

test('the client’s bytes and its end of input reach the server unchanged', async () => {
  const said = [
    '{ "jsonrpc":"2.0","id":12345678901234567890,"method":"ping" }\r\n',
    'not JSON\n\n',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}\n',
    '{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"none"}}',
  ].join('');
  const result = await runCli(['proxy', '--', process.execPath, SERVER], place, {
    input: said,
    env: { LOG: log },
  });
  expect(readFileSync(log, 'utf8')).toBe(said);
  expect(result).toEqual({ status: 0, signal: null, stdout: '', stderr: 'input ended\n' });
});

test('the client answers a request of the server', async () => {
  const client = new RawClient().listen().say(callTool(1, 'ask'));
  const { id, method } = await client.message();
  expect(method).toBe('roots/list');
  const answer = { jsonrpc: '2.0', id, result: { roots: [] } };
  expect((await client.say(answer).message()).result.content[0].text).toBe(JSON.stringify(answer));
});

test('a long text result comes as its preview, and is recorded; the rest of it stays', async () => {
  const client = new RawClient().listen().say(INITIALIZE);
  await client.message();
  const image = '{"type":"image","data":"AA==","mimeType":"image/png"}';
  const text = JSON.stringify({ type: 'text', text: LONG, annotations: {} });
  const before = '{ "jsonrpc":"2.0","result":{"structuredContent":{"n":12345678901234567890},"content":';
  const behind = ',"isError":true,"_meta":{"z":1}}, "id":1}\n';
  const line = await client.answeredWith(
    `${before}[${image},${text},{"type":"text","text":"and more"}]${behind}`,
  );
  expect(line.startsWith(`${before}[${image},{`)).toBe(true);
  expect(line.endsWith(`]${behind}`)).toBe(true);
  const { content } = JSON.parse(line).result;
  const head = JSON.parse(content[1].text);
  expect(head).toMatchObject({ status: 'captured', total_lines: 401, total_bytes: LONG.length + 8 });
  expect(readFileSync(head.full_output_file, 'utf8')).toBe(`${LONG}and more`);
  expect(head.read_on).toContain('inspect_output');
  expect(content[2].text).toMatch(/^\[output, lines 1-\d+ of 401\]\na line/);
  expect(content.slice(1, -1).every((block: { text: string }) => block.text.endsWith('\n'))).toBe(true);
  const { outputs } = JSON.parse((await runCli(['list', '--kind', 'tool', '--json'], place)).stdout);
  expect(outputs).toMatchObject([{ artifact_id: head.artifact_id, kind: 'tool', label: 'raw' }]);
  expect(outputs[0].session).toMatch(/^fixture-/);
});

const initialize = (name: string) => ({
  ...INITIALIZE,
  params: { ...INITIALIZE.params, clientInfo: { name, version: '1' } },
});

/** What a client of a name gets in place of a result. */
async function resultFor(name: string, result: object) {
  const client = new RawClient().listen().say(initialize(name));
  await client.message();
  const line = await client.answeredWith(`${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n`);
  return JSON.parse(line).result;
}

const ROWS = { rows: Array.from({ length: 600 }, (_, i) => ({ row: i + 1, text: 'a row of the table' })) };
const text = (value: string) => [{ type: 'text', text: value }];

test.each(['unknown', 'claude-code', 'codex-mcp-client', 'qwen-cli-mcp-client-x', 'copilot-cli', 'opencode'])(
  'of long structured content beside the same as text, %s gets one preview, and nothing else',
  async (name) => {
    const got = await resultFor(name, { content: text(JSON.stringify(ROWS)), structuredContent: ROWS });
    expect(Object.keys(got)).toEqual(['content']);
    const head = JSON.parse(got.content[0].text);
    expect(readFileSync(head.full_output_file, 'utf8')).toBe(JSON.stringify(ROWS));
    expect(JSON.stringify(got).length).toBeLessThan(6000);
  },
);

test('structured content that the text does not tell is captured behind it', async () => {
  const got = await resultFor('claude-code', { content: text('600 rows'), structuredContent: ROWS });
  expect(got).not.toHaveProperty('structuredContent');
  const { full_output_file } = JSON.parse(got.content[0].text);
  expect(readFileSync(full_output_file, 'utf8')).toBe(`600 rows\n${JSON.stringify(ROWS, null, 2)}`);
  const file = await resultFor('x', { content: text(LONG), structuredContent: { content: LONG } });
  expect(readFileSync(JSON.parse(file.content[0].text).full_output_file, 'utf8')).toBe(LONG);
  const alone = await resultFor('x', { content: [], structuredContent: ROWS });
  expect(JSON.parse(alone.content[0].text)).toMatchObject({ status: 'captured', content_type: 'json' });
});

test('what a client does not show its model passes unchanged', async () => {
  const short = { content: text('600 rows'), structuredContent: ROWS };
  expect(await resultFor('opencode', short)).toEqual(short);
  expect(await resultFor('gemini-cli-mcp-client', short)).toEqual(short);
  const long = { content: text(LONG), structuredContent: { rows: 600 } };
  expect(await resultFor('claude-code', long)).toEqual(long);
  const failed = await resultFor('claude-code', { ...long, isError: true });
  expect(failed).toMatchObject({ structuredContent: { rows: 600 }, isError: true });
  expect(JSON.parse(failed.content[0].text).status).toBe('captured');
});

test('tools announce no schema of structured content, which a preview would not follow', async () => {
  const client = new RawClient([], { PAGES: '[["text"],["raw"]]', SCHEMA: '{"type":"object"}' }).listen();
  for (const cursor of [undefined, '1']) {
    client.say({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor } });
    const [tool] = (await client.message()).result.tools;
    expect(Object.keys(tool)).toEqual(['name', 'inputSchema']);
  }
});

test('a text with a NUL comes as a preview, and the named way shows the text', async () => {
  const client = new RawClient().listen().say(callTool(1, 'text', { text: `${LONG}\0${LONG}` }));
  const { content } = (await client.message()).result;
  const { artifact_id, content_type } = JSON.parse(content[0].text);
  expect(content_type).toBe('text');
  expect(content[1].text).toContain('a line of some length');
  client.say(callTool(2, 'inspect_output', { artifact_id, mode: 'tail', lines: 2 }));
  expect((await client.message()).result.content[1].text).toBe(
    'a line of some length\na line of some length',
  );
});

test('the threshold is that of the settings, or --threshold, in characters', async () => {
  const statusOf = async (options: string[], text: string) => {
    const client = new RawClient(options).listen().say(callTool(1, 'text', { text }));
    const said = (await client.message()).result.content[0].text;
    return said === text ? 'unchanged' : JSON.parse(said).status;
  };
  expect(await statusOf([], '\u{1f600}'.repeat(5000))).toBe('unchanged');
  expect(await statusOf([], 'x'.repeat(5001))).toBe('captured');
  expect(await statusOf(['--threshold', '10'], 'x'.repeat(11))).toBe('captured');
});

test('our inspect_output is on the last page of the tools, and answered here', async () => {
  const list = (id: number, cursor?: string) => ({
    ...{ jsonrpc: '2.0', id, method: 'tools/list' },
    params: cursor === undefined ? {} : { cursor },
  });
  const client = new RawClient([], { PAGES: '[["text"],[]]' }).listen();
  const first = (await client.say(list(1)).message()).result;
  const second = (await client.say(list(2, first.nextCursor)).message()).result;
  const names = (page: { tools: { name: string }[] }) => page.tools.map(({ name }) => name);
  expect([names(first), names(second)]).toEqual([['text'], ['inspect_output']]);
  client.say(callTool(3, 'text', { text: LONG }));
  const { artifact_id } = JSON.parse((await client.message()).result.content[0].text);
  client.say(callTool(4, 'inspect_output', { artifact_id, start_line: 400 }));
  const { content } = (await client.message()).result;
  expect(content[1].text).toBe('a line of some length');
  client.say(callTool(5, 'inspect_output', { artifact: 'x' }));
  expect((await client.message()).result).toMatchObject({ isError: true });
  expect(readFileSync(log, 'utf8')).not.toContain('inspect_output');
  client.child.stdin.end();
  await finished(client.child);
  const seen = JSON.parse((await runCli(['seen', artifact_id, '--json'], place)).stdout);
  expect(seen).toMatchObject({ unread: false, agents: [{ calls: 2 }] });
  expect(seen.streams[0].in_reply.at(-1)).toEqual([expect.any(Number), 400]);
});

test("a server's own inspect_output stays the server's", async () => {
  const client = new RawClient([], { PAGES: '[["inspect_output"],["text"]]' }).listen();
  for (const cursor of [undefined, '1']) {
    client.say({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor } });
    const { tools } = (await client.message()).result;
    expect(tools).toHaveLength(1);
  }
  client.say(callTool(2, 'inspect_output'));
  expect((await client.message()).result.content[0].text).toBe('the server has its own');
  client.say(callTool(3, 'text', { text: LONG }));
  const head = JSON.parse((await client.message()).result.content[0].text);
  expect(head.read_on).toContain(`spillway inspect ${head.artifact_id}`);
});

test.each(['a home that others can enter', 'a full disk'])(
  'with %s, the response passes unchanged',
  async (what) => {
    if (what === 'a full disk') {
      place.remove();
      place = makePlace({ minFreeBytes: Number.MAX_SAFE_INTEGER });
      log = join(place.files, 'read-by-server');
    } else chmodSync(place.home, 0o777);
    const line = `{"jsonrpc":"2.0", "id":@ID@,"result":{"content":[{"type":"text","text":"${'x'.repeat(6000)}"}]}}\n`;
    expect(await new RawClient().listen().answeredWith(line)).toBe(line.replace('@ID@', '1'));
  },
);

test('the end of the server is our end', async () => {
  const endOf = (args: object) => finished(new RawClient().say(callTool(1, 'die', args)).child);
  expect(await endOf({ status: 7 })).toMatchObject({ status: 7, signal: null });
  expect(await endOf({ signal: 'SIGKILL' })).toMatchObject({ status: null, signal: 'SIGKILL' });
  expect(await endOf({ signal: 'SIGTERM' })).toMatchObject({ status: null, signal: 'SIGTERM' });
  const none = await runCli(['proxy', '--', 'no-such-server'], place);
  expect(none).toMatchObject({ status: 127, stdout: '' });
  expect(none.stderr).toContain('there is no command "no-such-server"');
});

test('a signal to us reaches the server', async () => {
  const client = new RawClient().listen().say(INITIALIZE);
  await client.message();
  client.child.kill('SIGTERM');
  expect(await finished(client.child)).toMatchObject({ signal: 'SIGTERM' });
});

test('a message over the limit passes unchanged', async () => {
  const client = new RawClient().listen();
  const times = 40 * 1024 * 1024;
  const { content } = (await client.say(callTool(1, 'text', { text: 'y', times })).message()).result;
  expect(content[0].text).toHaveLength(times);
});

test('a client that does not read slows the server, grows nothing, and is still heard', async () => {
  const client = new RawClient().say(INITIALIZE, callTool(1, 'flood', { lines: 2000, size: 65_536 }));
  const written = () => statSync(`${log}.count`, { throwIfNoEntry: false })?.size ?? 0;
  await until(() => written() > 0);
  let said = 0;
  await until(async () => {
    const before = written();
    // While the server hears from the client, it writes more, if more is taken.
    for (const end = said + 5; said < end; ) {
      said += 1;
      client.say({ jsonrpc: '2.0', method: 'notifications/heard', params: { said } });
      await until(() => readFileSync(log, 'utf8').includes(`{"said":${said}}`));
    }
    return before === written();
  });
  expect(written()).toBeLessThan(200);
  client.listen();
  await client.message();
  for (let i = 0; i < 2000; i += 1) expect((await client.message()).params.i).toBe(i);
  expect((await client.message()).result.content[0].text).toBe('done');
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${client.child.pid}/status`, 'utf8'));
  expect(Number(peak?.[1])).toBeLessThan(250_000);
});
