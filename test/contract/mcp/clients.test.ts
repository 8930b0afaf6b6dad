/**
 * Holds what real clients depend on: short heads, their own limits on a reply, and runs that outlive their
 * patience.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, test } from 'vitest';
import { connectClient, socketTransport } from '../../fixtures/mcp/client.ts';
import { type Call, type Called, caller } from '../../fixtures/mcp/run.ts';
import { mcp, place, setUpMcpRun } from '../../fixtures/mcp/run-clients.ts';
import { until } from '../../fixtures/until.ts';

setUpMcpRun();

const open: Client[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

async function callsOf(name = 'test'): Promise<Call> {
  const client =
    name === 'test'
      ? await connectClient(socketTransport(mcp.path), '2025-11-25')
      : new Client({ name, version: '1' }, { versionNegotiation: { mode: 'legacy' } });
  if (name !== 'test') await client.connect(socketTransport(mcp.path));
  open.push(client);
  return caller(client);
}

const BOTH_LONG = 'seq 1 3000; seq 1 3000 >&2; echo "error: it failed" >&2; exit 2';

describe('the head of a reply', () => {
  const lengthOf = ({ head }: Called) => JSON.stringify(head).length;

  test('has at most 400 characters in every tool, but 600 of a failed run with two long streams', async () => {
    const call = await callsOf();
    const run = await call('run_command', { command: BOTH_LONG });
    expect(lengthOf(run)).toBeLessThanOrEqual(600);
    const { artifact_id } = run.head;
    const replies = {
      short: await call('run_command', { command: 'echo out' }),
      background: await call('run_command', { command: 'sleep 30', background: true }),
      head: await call('inspect_output', { artifact_id }),
      range: await call('inspect_output', { artifact_id, start_line: 5 }),
      tail: await call('inspect_output', { artifact_id, mode: 'tail' }),
      grep: await call('inspect_output', { artifact_id, pattern: '99' }),
      read: await call('read_command_output', { artifact_id }),
      search: await call('read_command_output', { artifact_id, search: '9' }),
      capture: await call('capture_output', { content: 'short', source: 'x' }),
    };
    for (const [name, reply] of Object.entries(replies))
      expect(lengthOf(reply), name).toBeLessThanOrEqual(400);
    await call('stop_command', { artifact_id: replies.background.head.artifact_id });
  });

  test('does not grow with the command or the line that explains its failure', async () => {
    const call = await callsOf();
    const long = 'x'.repeat(3000);
    const { head } = await call('run_command', { command: `echo "error: ${long}" >&2; exit 1 # ${long}` });
    expect(head.command).toMatch(/^echo "error: x+…x+$/);
    expect(head.cause.text.length).toBeLessThanOrEqual(240);
    expect(JSON.stringify(head).length).toBeLessThanOrEqual(600);
  });
});

test.each([
  ['Cline', 8000],
  ['codex-mcp-client', 47_900],
  ['github-copilot-developer', 20_480],
  ['qwen-code', 26_000],
])('a reply to %s keeps within %i bytes, whatever is asked for', async (name, most) => {
  const call = await callsOf(name);
  const sizeOf = ({ head, blocks }: Called) =>
    Buffer.byteLength(`${JSON.stringify(head)}\n${blocks.join('')}`);
  const run = await call('run_command', { command: 'seq 1 20000', include_full_output: true });
  expect(sizeOf(run)).toBeLessThanOrEqual(most);
  expect(sizeOf(run)).toBeGreaterThan(Math.min(most, 16_384) * 0.6);
  const { artifact_id } = run.head;
  for (const args of [
    { lines: 2000, max_chars: 200_000 },
    { pattern: '1', max_matches: 2000 },
  ])
    expect(sizeOf(await call('inspect_output', { artifact_id, ...args }))).toBeLessThanOrEqual(most);
  const read = await call('read_command_output', { artifact_id, limit: 100_000 });
  expect(sizeOf(read)).toBeLessThanOrEqual(most);
});

test('capture_output keeps within a small budget', async () => {
  const call = await callsOf();
  const config = join(place.home, 'config.json');
  writeFileSync(config, '{"maxReplyBytes":1000}');
  const content = 'a line of a long text\n'.repeat(3000);
  const { head, blocks } = await call('capture_output', { content }).finally(() => rmSync(config));
  expect(head.status).toBe('captured');
  expect(Buffer.byteLength(`${JSON.stringify(head)}\n${blocks.join('')}`)).toBeLessThanOrEqual(1000);
});

test('capture_output to a client that cuts bytes gives none that take more, however few characters they are', async () => {
  const call = await callsOf('Cline');
  const long = '語'.repeat(4000);
  for (const asked of [{}, { inline_threshold: 6000 }]) {
    const { head, blocks } = await call('capture_output', { content: long, ...asked });
    expect(head.status).toBe('captured');
    expect(Buffer.byteLength(`${JSON.stringify(head)}\n${blocks.join('')}`)).toBeLessThanOrEqual(8000);
  }
  expect((await call('capture_output', { content: '語'.repeat(2000) })).head.status).toBe('inline');
});

test('a size that the call names counts, where the client is not known to cut; else maxReplyBytes', async () => {
  const call = await callsOf();
  const bytesOf = ({ blocks }: Called) => Buffer.byteLength(blocks.join(''));
  const { head } = await call('run_command', { command: 'seq 1 20000' });
  const { artifact_id } = head;
  const read = (args: object) => call('read_command_output', { artifact_id, ...args });
  expect(bytesOf(await read({ limit: 100_000 }))).toBe(100_000);
  expect(bytesOf(await read({}))).toBeLessThanOrEqual(16_384);
  const padded = await call('run_command', { command: 'seq -f "%0100g" 1 2000' });
  const inspect = (args: object) =>
    call('inspect_output', { artifact_id: padded.head.artifact_id, lines: 2000, ...args });
  expect(bytesOf(await inspect({ max_chars: 1_000_000 }))).toBe(2000 * 101 - 1);
  const usual = await inspect({});
  expect(bytesOf(usual)).toBeLessThanOrEqual(16_384);
  expect(usual.head.next_start_line).toBe(usual.head.lines_shown + 1);
  const long = 'y'.repeat(30_000);
  const manyLines = 'a line\n'.repeat(3000);
  for (const content of [long, manyLines]) {
    expect((await call('capture_output', { content, inline_threshold: 100_000 })).blocks).toEqual([content]);
  }
  expect((await call('capture_output', { content: 'a line\n'.repeat(101) })).head.status).toBe('captured');
  expect(bytesOf(await call('capture_output', { content: long }))).toBeLessThanOrEqual(16_384);
});

describe('a run whose client no longer waits', () => {
  const startsIn = (file: string) => readFileSync(join(place.files, file), 'utf8').split('\n').length - 1;

  test('goes on when the client ran out of patience, and an equal call may join it', async () => {
    const call = await callsOf();
    const command = 'echo start >> patience; until test -e patience-go; do sleep 0.05; done; echo done';
    const first = call('run_command', { command }, { timeout: 1000 });
    await expect(first).rejects.toThrow(/timed out/i);
    const next = call('run_command', { command, max_age_seconds: 60 });
    // A call behind it on the same connection: by then it has joined.
    await call('storage_stats');
    writeFileSync(join(place.files, 'patience-go'), '');
    expect(await next).toMatchObject({ head: { success: true, cached: true }, blocks: ['done'] });
    expect(startsIn('patience')).toBe(1);
  });

  test.each(['running', 'failed'])(
    'is named, while it is %s, by an equal call, which runs anew',
    async (was) => {
      const call = await callsOf();
      const file = (name: string) => join(place.files, `${name}-${was}`);
      writeFileSync(file('world'), 'old');
      const command = `cat world-${was}; until test -e go-${was}; do sleep 0.05; done; grep new world-${was}`;
      await expect(call('run_command', { command }, { timeout: 1000 })).rejects.toThrow(/timed out/i);
      const listed = await call('list_outputs', { status: 'running', query: `go-${was}` });
      const { artifact_id } = listed.head.outputs[0];
      if (was === 'failed') {
        writeFileSync(file('go'), '');
        await call('wait_for_output', { artifact_id });
        rmSync(file('go'));
      }
      writeFileSync(file('world'), 'new\n');
      const next = call('run_command', { command, background: was === 'running' });
      await call('storage_stats');
      if (was === 'failed') writeFileSync(file('go'), '');
      const { head, blocks } = await next;
      expect(head.earlier).toEqual({ artifact_id, status: was });
      expect(head).not.toHaveProperty('cached');
      expect(head.artifact_id).not.toBe(artifact_id);
      if (was === 'failed') expect(blocks).toEqual(['new\nnew']);
      writeFileSync(file('go'), '');
      expect((await call('run_command', { command })).head).not.toHaveProperty('earlier');
    },
  );

  test('ends when the client cancels it', async () => {
    const call = await callsOf();
    // A first try of this test may have left them.
    for (const name of ['cancelled', 'cancelled-go']) rmSync(join(place.files, name), { force: true });
    const command = 'echo start >> cancelled; until test -e cancelled-go; do sleep 0.05; done; echo done';
    const cancel = new AbortController();
    const first = call('run_command', { command }, { signal: cancel.signal });
    first.catch(() => {});
    await until(() => {
      try {
        return startsIn('cancelled') === 1;
      } catch {
        return false;
      }
    });
    cancel.abort('the user pressed Esc');
    await expect(first).rejects.toThrow();
    writeFileSync(join(place.files, 'cancelled-go'), '');
    const { head } = await call('run_command', { command });
    expect(head).not.toHaveProperty('cached');
    expect(head.earlier.status).toBe('cancelled');
    expect(startsIn('cancelled')).toBe(2);
  });
});
