/** The official client in both protocol revisions, with a server behind `spillway proxy` that speaks both. */
import { readFileSync } from 'node:fs';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { cliEntry, makePlace } from '../../fixtures/cli.ts';
import { connectClient, REVISIONS } from '../../fixtures/mcp/client.ts';

test.each(REVISIONS)(
  'in %s a client gets short results as they are, long ones as previews',
  async (revision) => {
    const place = makePlace();
    const args = [cliEntry, 'proxy', '--threshold', '2000', '--', process.execPath, cliEntry, 'mcp'];
    const env = { PATH: process.env.PATH!, SPILLWAY_HOME: place.home };
    const transport = new StdioClientTransport({ command: process.execPath, args, env, cwd: place.files });
    const client = await connectClient(transport, revision);
    try {
      expect(client.getServerVersion()?.name).toBe('spillway');
      const names = (await client.listTools()).tools.map(({ name }) => name);
      expect(names.filter((name) => name === 'inspect_output')).toHaveLength(1);
      const run = async (command: string) => {
        const result = await client.callTool({ name: 'run_command', arguments: { command } });
        const { content } = result as { content: { text: string }[] };
        return { head: JSON.parse(content[0]!.text), texts: content.slice(1).map(({ text }) => text) };
      };
      expect(await run('echo one')).toMatchObject({ head: { success: true }, texts: ['one'] });
      const { head, texts } = await run('seq 1 4000');
      expect(head).toMatchObject({ status: 'captured', content_type: 'text' });
      expect(readFileSync(head.full_output_file, 'utf8')).toContain('"success":true');
      expect(texts.length).toBeGreaterThan(0);
    } finally {
      await client.close();
      place.remove();
    }
  },
);
