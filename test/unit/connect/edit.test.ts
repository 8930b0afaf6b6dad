/** Edits of configuration files keep all other bytes, and can be undone. */
import { describe, expect, test } from 'vitest';
import { dotenvFormat, type Format, Unparsable, valueAt } from '../../../electron/agents/formats/format.ts';
import { jsonFormat } from '../../../electron/agents/formats/json.ts';
import { tomlFormat } from '../../../electron/agents/formats/toml.ts';

const strict = jsonFormat({ comments: false, trailingCommas: false });
const lenient = jsonFormat({ comments: true, trailingCommas: true });
const server = { command: '/usr/bin/node', args: ['/opt/a b/cli.js', 'mcp'], env: { SPILLWAY_HOME: '/h' } };

function roundTrip(format: Format, text: string, path: string[], value: unknown): string {
  const set = format.set(text, path, value);
  expect(valueAt(format.parse(set), path)).toEqual(value);
  return format.remove(set, path);
}

describe('JSON', () => {
  test('keeps comments, order, indentation and the byte order mark', () => {
    const text =
      '\uFEFF{\r\n\t// mine\r\n\t"z": 1, /* b */\r\n\t"a": [1,2],\r\n\t"mcpServers": {\r\n\t\t"x": {"command": "x"}\r\n\t}\r\n}\r\n';
    const set = lenient.set(text, ['mcpServers', 'spillway'], server);
    expect(set.startsWith('\uFEFF{\r\n\t// mine\r\n\t"z": 1, /* b */\r\n\t"a": [1,2],')).toBe(true);
    expect(set.replaceAll('\r\n', '')).not.toContain('\n');
    expect(lenient.remove(set, ['mcpServers', 'spillway'])).toBe(text);
  });

  test.each([
    '{\n  "a": 1 // one\n}\n',
    '{\n  "a": 1, // one, and\n}\n',
    '{\n  // nothing but this\n}\n',
    '{ "a": 1 }',
    '{"mcpServers": {}}',
    '{\n  "mcpServers": {\n    "x": {} // x\n    // end\n  },\n  "b": [1, 2]\n}',
  ])('keeps everything else in %j', (text) => {
    const after = lenient.set(text, ['mcpServers', 'spillway'], server);
    const parsed = lenient.parse(after) as { mcpServers: Record<string, unknown> };
    expect(parsed.mcpServers.spillway).toEqual(server);
    for (const comment of text.match(/\/\/.*/g) ?? []) expect(after).toContain(comment);
    const removed = lenient.remove(after, ['mcpServers', 'spillway']);
    expect({ mcpServers: {}, ...lenient.parse(removed) }).toEqual({ mcpServers: {}, ...lenient.parse(text) });
  });

  test('an empty file becomes an object', () => {
    expect(JSON.parse(strict.set('', ['a', 'b'], 1))).toEqual({ a: { b: 1 } });
  });

  test('a key with a dot is one key', () => {
    expect(JSON.parse(strict.set('{}', ['amp.mcpServers', 's'], 1))).toEqual({ 'amp.mcpServers': { s: 1 } });
  });

  test.each([
    ['{ // c\n}', 'a comment, which this file may not have', 1],
    ['{\n"a": 1,\n}', 'a comma after the last item', 3],
    ['{"a": }', 'an error: Value expected', 1],
    ['[]', 'no object', 1],
  ])('refuses %j where the client would', (text, what, line) => {
    try {
      strict.parse(text);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(Unparsable);
      expect(error).toMatchObject({ what, line });
    }
  });

  test('accepts comments and trailing commas where the client does', () => {
    expect(lenient.parse('{"a": 1, // c\n}')).toEqual({ a: 1 });
  });
});

describe('TOML', () => {
  const text = `# top comment
model = "gpt" # why

[shell_environment_policy] # of commands
inherit = "all"
set = { A = "1" } # mine

[[hooks]]
name = "x"

[mcp_servers.other]
command = "x"
`;
  test.each([
    [['mcp_servers', 'spillway'], server],
    [['shell_environment_policy', 'set', 'BASH_ENV'], '/h/x'],
    [['shell_environment_policy', 'exclude'], ['A']],
    [['new', 'deep', 'key'], 'v'],
    [['top'], true],
  ])('sets and removes %j', (path, value) => {
    const removed = roundTrip(tomlFormat, text, path, value);
    expect(tomlFormat.parse(removed)).toEqual(
      path[0] === 'new' ? { ...tomlFormat.parse(text), new: { deep: {} } } : tomlFormat.parse(text),
    );
    for (const line of text.split('\n')) expect(removed).toContain(line);
  });

  test('replaces a value and keeps the text around it', () => {
    expect(tomlFormat.set(text, ['model'], 'other')).toBe(text.replace('"gpt"', '"other"'));
  });

  test.each([
    ['an inline table', 'shell_environment_policy = { inherit = "all" }\n'],
    ['dotted keys', '[shell_environment_policy]\nset.A = "1"\n'],
    ['dotted keys of the root', 'shell_environment_policy.set.A = "1"\n[x]\ny = 1\n'],
    ['a table', '[shell_environment_policy.set]\nA = "1"'],
    ['an empty inline table', '[shell_environment_policy]\nset = {}\n'],
    ['nothing', ''],
  ])('adds to %s', (_, before) => {
    const path = ['shell_environment_policy', 'set', 'BASH_ENV'];
    const after = tomlFormat.set(before, path, '/x');
    const expected = structuredClone(tomlFormat.parse(before)) as Record<
      string,
      Record<string, Record<string, string>>
    >;
    expected.shell_environment_policy ??= {};
    expected.shell_environment_policy.set ??= {};
    expected.shell_environment_policy.set.BASH_ENV = '/x';
    expect(tomlFormat.parse(after)).toEqual(expected);
    expect(valueAt(tomlFormat.parse(tomlFormat.remove(after, path)), path)).toBeUndefined();
  });

  test.each(['roots = []\n', 'roots = ["/a"] # c\n', 'roots = [\n  "/a", # one\n  "/b", # two\n]\n'])(
    'adds one item to %j and takes it out',
    (before) => {
      const after = tomlFormat.append(before, ['roots'], '/mine');
      expect(tomlFormat.parse(after).roots).toEqual([
        ...(tomlFormat.parse(before).roots as string[]),
        '/mine',
      ]);
      expect(tomlFormat.withdraw(after, ['roots'], '/mine')).toBe(before);
    },
  );

  test('keeps strings of every kind', () => {
    const value = 'a "b" \\ \u007f \u0001 é 🙂\n';
    expect(valueAt(tomlFormat.parse(tomlFormat.set('', ['a b', 'c'], value)), ['a b', 'c'])).toBe(value);
  });

  test('names the line that cannot be read', () => {
    expect(() => tomlFormat.parse('a = 1\nb = \n')).toThrow(Unparsable);
  });
});

describe('.env', () => {
  test('sets, replaces and removes a line', () => {
    const text = '# keys\nGEMINI_API_KEY=x\nexport B="two words"\n';
    const set = dotenvFormat.set(text, ['BASH_ENV'], '/a b/c.bash');
    expect(set).toBe(`${text}BASH_ENV='/a b/c.bash'\n`);
    expect(dotenvFormat.parse(set)).toEqual({ GEMINI_API_KEY: 'x', B: 'two words', BASH_ENV: '/a b/c.bash' });
    expect(dotenvFormat.remove(set, ['BASH_ENV'])).toBe(text);
    expect(dotenvFormat.set('A=1', ['B'], '2')).toBe('A=1\nB=2\n');
  });
});
