/** Artifacts as MCP resources: one for each stream, listed newest first, read in pages of bytes. */

import {
  type JSONRPCRequest,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { DocumentState } from '../../shared/api/rows.ts';
import { READ_ARGUMENTS } from '../../shared/arguments/views.ts';
import { type Artifact, ArtifactId, type Stream, StreamName } from '../../shared/artifact.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { DEFAULT_WINDOW_BYTES } from '../../shared/limits.ts';
import type { Host } from '../host/host.ts';
import { parseArguments } from './arguments.ts';
import { maskedText, redactOption } from './redaction.ts';

/** Artifacts in one page of the list. */
const PAGE_ARTIFACTS = 50;

export class Resources {
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  async list(cursor: string | undefined, signal: AbortSignal): Promise<ListResourcesResult> {
    const params = { limit: PAGE_ARTIFACTS, ...(cursor === undefined ? {} : { cursor }) };
    const page = await this.#host.list(params, { access: 'agent', signal }).catch((error) => {
      throw asProtocolError(error);
    });
    return {
      resources: page.outputs.flatMap(resourcesOf),
      ...(page.next_cursor === null ? {} : { nextCursor: page.next_cursor }),
    };
  }

  templates(): ListResourceTemplatesResult {
    return {
      resourceTemplates: [
        {
          uriTemplate: RESOURCE_TEMPLATE,
          name: 'artifact',
          title: 'A captured output',
          description:
            'The bytes of one stream (stdout, stderr, combined or output) from `offset` on, at most `limit` of them; `_meta` of what comes says where to read on.',
        },
      ],
    };
  }

  /** Throws the protocol's own error for an unknown resource, or one the agent may not read. */
  async read(uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
    const page = pageOf(uri);
    const window = await this.#window(page, uri, signal);
    const {
      content,
      content_type,
      redacted,
      total_bytes,
      total_lines,
      start_line,
      next_offset,
      running,
      note,
    } = window;
    return {
      contents: [
        {
          uri,
          mimeType: mimeType(content_type),
          text: content,
          _meta: {
            'spillway/total_bytes': total_bytes,
            'spillway/total_lines': total_lines,
            'spillway/offset': window.offset,
            'spillway/start_line': start_line,
            'spillway/running': running,
            'spillway/next_uri':
              next_offset === null ? null : resourceUri(page.artifact_id, page.stream, next_offset),
            ...(redacted === undefined ? {} : { 'spillway/redacted': redacted }),
            ...(note === undefined ? {} : { 'spillway/note': note }),
          },
        },
      ],
    };
  }

  /** Throws like `read` if the resource cannot be read. */
  async check(uri: string, signal?: AbortSignal): Promise<ResourcePage> {
    const page = pageOf(uri);
    await this.#window({ ...page, offset: 0, limit: 1 }, uri, signal);
    return page;
  }

  #window({ artifact_id, stream, offset, limit }: ResourcePage, uri: string, signal?: AbortSignal) {
    const given = signal === undefined ? {} : { signal };
    return this.#host
      .read(
        { artifact_id, stream, offset, limit: limit ?? DEFAULT_WINDOW_BYTES },
        { access: 'agent', ...redactOption(), ...given },
      )
      .catch((error: unknown) => {
        if (!(error instanceof SpillwayError)) throw error;
        if (error.code === 'out_of_range') throw asProtocolError(error);
        throw new ResourceNotFoundError(shown(uri));
      });
  }
}

function pageOf(uri: string): ResourcePage {
  let page: ResourcePage | null;
  try {
    page = parseResourceUri(uri);
  } catch (error) {
    throw asProtocolError(error);
  }
  if (page === null) throw new ResourceNotFoundError(shown(uri));
  return page;
}

function resourcesOf(artifact: Artifact): ListResourcesResult['resources'] {
  const streams = artifact.streams.map((stream) => resourceOf(artifact, stream));
  if (artifact.streams.length < 2) return streams;
  const total_bytes = artifact.streams.reduce((sum, stream) => sum + stream.total_bytes, 0);
  const combined = { ...artifact.streams[0]!, name: 'combined' as const, total_bytes };
  return [resourceOf(artifact, combined), ...streams];
}

