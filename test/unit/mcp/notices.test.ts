/** The guard's warnings reach an agent with its next reply. */
import { join } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Warnings } from '../../../electron/host/guard.ts';
import { withNotices } from '../../../electron/mcp/agent.ts';
import { bytesOf, factsReply, textReply } from '../../../electron/mcp/reply.ts';
import type { CallOptions, Tool } from '../../../electron/mcp/tools/tool.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { untilPasses } from '../../fixtures/until.ts';

let home: string;
let warnings: Warnings;
let reply: CallToolResult;
let meanwhile: (options: CallOptions) => Promise<void>;
beforeEach(() => {
  home = join(makeFolder(), 'spillway');
  warnings = new Warnings(home);
  meanwhile = async () => {};
});
afterEach(() => {
  warnings.close();
  removeFolder(join(home, '..'));
});

const tool = {
  definition: { name: 'list_outputs', inputSchema: { type: 'object' } },
  call: async (_: unknown, options: CallOptions) => {
    await meanwhile(options);
    return reply;
  },
};
const budget = { usualBytes: 1000, mostBytes: 4000 };
const agent = () => withNotices([tool as Tool], home)[0]!;
const called = (one: Tool) => one.call({}, { budget } as CallOptions);
const headOf = ({ content: [first] }: CallToolResult) =>
  JSON.parse(first?.type === 'text' ? first.text : 'null') as Record<string, unknown>;

/** Warns at a later time than every earlier warning. */
async function warn(text: string): Promise<void> {
  const from = Date.now();
  await untilPasses(() => expect(Date.now()).toBeGreaterThan(from));
  warnings.note({ about: text, at: Date.now(), text });
}

it('a warning comes once, in the head of the reply, before the captured text', async () => {
  reply = textReply({ artifact_id: 'cmd-x', status: 'succeeded' }, 'captured text');
  await warn('too old');
  const one = agent();
  expect(await called(one)).toEqual(reply);
  await warn('A capture of pi grew by 3 GiB in 9 s');
  const told = await called(one);
  expect(headOf(told)).toEqual({
    artifact_id: 'cmd-x',
    status: 'succeeded',
    notices: ['A capture of pi grew by 3 GiB in 9 s'],
  });
  expect(told.content[1]).toEqual({ type: 'text', text: 'captured text' });
  expect(told.content[0]).toMatchObject({ text: expect.stringMatching(/\}\n$/) });
  expect(await called(one)).toEqual(reply);
});

it('a warning also reaches clients that read only structured content, and comes beside an error', async () => {
  reply = factsReply({ outputs: [] });
  const one = agent();
  await warn('a');
  expect((await called(one)).structuredContent).toEqual({ outputs: [], notices: ['a'] });
  reply = { content: [{ type: 'text', text: 'there is no such output' }], isError: true };
  await warn('b');
  await warn('c');
  await warn('d');
  expect((await called(one)).content).toEqual([
    { type: 'text', text: 'there is no such output' },
    { type: 'text', text: '{"notices":["c","d"]}' },
  ]);
});

it('a warning reaches each connected agent', async () => {
  reply = factsReply({});
  const [one, other] = [agent(), agent()];
  await warn('a');
  expect(headOf(await called(one))).toEqual({ notices: ['a'] });
  expect(headOf(await called(other))).toEqual({ notices: ['a'] });
});

const filling = (usualBytes: number) => textReply({ a: 1 }, 'x'.repeat(usualBytes - '{"a":1}\n'.length));

it('a reply leaves room for a warning in its budget', async () => {
  const one = agent();
  await warn('A capture grew by 3 GiB in 9 s');
  meanwhile = async (options) => {
    reply = filling(options.budget.usualBytes);
  };
  const told = await called(one);
  expect(headOf(told).notices).toEqual(['A capture grew by 3 GiB in 9 s']);
  expect(bytesOf(told)).toBeLessThanOrEqual(budget.usualBytes);
  expect(bytesOf(await called(one))).toBe(budget.usualBytes);
});

it('a warning that comes during a call waits for the next reply if this one is full', async () => {
  const one = agent();
  meanwhile = async (options) => {
    await warn('meanwhile');
    reply = filling(options.budget.usualBytes);
  };
  expect(headOf(await called(one))).toEqual({ a: 1 });
  meanwhile = async () => {
    reply = textReply({ a: 1 });
  };
  expect(headOf(await called(one)).notices).toEqual(['meanwhile']);
  meanwhile = async () => warn('another');
  expect(headOf(await called(one)).notices).toEqual(['another']);
});
