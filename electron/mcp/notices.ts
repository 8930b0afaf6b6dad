/** Adds to a tool's reply what the guard has warned of since the agent's last one. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { isObject } from '../../shared/text/json/is-object.ts';
import { readWarnings } from '../host/guard/warnings.ts';
import type { Tool } from './tools/tool.ts';

/** Warnings in one reply: the newest. */
const MAX_WARNINGS = 2;

/** Returns the same tools; each warning comes with one reply of one of them. */
export function withNotices(tools: readonly Tool[], home: string): Tool[] {
  let toldMs = Date.now();
  const untold = () => {
    const warnings = readWarnings(home, toldMs);
    toldMs = warnings.at(-1)?.at ?? toldMs;
    return warnings.slice(-MAX_WARNINGS).map(({ text }) => text);
  };
  return tools.map((tool) => ({
    definition: tool.definition,
    async call(args, options) {
      const reply = await tool.call(args, options);
      const notices = untold();
      return notices.length === 0 ? reply : withFacts(reply, { notices });
    },
  }));
}

/** Adds to the facts in a reply's first block. If that block has none, adds a block after the last. */
function withFacts(reply: CallToolResult, facts: { notices: string[] }): CallToolResult {
  const [first, ...rest] = reply.content;
  const head = first?.type === 'text' ? parsed(first.text) : null;
  if (first?.type !== 'text' || head === null)
    return { ...reply, content: [...reply.content, { type: 'text', text: JSON.stringify(facts) }] };
  const end = first.text.endsWith('\n') ? '\n' : '';
  return {
    ...reply,
    content: [{ ...first, text: JSON.stringify({ ...head, ...facts }) + end }, ...rest],
    ...(reply.structuredContent ? { structuredContent: { ...reply.structuredContent, ...facts } } : {}),
  };
}

function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
