/** The views of outputs over MCP, for clients of both revisions over a socket and HTTP. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  app,
  client,
  connectFor,
  inspect,
  LINES,
  place,
  setUpMcp,
  texts,
  ways,
} from '../../fixtures/mcp/clients.ts';

setUpMcp();

describe.each(ways)('over $name in $revision', (way) => {
  connectFor(way);

  test('a view is a line of JSON without content, then the content alone, and no structured content', async () => {
    const result = await inspect({ file_path: app(), start_line: 10, end_line: 12 });
    expect(result.structuredContent).toBeUndefined();
    const [head, content, ...rest] = texts(result);
    expect(rest).toEqual([]);
    expect(head).toMatch(/^\{.*\}\n$/);
    expect(content).toBe(LINES.slice(9, 12).join('\n'));
    const view = JSON.parse(head!);
    expect(view).not.toHaveProperty('content');
    expect(view).not.toHaveProperty('matches');
    expect(view).toMatchObject({
      mode: 'range',
      start_line: 10,
      end_line: 12,
      lines_shown: 3,
      total_lines: 3000,
      truncated: true,
      next_start_line: 13,
    });
  });

  test('content comes through to the character, quotes, emoji and separators included', async () => {
    const [, content] = texts(await inspect({ file_path: join(place.files, 'odd.log'), lines: 3 }));
    expect(content).toBe('ERROR first "quoted" \\ back\n{"not":"a head"}\n\u{1f600} \u2028 end');
  });

  test('an id from the list is read as well as its path', async () => {
    const { structuredContent } = await client.callTool({
      name: 'list_outputs',
      arguments: { query: 'app.log' },
    });
    const [output] = (structuredContent as { outputs: { artifact_id: string }[] }).outputs;
    const [, content] = texts(await inspect({ artifact_id: output!.artifact_id, mode: 'tail', lines: 2 }));
    expect(content).toBe(LINES.slice(-2).join('\n'));
  });

  test('a reply keeps to 16,384 bytes with its head unless more are asked for', async () => {
    const [head, content] = texts(await inspect({ file_path: app(), lines: 2000 }));
    expect(Buffer.byteLength(head! + content!)).toBeLessThanOrEqual(16_384);
    expect(Buffer.byteLength(content!)).toBeGreaterThan(15_000);
    const { lines_shown, next_start_line } = JSON.parse(head!);
    expect(next_start_line).toBe(lines_shown + 1);
    const [, more] = texts(await inspect({ file_path: app(), lines: 2000, max_chars: 100_000 }));
    expect(more).toBe(LINES.slice(0, 2000).join('\n'));
    const [, less] = texts(await inspect({ file_path: app(), max_chars: 30 }));
    expect(less).toBe(LINES[0]);
  });

  test('past the end there is an empty view, and an empty file has one', async () => {
    const [head, content] = texts(await inspect({ file_path: app(), start_line: 4000 }));
    expect(content).toBe('(no lines)');
    expect(JSON.parse(head!).total_lines).toBe(3000);
    expect(JSON.parse(head!)).not.toHaveProperty('start_line');
    const [empty] = texts(await inspect({ file_path: join(place.files, 'empty.log') }));
    expect(JSON.parse(empty!)).toMatchObject({ total_lines: 0, total_bytes: 0 });
  });

  test('a binary output says how to look anyway', async () => {
    const [head, content] = texts(await inspect({ file_path: join(place.files, 'data.bin') }));
    expect(content).toBe('(no lines)');
    expect(JSON.parse(head!)).toMatchObject({
      content_type: 'binary',
      note: expect.stringContaining('as_text'),
    });
  });

  test('read_command_output takes what its note about a binary output asks for', async () => {
    const { structuredContent } = await client.callTool({
      name: 'list_outputs',
      arguments: { query: 'data.bin' },
    });
    const [output] = (structuredContent as { outputs: { artifact_id: string }[] }).outputs;
    const read = async (args: object) => {
      const given = { artifact_id: output!.artifact_id, ...args };
      return texts(await client.callTool({ name: 'read_command_output', arguments: given }));
    };
    const [head] = await read({});
    const [, argument] = /: use (\w+) to see it as text/.exec(JSON.parse(head!).note)!;
    const [shown, content] = await read({ [argument!]: true });
    expect(JSON.parse(shown!)).toMatchObject({ content_type: 'binary', bytes_shown: expect.any(Number) });
    expect(content).toContain('\0');
  });

  test('a summary is facts: the same object twice', async () => {
    const result = await inspect({ file_path: app(), mode: 'summary' });
    expect(JSON.parse(texts(result)[0]!)).toEqual(result.structuredContent);
    expect(result.structuredContent).toMatchObject({
      mode: 'summary',
      total_lines: 3000,
      shapes: expect.any(Array),
    });
    for (const silent of ['content', 'json', 'next_start_line', 'file_path'])
      expect(result.structuredContent).not.toHaveProperty(silent);
  });

  test('an output is named by its id alone', async () => {
    const [head] = texts(await inspect({ file_path: app(), lines: 1 }));
    expect(JSON.parse(head!).artifact_id).toMatch(/^file-app/);
    expect(head).not.toContain('file_path');
  });

  test('read_command_output reads on from an offset, window after window, to the end', async () => {
    const { structuredContent } = await client.callTool({
      name: 'list_outputs',
      arguments: { query: 'app.log' },
    });
    const [output] = (structuredContent as { outputs: { artifact_id: string }[] }).outputs;
    const read = async (args: Record<string, unknown>) => {
      const name = 'read_command_output';
      const result = await client.callTool({
        name,
        arguments: { artifact_id: output!.artifact_id, ...args },
      });
      expect(result.structuredContent).toBeUndefined();
      const [head, content, ...rest] = texts(result);
      expect(rest).toEqual([]);
      expect(Buffer.byteLength(head! + content!)).toBeLessThanOrEqual(16_384);
      return { ...JSON.parse(head!), text: content! };
    };
    let all = '';
    let windows = 0;
    for (let offset: number | null = 0; offset !== null; windows += 1) {
      const window: { text: string; next_offset?: number } = await read({ offset });
      all += window.text;
      offset = window.next_offset ?? null;
    }
    expect(all).toBe(LINES.map((line) => `${line}\n`).join(''));
    expect(windows).toBe(Math.ceil(all.length / 16_000));
    const found = await read({ search: 'line 29\\d\\d ', stream: 'combined' });
    expect(found.match_count).toBe(100);
    expect(found.text).toMatch(/^2900:line 2900 of the log/);
  });

  test('an offset outside of the output is an error with its size in it', async () => {
    const { structuredContent } = await client.callTool({
      name: 'list_outputs',
      arguments: { query: 'app.log' },
    });
    const [output] = (structuredContent as { outputs: { artifact_id: string }[] }).outputs;
    const size = String(LINES.reduce((sum, line) => sum + line.length + 1, 0));
    for (const offset of [-1, 10_000_000]) {
      const result = await client.callTool({
        name: 'read_command_output',
        arguments: { artifact_id: output!.artifact_id, offset },
      });
      expect(result.isError).toBe(true);
      expect(texts(result)[0]).toContain(size);
    }
  });
});
