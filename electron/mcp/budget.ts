/** How much a reply may hold, and how its lists and its text are cut to that. */

import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Settings } from '../../shared/settings.ts';
import { shortenMiddle } from '../../shared/text/format.ts';
import { habitsOf } from '../agents/agents.ts';
import { bytesOf } from './reply.ts';

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

export function budgetFor(
  client: string | null,
  { maxReplyBytes }: Pick<Settings, 'maxReplyBytes'>,
): ReplyBudget {
  const { mostBytes = MOST_BYTES, usualBytes = mostBytes } = habitsOf(client) ?? {};
  return { usualBytes: Math.min(maxReplyBytes, usualBytes), mostBytes };
}

/** Bytes that a head and its labels may take beside a preview or a short text. */
const HEAD_BYTES = 700;
/** A preview is not cut below this to make room for the head. */
export const LEAST_PREVIEW_BYTES = 256;

/** Returns the bytes of captured text that a reply of `maxBytes` has room for. */
export function roomIn(maxBytes: number): number {
  return Math.max(LEAST_PREVIEW_BYTES, maxBytes - HEAD_BYTES);
}

/**
 * Shortens the longest list until the facts fit. Counts beside the lists stay true. `maxBytes`: of the facts as JSON in
 * UTF-8. `cut`: something was left out.
 */
export function fitLists<T extends object, K extends keyof T>(
  facts: T,
  lists: readonly K[],
  maxBytes: number,
): { facts: T; cut: boolean } {
  const fitted = { ...facts };
  let cut = false;
  while (Buffer.byteLength(JSON.stringify(fitted)) > maxBytes) {
    const [longest] = lists.toSorted((a, b) => sizeOf(fitted[b]) - sizeOf(fitted[a]));
    const list = longest === undefined ? null : fitted[longest];
    if (!Array.isArray(list) || list.length === 0) break;
    fitted[longest!] = list.slice(0, Math.floor(list.length * 0.8)) as T[K];
    cut = true;
  }
  return { facts: fitted, cut };
}

/** Characters of `… and 1234 more`, with what is between words. */
const REST_CHARS = 16;

/** Returns the first words, together of so many characters; a last one counts the others. */
export function firstWords(words: readonly string[], mostChars: number): string[] {
  const kept: string[] = [];
  const isLonger = words.join(' ').length > mostChars;
  let room = isLonger ? mostChars - REST_CHARS : mostChars;
  for (const word of words) {
    if (room <= 0) return [...kept, `… and ${words.length - kept.length} more`];
    kept.push(shortenMiddle(word, room));
    room -= word.length + 1;
  }
  return kept;
}

function sizeOf(list: unknown): number {
  return JSON.stringify(list)?.length ?? 0;
}

const MOST_TRIES = 6;

/**
 * Finds the longest reply that fits. `make` builds a reply whose text has at most the given number of units (bytes
 * or characters). Returns the shortest one when none fits.
 */
export async function fitText(
  make: (most: number) => Promise<CallToolResult>,
  maxBytes: number,
): Promise<CallToolResult> {
  let most = maxBytes;
  for (let tries = 1; ; tries += 1) {
    const reply = await make(most);
    const bytes = bytesOf(reply);
    if (bytes <= maxBytes || most === 1 || tries === MOST_TRIES) return reply;
    const head = headBytes(reply);
    const room = Math.max(0, maxBytes - head) / Math.max(1, bytes - head);
    // Lines are left out whole: what fits in proportion may still be a little too long.
    most = Math.max(1, Math.floor(Math.min(most, bytes - head) * room * (tries === 1 ? 1 : 0.9)));
  }
}

function headBytes({ content }: CallToolResult): number {
  return bytesOf({ content: content.slice(0, 1) });
}
