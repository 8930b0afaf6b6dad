/** Arguments, paths and tools that MCP refuses, in words that help. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  app,
  client,
  connectFor,
  inspect,
  place,
  setUpMcp,
  texts,
  ways,
} from '../../fixtures/mcp/clients.ts';

setUpMcp();

describe.each(ways)('over $name in $revision', (way) => {
  connectFor(way);

  test('an unknown argument is refused by name with the nearest valid one', async () => {
    const result = await inspect({ file_path: app(), start_lin: 5 });
    expect(result.isError).toBe(true);
    expect(texts(result)[0]).toMatch(/no argument "start_lin".*did you mean `start_line`/);
  });

  test.each([
    [{ file_path: 'F', mode: 'grap' }, /`mode` cannot be "grap".*head, tail, grep, range, summary/],
    [{ file_path: 'F', mode: 'grep' }, /grep needs a pattern/],
    [{ file_path: 'F', pattern: 'a(' }, /"a\(" is not a valid pattern/],
    [{ file_path: 'F', pattern: 'x', max_matches: 5000 }, /give at most 2000/],
    [{ file_path: 'F', pattern: 'x', cursor: 'x' }, /unknown cursor: use next_cursor/],
    [{ file_path: 'F', stream: 'stderr' }, /no stream stderr: it has output/],
    [{ file_path: 'F', mode: 'sumary' }, /did you mean "summary"/],
    [{ file_path: 'F', lines: 0 }, /`lines` cannot be 0: give at least 1/],
    [{ file_path: 'F', lines: 'many' }, /`lines` cannot be "many": give a whole number/],
    [{ file_path: 'F', lines: 1.5 }, /`lines` cannot be 1.5: give a whole number/],
    [{ file_path: 'F', start_line: 0 }, /line 0 does not exist/],
    [{ file_path: 'F', start_line: 9, end_line: 3 }, /ends at line 3, before/],
    [{ file_path: 'F', max_chars: 100_000_000 }, /give at most 1000000/],
    [{ file_path: 'F', raw: 'yes' }, /true or false/],
    [{ file_path: 7 }, /`file_path` cannot be 7: give a string/],
    [{ file_path: 'F', artifact_id: 'x' }, /both `artifact_id` and `file_path`/],
    [{}, /give one of `artifact_id`/],
    [{ artifact_id: 'nonsense' }, /nonsense/],
    [{ file_path: 'F', encoding: 'klingon' }, /klingon/],
  ])('%j is an error that says what to do next', async (args, wanted) => {
    const given = Object.fromEntries(
      Object.entries(args).map(([name, value]) => [name, value === 'F' ? app() : value]),
    );
    const result = await inspect(given);
    expect(result.isError).toBe(true);
    expect(texts(result)[0]).toMatch(wanted);
    expect(result.structuredContent).toBeUndefined();
  });

  test('a folder below a source is said to be one', async () => {
    const folder = join(place.files, 'logs');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'inner.log'), 'inside\n');
    const result = await inspect({ file_path: folder });
    expect(result.isError).toBe(true);
    expect(texts(result)[0]).toMatch(/logs" is a directory: name a file in it: list_outputs/);
  });

  test('an argument of null counts as left out', async () => {
    const [head] = texts(await inspect({ file_path: app(), artifact_id: null, mode: null, lines: null }));
    expect(JSON.parse(head!)).toMatchObject({ mode: 'head', lines_shown: 50 });
  });

  test('what lies outside the sources is refused in the same words whether or not it is there', async () => {
    const outside = [
      join(place.home, 'config.json'),
      '/etc/passwd',
      '/no/such/file',
      '../../x',
      `${place.files}/../up`,
      place.files,
    ];
    const said = await Promise.all(outside.map(async (file_path) => texts(await inspect({ file_path }))[0]));
    expect(new Set(said).size).toBe(1);
    expect(said[0]).toMatch(/from list_outputs\. A person can .* `spillway open --agents PATH`$/);
    expect(said[0]).not.toContain(place.home);
    expect(readFileSync(join(place.home, 'config.json'), 'utf8')).toContain('sources');
  });

  test.each(['no_such_tool', '__proto__', 'constructor', 'toString', 'inspect_outputs', 'x'.repeat(10_000)])(
    'an unknown tool is a protocol error (%#)',
    async (name) => {
      const error = await client.callTool({ name, arguments: {} }).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: -32602,
        message: expect.stringMatching(/Unknown tool.*run_command, inspect_output/),
      });
      expect((error as Error).message.length).toBeLessThan(400);
    },
  );

  test('__proto__ among the arguments changes nothing', async () => {
    const args = JSON.parse(`{"file_path":${JSON.stringify(app())},"__proto__":{"mode":"tail"}}`);
    const result = await inspect(args);
    expect(({} as { mode?: string }).mode).toBeUndefined();
    // The SDK may drop the key, or Spillway may refuse it by name. In neither case does a tail come back.
    expect(result.isError || JSON.parse(texts(result)[0]!).mode === 'head').toBe(true);
  });
});
