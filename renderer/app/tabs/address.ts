/**
 * Reads and writes the location hash: `#a=<artifact id>&s=<stream>&l=<line>&q=<pattern>&f=<switches>`, and with
 * `m=<id>,<id>` several artifacts merged into one text. Several searches are in `k=`.
 */

import { ArtifactId, type StreamName, StreamName as StreamNames } from '../../../shared/artifact.ts';
import { MAX_MERGED, mergedId } from '../../../shared/merged.ts';
import { addToParams, fromParams, type SearchSettings } from '../../search/search-settings.ts';
import { addSearchesToParams, type SearchTabs, searchesFromParams } from '../../search/search-tabs.ts';

export interface Address {
  artifactId: string | null;
  stream: StreamName | null;
  line: number | null;
  /** The search to show. */
  search?: SearchSettings | null;
  /** All searches side by side, if there are several. */
  searches?: SearchTabs | null;
  /** Several artifacts, merged by time; `artifactId` names the merged text. */
  merged?: readonly string[] | null;
}

export function parseHash(hash: string): Address {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const line = Number(params.get('l'));
  const stream = StreamNames.safeParse(params.get('s'));
  const search = fromParams(params);
  const searches = searchesFromParams(params);
  const merged = (params.get('m') ?? '').split(',').filter((id) => ArtifactId.safeParse(id).success);
  const isMerged = merged.length > 1 && merged.length <= MAX_MERGED;
  return {
    artifactId: isMerged ? mergedId(merged) : params.get('a') || null,
    stream: stream.success ? stream.data : null,
    line: Number.isSafeInteger(line) && line >= 1 ? line : null,
    ...(search ? { search } : {}),
    ...(searches ? { searches } : {}),
    ...(isMerged ? { merged } : {}),
  };
}

export function formatHash({ artifactId, stream, line, search, searches, merged }: Address): string {
  if (artifactId === null) return '';
  const params = new URLSearchParams({ a: artifactId });
  if (stream) params.set('s', stream);
  if (line !== null) params.set('l', String(line));
  if (merged) params.set('m', merged.join(','));
  if (search) addToParams(params, search);
  if (searches) addSearchesToParams(params, searches);
  return `#${params}`;
}
