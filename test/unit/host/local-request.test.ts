import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { foreignPart, INSPECTOR_POLICY, MCP_POLICY } from '../../../electron/host/socket/local-http.ts';

type Part = ReturnType<typeof foreignPart>;

/** Returns what the inspector refuses of a request, then what MCP does. */
function foreign(host: string, headers: Record<string, string>): [Part, Part] {
  const request = { headers, headersDistinct: { host: [host] } } as unknown as IncomingMessage;
  return [foreignPart(request, INSPECTOR_POLICY), foreignPart(request, MCP_POLICY)];
}

describe('where a request comes from', () => {
  it.each<[string, Record<string, string>, inspector: Part, mcp: Part]>([
    ['localhost:7070', {}, null, null],
    ['localhost:65536', {}, 'host', null],
    ['evil.example', { origin: 'http://evil.example' }, 'host', 'host'],
    ['localhost:7070', { origin: 'http://localhost:7070' }, null, null],
    ['localhost:7070', { origin: 'http://localhost:7071' }, 'origin', null],
    ['localhost:7070', { origin: 'https://localhost:7070' }, 'origin', null],
    ['localhost:7070', { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' }, 'origin', 'origin'],
    ['localhost:7070', { 'sec-fetch-site': 'none' }, null, null],
    ['localhost:7070', { 'sec-fetch-site': 'same-site' }, 'site', null],
    ['localhost:7070', { 'sec-fetch-site': 'cross-site' }, 'site', 'site'],
  ])('at %s with %j: the inspector refuses %s, MCP %s', (host, headers, inspector, mcp) => {
    expect(foreign(host, headers)).toEqual([inspector, mcp]);
  });

  it('lets a link of another site lead to the inspector alone', () => {
    const link = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    expect(foreign('localhost', link)).toEqual([null, 'site']);
  });
});
