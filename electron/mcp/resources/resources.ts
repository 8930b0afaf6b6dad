/** Artifacts as MCP resources: one for each stream, listed newest first, read in pages of bytes. */
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from '@modelcontextprotocol/server';
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import type { Artifact, Stream } from '../../../shared/artifact.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { DEFAULT_WINDOW_BYTES } from '../../../shared/limits.ts';
import type { Host } from '../../host/host.ts';
import { parseResourceUri, RESOURCE_TEMPLATE, type ResourcePage, resourceUri } from './uri.ts';

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
    const { content, content_type, total_bytes, total_lines, start_line, next_offset, running, note } =
      window;
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
        { access: 'agent', ...given },
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
  const what = artifact.command ?? artifact.label;
  return {
    uri: resourceUri(artifact.artifact_id, stream.name),
    name: `${artifact.label} (${stream.name})`.slice(0, 200),
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
