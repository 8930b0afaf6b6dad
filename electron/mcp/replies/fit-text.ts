/** Cuts a reply to its budget: requests a shorter text until the whole reply fits. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { bytesOf } from './reply.ts';

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
