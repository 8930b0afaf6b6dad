/** What a reload returns to, in the address: `#a=<artifact id>&s=<stream>&l=<line>`. */
import { type StreamName, StreamName as StreamNames } from '../../shared/artifact.ts';

export interface Place {
  artifactId: string | null;
  stream: StreamName | null;
  line: number | null;
}

export function parseHash(hash: string): Place {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const line = Number(params.get('l'));
  const stream = StreamNames.safeParse(params.get('s'));
  return {
    artifactId: params.get('a') || null,
    stream: stream.success ? stream.data : null,
    line: Number.isSafeInteger(line) && line >= 1 ? line : null,
  };
}

export function formatHash({ artifactId, stream, line }: Place): string {
  if (artifactId === null) return '';
  const params = new URLSearchParams({ a: artifactId });
  if (stream) params.set('s', stream);
  if (line !== null) params.set('l', String(line));
  return `#${params}`;
}
