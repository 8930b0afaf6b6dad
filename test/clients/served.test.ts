/** Real clients connected to Spillway's MCP server: they find its tools, and their model gets what the server said. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clientOf, programOf, type RealClient } from './clients.ts';
import { connect, type Person, results } from './driven.ts';
import type { Call } from './fake-model.ts';

const CLIENTS: {
  client: RealClient;
  /** Its model's name for a tool of the server. */
  named(tool: string): Pick<Call, 'tool' | 'namespace'>;
  /** How its model finds tools that it knows by their names alone. */
  search?: Call;
}[] = [
  {
    client: clientOf('claude-code'),
    named: (tool) => ({ tool: `mcp__spillway__${tool}` }),
    search: {
      tool: 'ToolSearch',
      arguments: { query: 'select:mcp__spillway__run_command,mcp__spillway__inspect_output' },
    },
  },
  { client: clientOf('codex'), named: (tool) => ({ tool, namespace: 'mcp__spillway' }) },
  { client: clientOf('opencode'), named: (tool) => ({ tool: `spillway_${tool}` }) },
  { client: clientOf('gemini'), named: (tool) => ({ tool: `mcp_spillway_${tool}` }) },
  { client: clientOf('copilot'), named: (tool) => ({ tool: `spillway-${tool}` }) },
  { client: clientOf('cline'), named: (tool) => ({ tool: `spillway__${tool}` }) },
  {
    client: clientOf('qwen'),
    named: (tool) => ({ tool: `mcp__spillway__${tool}` }),
    search: { tool: 'tool_search', arguments: { query: 'run build output' } },
  },
];

describe.each(CLIENTS)('$client.id', ({ client, named, search }) => {
  const program = programOf(client);
  const call = (tool: string, args: Call['arguments']): Call => ({ ...named(tool), arguments: args });

  /** Returns what the model got of each call, as text. */
  async function got(...calls: Call[]): Promise<string[]> {
    const before = search ? [search] : [];
    const all = await results(client, program!, [...before, ...calls], {
      rules: client.id === 'claude-code' ? { ...client, configs: claudeConfigs } : undefined,
      prepare: (person) => {
        connect(client, person);
        if (client.id === 'codex') requireServer(person);
      },
    });
    // Some give their model the JSON of a result.
    return all.slice(before.length).map((text) => text.replaceAll('\\n', '\n').replaceAll('\\"', '"'));
  }

  test.skipIf(program === null)('runs a command and gets its output whole', async () => {
    const [ran] = await got(call('run_command', { command: 'seq 1 40; echo bad >&2; exit 3' }));
    expect(ran).toContain('"exit_code":3');
    expect(ran).toMatch(/39\n40\n/);
  });

  // Codex cuts by tokens, with a line of its own, and Gemini CLI by characters. The others were not tried.
  const cuts = ['codex', 'gemini'].includes(client.id);
  test.skipIf(program === null || !cuts)('gets a full reply without a cut of its own', async () => {
    const [page] = await got(call('run_command', { command: 'seq -f %0100.0f 1 400' }));
    const parts = JSON.parse(/"parts":(\[\[.*?\]\])/.exec(page!)![1]!) as [string, number, number][];
    const wanted = parts.flatMap(([, from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i));
    expect(wanted.length).toBeGreaterThan(30);
    expect(page!.match(/^0+\d+$/gm)?.map(Number)).toEqual(wanted);
  });
});

const claudeConfigs = () => ({
  '.claude/settings.json': '{"permissions":{"allow":["Bash","mcp__spillway"]}}\n',
});

/** Else Codex starts without a server that takes half a second, as on a busy machine. */
function requireServer({ folder }: Person): void {
  const path = join(folder, '.codex/config.toml');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('[mcp_servers.spillway]\n', '[mcp_servers.spillway]\nrequired = true\n'));
}
