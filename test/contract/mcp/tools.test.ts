import { describe, expect, test } from 'vitest';
import {
  CHANGING,
  client,
  connectFor,
  DESTRUCTIVE,
  LINES,
  setUpMcp,
  texts,
  typesOf,
  ways,
} from '../../fixtures/mcp/clients.ts';

setUpMcp();

describe.each(ways)('over $name in $revision', ({ name, open, revision }) => {
  connectFor({ name, open, revision });

  test('says who it is and when to use it', () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(client.getServerVersion()?.name).toBe('spillway');
    const instructions = client.getInstructions() ?? '';
    expect(instructions).toMatch(/^Use Spillway whenever/);
    expect(Buffer.byteLength(instructions)).toBeLessThan(2048);
  });

  test('announces each tool with when to use it, what it changes, and arguments it alone accepts', async () => {
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name).sort()).toEqual([
      'capture_output',
      'cleanup_outputs',
      'compare_outputs',
      'end_session',
      'get_terminal_output',
      'inspect_output',
      'list_outputs',
      'read_command_output',
      'run_command',
      'search_outputs',
      'stop_command',
      'storage_stats',
      'use_session',
      'wait_for_output',
    ]);
    for (const tool of tools) {
      expect(tool.description).toMatch(/^Use this /);
      expect(Buffer.byteLength(tool.description ?? '')).toBeLessThan(2048);
      expect(tool.annotations).toMatchObject({
        title: tool.title,
        readOnlyHint: !CHANGING.includes(tool.name),
        destructiveHint: DESTRUCTIVE.includes(tool.name),
      });
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(typesOf(tool.inputSchema).filter(Array.isArray)).toEqual([]);
      for (const [name, schema] of Object.entries(tool.inputSchema.properties ?? {})) {
        expect((schema as { description?: string }).description, `${tool.name}.${name}`).toBeTruthy();
      }
    }
  });

  test('list_outputs gives the same object as structured content and as text', async () => {
    const result = await client.callTool({ name: 'list_outputs', arguments: {} });
    expect(texts(result)).toHaveLength(1);
    expect(JSON.parse(texts(result)[0]!)).toEqual(result.structuredContent);
    const { outputs } = result.structuredContent as { outputs: { label: string; artifact_id: string }[] };
    expect(outputs.map((output) => output.label).sort()).toEqual([
      'app.log',
      'data.bin',
      'empty.log',
      'odd.log',
    ]);
  });

  test('pages of list_outputs put together are the whole list', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { structuredContent } = await client.callTool({
        name: 'list_outputs',
        arguments: { limit: 1, ...(cursor ? { cursor } : {}) },
      });
      const page = structuredContent as { outputs: { label: string }[]; next_cursor: string | null };
      seen.push(...page.outputs.map((output) => output.label));
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    expect(seen.sort()).toEqual(['app.log', 'data.bin', 'empty.log', 'odd.log']);
  });

  test('every stream is a resource, read in pages that say where to read on', async () => {
    const { resources } = await client.listResources();
    const resource = resources.find(({ name }) => name === 'app.log (output)');
    expect(resource?.uri).toMatch(/^spillway:\/\/artifact\/file-app\.log-[\w-]+\/output$/);
    expect(resource).toMatchObject({ mimeType: 'text/plain' });
    let all = '';
    for (let uri: string | null = resource!.uri; uri !== null; ) {
      const { contents } = await client.readResource({ uri });
      const [page, ...rest] = contents as {
        uri: string;
        text: string;
        _meta: Record<string, string | null>;
      }[];
      expect(rest).toEqual([]);
      expect(page!.uri).toBe(uri);
      all += page!.text;
      uri = page!._meta['spillway/next_uri'] ?? null;
    }
    expect(all).toBe(LINES.map((line) => `${line}\n`).join(''));
    const { contents } = await client.readResource({ uri: `${resource!.uri}?offset=5&limit=1` });
    expect(contents[0]).toMatchObject({ text: '1' });
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'spillway://artifact/{artifact_id}/{stream}{?offset,limit}',
    ]);
  });

  test.each([
    'spillway://artifact/file-x-2026-01-13T10-30-00-abc123/output',
    'spillway://artifact/../../etc/passwd',
    'spillway://artifact/%2e%2e/output',
    'file:///etc/passwd',
    'spillway://artifact/a\0b/output',
    `spillway://artifact/${'x'.repeat(10_000)}/output`,
  ])('what is no resource is said not to be one (%#)', async (uri) => {
    const error = await client.readResource({ uri }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(/not found/) });
    expect((error as Error).message.length).toBeLessThan(600);
  });

  test('storage_stats and cleanup_outputs give facts, twice the same', async () => {
    for (const name of ['storage_stats', 'cleanup_outputs']) {
      const result = await client.callTool({ name, arguments: {} });
      expect(result.isError).toBeFalsy();
      expect(JSON.parse(texts(result)[0]!)).toEqual(result.structuredContent);
    }
    const { structuredContent } = await client.callTool({ name: 'storage_stats', arguments: {} });
    expect(structuredContent).toMatchObject({ file_count: 4, retention_hours: 24, sessions: [] });
  });
});
