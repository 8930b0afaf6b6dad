/**
 * Checks that a failure has one cause: `run`, the record, the list, the views of each stream, a report, MCP and an agent's
 * recorded command name the same line.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHost, type LocalHost } from '../../../electron/host/create.ts';
import { createAgent } from '../../../electron/mcp/agent.ts';
import { type McpSocket, serveMcpSocket } from '../../../electron/mcp/socket.ts';
import { causeText } from '../../../electron/reader/failure/cause-text.ts';
import type { Artifact, Cause } from '../../../shared/artifact.ts';
import { type AgentShell, makeAgentShell, ran } from '../../fixtures/agents/shell.ts';
import { runCli } from '../../fixtures/cli.ts';
import { runCliHere } from '../../fixtures/cli-here.ts';
import { connectClient, REVISIONS, socketTransport } from '../../fixtures/mcp/client.ts';
import { commandsAt } from '../../fixtures/mcp/commands-at.ts';
import { until } from '../../fixtures/until.ts';

let place: AgentShell;
let host: LocalHost;
let socket: McpSocket;
let client: Client;
beforeEach(async () => {
  place = makeAgentShell();
  host = await createHost({ home: place.home, watch: false, threads: 0 });
  socket = await serveMcpSocket({
    runDir: join(place.home, 'run'),
    createAgent: () => createAgent(host, { home: place.home, commands: commandsAt(place), version: '9.9.9' }),
  });
  client = await connectClient(socketTransport(socket.path), REVISIONS[0]!);
});
afterEach(async () => {
  await client.close();
  await socket.close();
  await host.close();
  place.remove();
});

async function call(name: string, args: object) {
  const { content } = await client.callTool({ name, arguments: { ...args } });
  return JSON.parse((content as { text: string }[])[0]!.text);
}

/** The newest capture, once its cause was looked for. */
async function newest(): Promise<Artifact> {
  const first = async () => (await host.list({ limit: 1 }, { causes: true })).outputs[0]!;
  await until(async () => (await first()).cause !== null);
  return first();
}

const work = (count: number, name = 'ledger') =>
  Array.from({ length: count }, (_, i) => `packed part ${i} of the ${name}`);

interface Output {
  out?: readonly string[];
  err?: readonly string[];
  settings?: object;
}

/** Outputs by name, with the cause that is right. */
const OUTPUTS: readonly (readonly [what: string, output: Output, cause: RegExp])[] = [
  [
    'a compiler error on stderr, beside work on stdout',
    {
      out: work(400),
      err: ["src/till.c:41:7: error: expected ';' before 'return'", 'make: *** [till.o] Error 1'],
    },
    /expected ';'/,
  ],
  [
    'a failed test amid its output',
    {
      out: [
        ...work(300),
        '--- FAIL: TestRound (0.00s)',
        '    round_test.go:12: got 3, want 2',
        ...work(300, 'till'),
        'FAIL',
        'exit status 1',
      ],
    },
    /got 3, want 2/,
  ],
  [
    'a traceback in colour, after progress',
    {
      out: [`10 %\r20 %\r${'.'.repeat(30)}100 %`, ...work(300)],
      err: [
        'Traceback (most recent call last):',
        '  File "till.py", line 3, in <module>',
        '    import ledger',
        "\x1b[31mModuleNotFoundError: No module named 'ledger'\x1b[0m",
      ],
    },
    /No module named 'ledger'/,
  ],
  [
    'a line longer than a cause may be',
    { out: [...work(300), `error: cannot link ${'object, '.repeat(80)}: no such file`, ...work(40)] },
    /no such file/,
  ],
  [
    'text with a NUL, which counts as binary',
    { out: ['head\0er', ...work(300), 'error: no space left on device', ...work(300)] },
    /no space left/,
  ],
  [
    'text in UTF-16',
    { out: ['\ufeff', ...work(300), 'error: no space left on device', ...work(300)] },
    /no space left/,
  ],
  [
    'an output whose middle was not kept',
    {
      settings: { maxStreamBytes: 20_000 },
      err: [
        ...work(24_000),
        'error: no space left on device',
        ...work(24_000, 'till'),
        'ld: cannot find -lledger: No such file or directory',
      ],
      out: work(2000, 'shelf'),
    },
    /cannot find -lledger/,
  ],
  [
    'an output whose middle was not kept, with its cause at the end',
    {
      settings: { maxStreamBytes: 20_000 },
      err: [...work(4000), 'error: no space left on device', ...work(9, 'till')],
      out: work(2000, 'shelf'),
    },
    /no space left/,
  ],
];

