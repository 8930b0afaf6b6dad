/** Tools whose calls are written down for the window. */
import type { AgentEntry } from '../host/agents.ts';
import type { CurrentSession } from './current-session.ts';
import type { Tool } from './tools/tool.ts';

export function journaled(tool: Tool, entry: AgentEntry, current: CurrentSession): Tool {
  return {
    definition: tool.definition,
    async call(args, options) {
      const given = typeof args === 'object' && args !== null ? (args as Record<string, unknown>) : {};
      const end = entry.call(tool.definition.name, saidOf(given), text(given.artifact_id) ?? null);
      let ok = false;
      let made: string | undefined;
      try {
        const result = await tool.call(args, options);
        ok = result.isError !== true;
        made = ok ? artifactIn(result.content[0]) : undefined;
        return result;
      } finally {
        end({ ok, ...(made === undefined ? {} : { artifactId: made }) });
        entry.is({ session: current.name, client: options.client });
      }
    },
  };
}

/** Picks the arguments that describe the call; never contents or environment variables. */
function saidOf(given: Record<string, unknown>): string {
  const { command, args, mode, pattern, search, query, session, source, file_path } = given;
  const words = [
    command,
    ...(Array.isArray(args) ? args : []),
    mode,
    pattern,
    search,
    query,
    session,
    source,
    file_path,
  ];
  return words.flatMap((word) => text(word) ?? []).join(' ');
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The head of a reply says which output it is of. */
function artifactIn(block: { type: string; text?: unknown } | undefined): string | undefined {
  const head = typeof block?.text === 'string' ? block.text.slice(0, 2000) : '';
  return /^\{(?:"status":"\w+","truncated":\w+,)?"artifact_id":"([A-Za-z0-9._-]{1,120})"/.exec(head)?.[1];
}
