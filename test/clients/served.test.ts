/** Real clients connected to Spillway's MCP server: they find its tools, and their model gets what the server said. */
import { describe, expect, test } from 'vitest';
import { programOf, QWEN, REAL_CLIENTS } from './clients.ts';
import { connect, results } from './driven.ts';

const COPILOT = REAL_CLIENTS.find(({ id }) => id === 'copilot')!;

describe.each([
  { client: COPILOT, tool: 'spillway-run_command', before: [] },
  {
    client: QWEN,
    tool: 'mcp__spillway__run_command',
    // Its model knows the tools' names alone, and finds them by words.
    before: [{ tool: 'tool_search', arguments: { query: 'run build output' } }],
  },
])('$client.id', ({ client, tool, before }) => {
  const program = programOf(client);

  test.skipIf(program === null)('runs a command and gets its output whole', async () => {
    const run = { tool, arguments: { command: 'seq 1 40; echo bad >&2; exit 3' } };
    const got = await results(client, program!, ['echo own shell', ...before, run], {
      prepare: (person) => connect(client, person),
    });
    expect(got[0]).toContain('own shell');
    for (const found of got.slice(1, -1)) expect(found).toContain(tool);
    expect(got.at(-1)).toContain('"exit_code":3');
    expect(got.at(-1)).toMatch(/39\n40\n/);
  });
});
