/** The resources that a `subscriptions/listen` asks for. */
import type { JSONRPCRequest } from '@modelcontextprotocol/server';

/** Most of one subscription. */
const MAX_URIS = 64;

export function subscribedUris(message: JSONRPCRequest): string[] {
  const filter = message.params?.notifications as { resourceSubscriptions?: unknown } | null | undefined;
  const uris = filter?.resourceSubscriptions;
  if (!Array.isArray(uris)) return [];
  return [...new Set(uris.filter((uri) => typeof uri === 'string'))].slice(0, MAX_URIS);
}