function resourceOf(artifact: Artifact, stream: Stream): ListResourcesResult['resources'][number] {
  const what = maskedText(artifact.command ?? artifact.label);
  return {
    uri: resourceUri(artifact.artifact_id, stream.name),
    name: `${maskedText(artifact.label)} (${stream.name})`.slice(0, 200),
    description: `${stream.name} of ${what.slice(0, 200)}, ${artifact.status}`,
    mimeType: mimeType(stream.content_type),
    size: stream.total_bytes,
    ...(artifact.started_at === null
      ? {}
      : { annotations: { lastModified: artifact.ended_at ?? artifact.started_at } }),
  };
}

function mimeType(type: Stream['content_type']): string {
  if (type === 'json') return 'application/json';
  return type === 'binary' ? 'application/octet-stream' : 'text/plain';
}

function asProtocolError(error: unknown): unknown {
  if (!(error instanceof SpillwayError) || error.code === 'internal') return error;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
}

function shown(uri: string): string {
  return uri.length > 300 ? `${uri.slice(0, 300)}…` : uri;
}

/** `spillway://artifact/<id>/<stream>`, with `?offset=` and `&limit=` (bytes) for a page of it. */
interface ResourcePage {
  artifact_id: string;
  stream: StreamName;
  offset: number;
  /** Null when none was asked for. */
  limit: number | null;
}

const RESOURCE_TEMPLATE = 'spillway://artifact/{artifact_id}/{stream}{?offset,limit}';

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

/** Milliseconds between two notices of one resource. */
const SETTLE_MS = 200;

interface Watch {
  readonly listeners: Set<() => void>;
  stop: () => void;
}

/**
 * Notifies subscribers of changed resources, with one watch of the document for all of an agent's subscriptions to
 * it.
 */
export class ResourceWatches {
  readonly #host: Host;
  readonly #resources: Resources;
  readonly #watches = new Map<string, Watch>();

  constructor(host: Host, resources: Resources) {
    this.#host = host;
    this.#resources = resources;
  }

  /** Silently ignores a resource that the agent may not read. */
  watch(uri: string, onUpdated: () => void): () => void {
    const watch = this.#watches.get(uri) ?? this.#begin(uri);
    const listener = () => onUpdated();
    watch.listeners.add(listener);
    return () => {
      watch.listeners.delete(listener);
      if (watch.listeners.size > 0 || this.#watches.get(uri) !== watch) return;
      this.#watches.delete(uri);
      watch.stop();
    };
  }

  close(): void {
    for (const watch of this.#watches.values()) watch.stop();
    this.#watches.clear();
  }

  #begin(uri: string): Watch {
    let stopped = false;
    const watch: Watch = {
      listeners: new Set(),
      stop: () => {
        stopped = true;
      },
    };
    this.#watches.set(uri, watch);
    void this.#resources.check(uri).then(
      ({ artifact_id, stream }) => {
        if (stopped) return;
        const tell = settled(() => {
          for (const listener of watch.listeners) listener();
        });
        const unwatch = this.#host.watchDocument({ artifact_id, stream }, onChange(tell.soon), () => {});
        watch.stop = () => {
          tell.stop();
          unwatch();
        };
      },
      () => {},
    );
    return watch;
  }
}

/** Calls back when the text has changed. A state that only counts more lines is not a change. */
function onChange(changed: () => void): (state: DocumentState) => void {
  let known: string | null = null;
  return (state) => {
    const now = `${state.generation} ${state.total_bytes} ${state.condition} ${state.artifact.status}`;
    if (known !== null && now !== known) changed();
    known = now;
  };
}

/** Limits `act` to once every SETTLE_MS, with one last call after the last request. */
function settled(act: () => void): { soon(): void; stop(): void } {
  let timer: NodeJS.Timeout | null = null;
  return {
    soon: () => {
      timer ??= setTimeout(() => {
        timer = null;
        act();
      }, SETTLE_MS);
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
