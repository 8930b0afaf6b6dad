/** How long a reply may be: the setting, and where the client is known to cut earlier, the client's own limit. */
import type { Settings } from '../../../shared/settings.ts';

/** Bytes of one reply in UTF-8, head included. */
export interface ReplyBudget {
  /** When the caller names no size. */
  readonly usualBytes: number;
  /**
   * When it does: what the client is known to pass on. An agent that names 1 MiB wants it in one piece; cutting it at
   * `usualBytes` would leave it no way to.
   */
  readonly mostBytes: number;
}

/** A reply over this reaches no model in one piece. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * The bytes each client passes to its model before it cuts, measured in November 2026. For clients that count
 * characters this is safe: a text has at least as many bytes.
 */
const CLIENT_LIMITS: readonly (readonly [name: RegExp, bytes: number])[] = [
  [/cline/i, 8000],
  [/copilot/i, 20_480],
  [/qwen/i, 26_000],
  [/gemini/i, 40_000],
  [/codex/i, 48_000],
  [/claude/i, 50_000],
  [/opencode/i, 51_200],
];

export function budgetFor(
  client: string | null,
  { maxReplyBytes }: Pick<Settings, 'maxReplyBytes'>,
): ReplyBudget {
  const limit = client === null ? undefined : CLIENT_LIMITS.find(([name]) => name.test(client))?.[1];
  const mostBytes = limit ?? MOST_BYTES;
  return { usualBytes: Math.min(maxReplyBytes, mostBytes), mostBytes };
}
