/** Real clients connected to Spillway's MCP server: they find its tools, and their model gets what the server said. */
import { describe, expect, test } from 'vitest';
import { clientOf, programOf } from './clients.ts';
import { connect, results } from './driven.ts';

describe.each([
  { client: clientOf('copilot'), tool: 'spillway-run_command', before: [] },
  { client: clientOf('cline'), tool: 'spillway__run_command', before: [] },
  {
    client: clientOf('qwen'),
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
    // Cline gives its model the JSON of a result.
    const last = got.at(-1)!.replaceAll('\\n', '\n').replaceAll('\\"', '"');
    expect(last).toContain('"exit_code":3');
    expect(last).toMatch(/39\n40\n/);
  });
});
