import { expect, test } from 'vitest';
import { parseMessage } from '../../../electron/mcp/transport/parse-message.ts';

function refusal(line: string) {
  const parsed = parseMessage(line);
  return parsed.kind === 'refused' ? parsed.refusal : parsed.kind;
}

test('accepts requests, notifications and responses', () => {
  for (const line of [
    '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"x","arguments":{"deep":[1]}}}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":1,"result":{}}',
    '{"jsonrpc":"2.0","id":1,"method":"ping"}\r',
  ]) {
    expect(parseMessage(line).kind, line).toBe('message');
  }
});

test('answers invalid JSON with a parse error without an id', () => {
  for (const line of ['{"jsonrpc":', 'GET / HTTP/1.1', '\u0000\u0001', '{}{}']) {
    expect(refusal(line), line).toMatchObject({ id: null, error: { code: -32700 } });
  }
});

test('refuses a batch, and says to send each message on its own line', () => {
  expect(refusal('[{"jsonrpc":"2.0","id":1,"method":"ping"}]')).toMatchObject({
    id: null,
    error: { code: -32600, message: expect.stringContaining('own line') },
  });
});

test('speaks of a body, not of lines, where one carries the message', () => {
  for (const text of ['nothing', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]']) {
    const parsed = parseMessage(text, 'body');
    expect(parsed.kind === 'refused' && parsed.refusal.error.message).toMatch(
      /^[^:]+: (?!.*\bline\b).*request/,
    );
  }
});

test('answers an invalid message under its own id, and names the problem', () => {
  const cases: [string, string | number | null, string][] = [
    ['{"jsonrpc":"1.0","id":4,"method":"ping"}', 4, 'jsonrpc'],
    ['{"id":"x","method":"ping"}', 'x', 'jsonrpc'],
    ['{"jsonrpc":"2.0","id":4,"method":7}', 4, 'method'],
    ['{"jsonrpc":"2.0","id":4}', 4, 'method'],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', null, '`id`'],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', null, '`id`'],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', null, '`id`'],
    ['{"jsonrpc":"2.0","id":4,"method":"ping","params":[1]}', 4, 'params'],
    ['{"jsonrpc":"2.0","id":4,"method":"ping","more":1}', 4, 'only'],
    ['17', null, 'object'],
    ['null', null, 'object'],
  ];
  for (const [line, id, word] of cases) {
    expect(refusal(line), line).toMatchObject({
      jsonrpc: '2.0',
      id,
      error: { code: -32600, message: expect.stringContaining(word) },
    });
  }
});

test.each([
  ['tools/call', undefined, '`name` must be a string'],
  ['tools/call', { name: 5 }, '`name` must be a string'],
  ['tools/call', { name: 'run_command', arguments: [1] }, '`arguments` must be an object'],
  ['tools/call', { name: 'run_command', arguments: 'x' }, '`arguments` must be an object'],
  ['tools/call', { name: 'run_command', arguments: null }, '`arguments` must be an object'],
  ['resources/read', { uri: 7 }, '`uri` must be a string'],
  ['resources/subscribe', undefined, '`uri` must be a string'],
  ['initialize', undefined, '`protocolVersion` must be a string'],
  [
    'initialize',
    { protocolVersion: '2025-11-25', capabilities: { roots: 5 }, clientInfo: { name: 'a', version: '1' } },
    '`capabilities.roots` must be an object',
  ],
  ['tools/list', { cursor: 5 }, '`cursor` must be a string'],
  ['resources/list', { cursor: {} }, '`cursor` must be a string'],
])('refuses invalid parameters of %s in a sentence', (method, params, problem) => {
  expect(refusal(JSON.stringify({ jsonrpc: '2.0', id: 4, method, params }))).toMatchObject({
    id: 4,
    error: { code: -32602, message: expect.stringContaining(problem) },
  });
});

test.each(['resources/subscribe', 'initialize'])(
  'passes %s on in a revision without it, where the server refuses the method',
  (method) => {
    const params = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
    const line = JSON.stringify({ jsonrpc: '2.0', id: 4, method, params });
    expect(parseMessage(line).kind).toBe('message');
  },
);

test('survives a message nested a million levels deep', () => {
  const deep = `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}}`;
  expect(['message', 'refused']).toContain(parseMessage(deep).kind);
});
