/** Counts the tokens of the list of tools, and tries searches by which models find a tool. */
import type { Tool } from '@modelcontextprotocol/server';
import { beforeAll, expect, test } from 'vitest';
import { openingReplies } from '../../../electron/mcp/opening-replies.ts';

/** 4,000 tokens, `_meta` included: 16,679 characters of such a list took 4,167. */
const MOST_CHARS = 15_950;
/** Characters of a description that clients show and search if they load tools on demand. */
const SHOWN_CHARS = 160;

let tools: (Tool & { _meta: Record<string, unknown> })[];
beforeAll(async () => {
  const { running } = await openingReplies('0');
  tools = (running.legacy.tools as { tools: typeof tools }).tools;
});

test('all tools together cost less than 4,000 tokens', () => {
  expect(JSON.stringify({ tools }).length).toBeLessThan(MOST_CHARS);
});

test('schemas have no bounds that a model does not reach by itself', () => {
  const text = JSON.stringify(tools.map(({ inputSchema }) => inputSchema));
  expect(text).not.toMatch(/"(minLength|maxLength|maxItems|propertyNames)"|"maximum":\d{5}/);
  expect(text).toMatch(/"maximum":\d{3,4}\b/);
});

test.each(['log file', 'search', 'build', 'error', 'test failure'])(
  'a search for "%s" finds inspect_output',
  (words) => {
    expect(found('inspect_output')).toContain(words);
  },
);

test.each(['run build output', 'run shell command', 'shell', 'run test', 'npm install'])(
  'a search for "%s" finds run_command',
  (words) => {
    expect(ranked(words)).toContain('run_command');
  },
);

test('a search for what went wrong finds inspect_output first', () => {
  for (const words of ['log file', 'test failure', 'error log', 'grep output'])
    expect(ranked(words)[0]).toBe('inspect_output');
});

/** The text that clients search: name, first part of the description, and the hint, which some read alone. */
function found(name: string): string {
  const tool = tools.find((one) => one.name === name)!;
  const hint = String(tool._meta['anthropic/searchHint']);
  return `${name.replace('_', ' ')} ${tool.description!.slice(0, SHOWN_CHARS)} ${hint}`;
}

/** Ranks as Qwen Code does (measured): a name's last word counts most; five tools are shown, ties by name. */
function ranked(words: string): string[] {
  const scores = tools.map(({ name, description }) => {
    const score = words.split(' ').reduce((sum, word) => {
      const inName = name.endsWith(`_${word}`) ? 12 : name.includes(word) ? 6 : 0;
      return sum + inName + (description!.toLowerCase().includes(word) ? 2 : 0);
    }, 0);
    return { name, score };
  });
  const hits = scores.filter(({ score }) => score > 0);
  hits.sort((a, b) => b.score - a.score || a.name.localeCompare(b.name));
  return hits.slice(0, 5).map(({ name }) => name);
}