describe.each(OUTPUTS)('of %s', (_, { out = [], err = [], settings = {} }, says) => {
  test('one line is the cause, wherever it is named', async () => {
    writeFileSync(join(place.home, 'config.json'), JSON.stringify(settings));
    const encoding = out[0] === '\ufeff' ? 'utf16le' : 'utf8';
    const text = (lines: readonly string[]) =>
      Buffer.from(lines.map((line) => `${line}\n`).join(''), encoding);
    writeFileSync(join(place.files, 'out'), text(out));
    writeFileSync(join(place.files, 'err'), text(err));
    const script = 'cat out; sleep 0.1; cat err >&2; exit 2';

    const { stderr } = await runCli(['run', '--', 'sh', '-c', script], place);
    const { artifact_id: id, cause, streams } = await newest();
    const { text: named, stream, line_number, combined_line } = cause!;
    expect(named).toMatch(says);
    const last = stderr.trimEnd().split('\n').at(-1)!;
    const isUtf8 = encoding === 'utf8';
    expect(last.includes(`: ${named.trim()}; `)).toBe(isUtf8);
    expect(last.includes(`line ${combined_line!.toLocaleString('en')}`)).toBe(isUtf8);

    // Each view has the same line, and marks it where its stream is shown.
    const asText = /--as-text/.test(last) ? ['--as-text'] : [];
    const inspect = async (...args: string[]) =>
      (await runCliHere(['inspect', id, ...args, ...asText], place)).stdout;
    const at = String(combined_line);
    expect(causeText((await inspect('--start', at, '--end', at)).trimEnd()).trim()).toBe(named.trim());
    const own = streams.filter(({ total_bytes }) => total_bytes > 0).map(({ name }) => name);
    for (const shown of ['combined', ...own]) {
      const lines = (await inspect('--mode', 'failure', '--stream', shown)).split('\n');
      const [number, of] = shown === 'combined' ? [at, shown] : [String(line_number), stream];
      expect(lines[0]).toBe(`line ${number} of ${of}: ${named.trim()}`);
      const marked = lines
        .filter((line) => /^ *\d+ > /.test(line))
        .map((line) => line.replace(/^ *(\d+) > /, '$1 '));
      const isHere = shown === 'combined' || shown === stream;
      expect(marked.map((line) => line.split(' ', 1)[0])).toEqual(isHere ? [number] : []);
    }
    const { stdout: report } = await runCliHere(['report', id], place);
    expect(report).toContain(`Line ${combined_line!.toLocaleString('en')} of combined:`);
    expect(report).toMatch(new RegExp(`^> *${at}  `, 'm'));
    expect(report).not.toMatch(/```text\n\n```/);

    const listed = JSON.parse((await runCliHere(['list', '--json'], place)).stdout);
    const over = await call('list_outputs', {});
    const view = await call('inspect_output', {
      artifact_id: id,
      mode: 'failure',
      as_text: asText.length > 0,
    });
    expect([listed.outputs[0].cause, over.outputs[0].cause]).toEqual([cause, cause]);
    expect(view.cause).toEqual({ stream: 'combined', line_number: combined_line, text: named });

    // The same command, run by an agent over MCP and recorded in its own shell.
    const head: { cause: Cause } = await call('run_command', { command: script, cwd: place.files });
    if (isUtf8) expect(head.cause).toEqual(cause);
    await ran(place.shell, ['-c', script], { cwd: place.files });
    expect((await newest()).cause).toEqual(cause);
  });
});

test('nothing that succeeded has a cause', async () => {
  writeFileSync(join(place.files, 'out'), [...work(300), 'error: retried, now fine', 'done', ''].join('\n'));
  const { stderr } = await runCli(['run', '--', 'cat', 'out'], place);
  expect(stderr).not.toContain('error');
  const [{ artifact_id: id, cause }] = (await host.list({}, { causes: true })).outputs as [Artifact];
  expect(cause).toBeNull();
  expect((await call('inspect_output', { artifact_id: id, mode: 'failure' })).cause).toBeUndefined();
  expect((await runCliHere(['report', id], place)).stdout).toContain('No line explains a failure.');
});

test.each([
  ['a line that says that all went well', ['deployed 14 files to eu-1, nothing was skipped']],
  ['lines without a word for a failure', work(40)],
  [
    'warnings before an end that went well',
    ['warning: missing field `name`', ...work(9), 'all 9 checks passed'],
  ],
])('of a file without an exit status, %s is not even likely one', async (_, lines) => {
  writeFileSync(join(place.files, 'good.log'), `${lines.join('\n')}\n`);
  const { stdout } = await runCliHere(['inspect', 'good.log', '--mode', 'failure', '--json'], place);
  expect(JSON.parse(stdout).cause).toBeNull();
});
