import { expect, test } from 'vitest';
import { parseMessage } from '../../../electron/mcp/transport/parse-message.ts';

function refusal(line: string) {
  const parsed = parseMessage(line);
  return parsed.kind === 'refused' ? parsed.refusal : parsed.kind;
}

test('requests, notifications and responses are messages', () => {
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

test('what is not JSON is a parse error without an id', () => {
  for (const line of ['{"jsonrpc":', 'GET / HTTP/1.1', '\u0000\u0001', '{}{}']) {
    expect(refusal(line), line).toMatchObject({ id: null, error: { code: -32700 } });
  }
});

test('a batch is refused with what to do', () => {
  expect(refusal('[{"jsonrpc":"2.0","id":1,"method":"ping"}]')).toMatchObject({
    id: null,
    error: { code: -32600, message: expect.stringContaining('own line') },
  });
});

test('an invalid message is refused under its own id, naming the problem', () => {
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
])('parameters of %s that no request has are refused in a sentence', (method, params, problem) => {
  expect(refusal(JSON.stringify({ jsonrpc: '2.0', id: 4, method, params }))).toMatchObject({
    id: 4,
    error: { code: -32602, message: expect.stringContaining(problem) },
  });
});

test('a subscription in a revision that has none is left to the server, which knows no such method', () => {
  const params = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
  const line = JSON.stringify({ jsonrpc: '2.0', id: 4, method: 'resources/subscribe', params });
  expect(parseMessage(line).kind).toBe('message');
});

test('a message nested a million levels deep is refused or taken, never a crash', () => {
  const deep = `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}}`;
  expect(['message', 'refused']).toContain(parseMessage(deep).kind);
});
