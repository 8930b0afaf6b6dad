/** Reads and writes the location hash: `#a=<artifact id>&s=<stream>&l=<line>&q=<pattern>&f=<switches>`. */
import { type StreamName, StreamName as StreamNames } from '../../../shared/artifact.ts';
import { addToParams, fromParams, type SearchSettings } from '../../search/bar/search-settings.ts';

export interface Address {
  artifactId: string | null;
  stream: StreamName | null;
  line: number | null;
  search?: SearchSettings | null;
}

export function parseHash(hash: string): Address {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const line = Number(params.get('l'));
  const stream = StreamNames.safeParse(params.get('s'));
  const search = fromParams(params);
  return {
    artifactId: params.get('a') || null,
    stream: stream.success ? stream.data : null,
    line: Number.isSafeInteger(line) && line >= 1 ? line : null,
    ...(search ? { search } : {}),
  };
}

export function formatHash({ artifactId, stream, line, search }: Address): string {
  if (artifactId === null) return '';
  const params = new URLSearchParams({ a: artifactId });
  if (stream) params.set('s', stream);
  if (line !== null) params.set('l', String(line));
  if (search) addToParams(params, search);
  return `#${params}`;
}
