/** Real clients whose server sends structured content: behind the proxy their model gets one preview of it. */
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { clientOf, programOf, type RealClient } from './clients.ts';
import { connect, results } from './driven.ts';
import type { Call } from './fake-model.ts';

const ARGS = [fileURLToPath(new URL('../fixtures/mcp/server.mjs', import.meta.url))];
const SERVER = { command: process.execPath, args: ARGS, env: { SCHEMA: '{"type":"object"}' } };
const JSON_CONFIG = { mcpServers: { fixture: SERVER } };

const ROWS = { rows: Array.from({ length: 600 }, (_, i) => ({ row: i + 1, text: 'a row of the table' })) };
const RESULT = { content: [{ type: 'text', text: JSON.stringify(ROWS) }], structuredContent: ROWS };
const LINE = `{"jsonrpc":"2.0","id":@ID@,"result":${JSON.stringify(RESULT)}}\n`;
const TOOL_CALL = { arguments: { base64: Buffer.from(LINE).toString('base64') } };

const CLIENTS: {
  client: RealClient;
  /** Its configuration with the server. */
  with(configs: Record<string, string>): Record<string, string>;
  calls: Call[];
}[] = [
  {
    client: clientOf('codex'),
    with: ({ '.codex/config.toml': text }) => ({
      '.codex/config.toml': `${text}
[mcp_servers.fixture]
command = ${JSON.stringify(SERVER.command)}
args = ${JSON.stringify(ARGS)}
env = { SCHEMA = '${SERVER.env.SCHEMA}' }
# Else it starts without a server that takes half a second, as on a busy machine.
required = true
`,
    }),
    calls: [{ tool: 'raw', namespace: 'mcp__fixture', ...TOOL_CALL }],
  },
  {
    client: clientOf('claude-code'),
    with: () => ({
      '.claude/settings.json': '{"permissions":{"allow":["mcp__fixture"]}}\n',
      '.claude.json': JSON.stringify(JSON_CONFIG),
    }),
    calls: [
      { tool: 'ToolSearch', arguments: { query: 'select:mcp__fixture__raw' } },
      { tool: 'mcp__fixture__raw', ...TOOL_CALL },
    ],
  },
  {
    client: clientOf('qwen'),
    with: ({ '.qwen/settings.json': text }) => ({
      '.qwen/settings.json': JSON.stringify({ ...JSON.parse(text!), ...JSON_CONFIG }),
    }),
    calls: [
      { tool: 'tool_search', arguments: { query: 'raw' } },
      { tool: 'mcp__fixture__raw', ...TOOL_CALL },
    ],
  },
];

describe.each(CLIENTS)('$client.id', ({ client, with: withServer, calls }) => {
  const program = programOf(client);

  test.skipIf(program === null)('gets one preview of a long structured result', async () => {
    const got = await results(client, program!, calls, {
      rules: { ...client, configs: (model) => withServer(client.configs(model)) },
      prepare: (person) => connect(client, person, '--proxy', 'fixture'),
    });
    const shown = got.at(-1)!;
    expect(shown).toContain('"status":"captured"');
    expect(shown).toContain('a row of the table');
    expect(shown.length).toBeLessThan(6000);
  });
});
