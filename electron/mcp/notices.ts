/** Adds to a tool's reply what the guard has warned of since the agent's last one. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { isObject } from '../../shared/text/json-line.ts';
import { readWarnings } from '../host/guard.ts';
import { bytesOf } from './reply.ts';
import type { Tool } from './tools/tool.ts';

/** Warnings in one reply: the newest. */
const MAX_WARNINGS = 2;

/**
 * Returns the same tools; each warning comes with one reply of one of them. A reply leaves room for the warnings
 * that exist when it begins. A later one is added if it fits, or else to the next reply.
 */
export function withNotices(tools: readonly Tool[], home: string): Tool[] {
  let toldMs = Date.now();
  let waiting: string[] = [];
  const look = () => {
    const warnings = readWarnings(home, toldMs);
    toldMs = warnings.at(-1)?.at ?? toldMs;
    waiting = [...waiting, ...warnings.map(({ text }) => text)].slice(-MAX_WARNINGS);
  };
  return tools.map((tool) => ({
    definition: tool.definition,
    async call(args, options) {
      look();
      const early = waiting;
      waiting = [];
      const { usualBytes, mostBytes } = options.budget;
      const taken = early.length === 0 ? 0 : sizeOf(early);
      const budget = { usualBytes: usualBytes - taken, mostBytes: mostBytes - taken };
      const reply = await tool.call(args, { ...options, budget });
      look();
      const bytes = bytesOf(reply);
      const room = (bytes > budget.usualBytes ? mostBytes : usualBytes) - bytes;
      const all = [...early, ...waiting];
      const fits = waiting.length > 0 && sizeOf(all) <= room;
      if (fits) waiting = [];
      const notices = fits ? all : early;
      return notices.length === 0 ? reply : withFacts(reply, { notices });
    },
  }));
}

/** The bytes that notices add to a reply: in its head, or as a block of their own. */
function sizeOf(notices: readonly string[]): number {
  return Buffer.byteLength(JSON.stringify({ notices })) + 1;
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
