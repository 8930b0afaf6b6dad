/** `spillway://artifact/<id>/<stream>`, with `?offset=` and `&limit=` (bytes) for a page of it. */
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { READ_ARGUMENTS } from '../../../shared/arguments/views.ts';
import { ArtifactId, StreamName } from '../../../shared/artifact.ts';
import { parseArguments } from '../arguments.ts';

export interface ResourcePage {
  artifact_id: string;
  stream: StreamName;
  offset: number;
  /** Null when none was asked for. */
  limit: number | null;
}

export const RESOURCE_TEMPLATE = 'spillway://artifact/{artifact_id}/{stream}{?offset,limit}';

/** Ids and streams have no character that a URI would need to escape. */
export function resourceUri(artifactId: string, stream: StreamName, offset = 0): string {
  return `spillway://artifact/${artifactId}/${stream}${offset > 0 ? `?offset=${offset}` : ''}`;
}

const Page = z.strictObject({
  offset: READ_ARGUMENTS.offset.schema.optional(),
  limit: READ_ARGUMENTS.limit.schema.optional(),
});

/**
 * Returns null for any other URI. Throws `usage` for a page that is none. Decodes nothing: an id in another spelling is
 * a different id.
 */
export function parseResourceUri(uri: string): ResourcePage | null {
  const [, id, name, query] = /^spillway:\/\/artifact\/([^/?#]+)\/([^/?#]+)(?:\?([^#]*))?$/.exec(uri) ?? [];
  const stream = StreamName.safeParse(name);
  if (!ArtifactId.safeParse(id).success || !stream.success) return null;
  const asked = parseArguments('a resource', Page, Object.fromEntries(new URLSearchParams(query)));
  return { artifact_id: id!, stream: stream.data, offset: asked.offset ?? 0, limit: asked.limit ?? null };
}

/** URIs of one subscription. */
const MAX_URIS = 64;

/** Returns the resources that a `subscriptions/listen` asks for. */
export function subscribedUris(message: JSONRPCRequest): string[] {
  const filter = message.params?.notifications as { resourceSubscriptions?: unknown } | null | undefined;
  const uris = filter?.resourceSubscriptions;
  if (!Array.isArray(uris)) return [];
  return [...new Set(uris.filter((uri) => typeof uri === 'string'))].slice(0, MAX_URIS);
}
