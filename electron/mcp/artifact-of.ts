/** One artifact by its id, as an agent may see it. */
import type { Artifact } from '../../shared/artifact.ts';
import { SpillwayError } from '../../shared/errors.ts';
import type { Host, RequestOptions } from '../host/host.ts';

/** Throws `not_found`, which suggests the nearest ids. */
export async function artifactOf(host: Host, id: string, options: RequestOptions): Promise<Artifact> {
  const known = await find(host, id, options);
  if (known !== undefined) return known;
  // Says in the usual words that there is none, and which are near; or brings to light one that is new.
  await host.read({ artifact_id: id, limit: 1, as_text: true }, options);
  const found = await find(host, id, options);
  if (found !== undefined) return found;
  throw new SpillwayError('not_found', 'the output no longer exists', 'list_outputs shows those there are');
}

async function find(host: Host, id: string, options: RequestOptions): Promise<Artifact | undefined> {
  const { outputs } = await host.list({ query: id, limit: 10 }, options);
  return outputs.find((output) => output.artifact_id === id);
}
