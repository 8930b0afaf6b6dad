import type { ContentType } from '../../shared/artifact.ts';
export const BINARY_SNIFF_BYTES = 65536;
export function detectContentType(head: Uint8Array, _o: { size: number }): ContentType {
  const u16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  return head.length === 0 ? 'unknown' : !u16 && head.includes(0) ? 'binary' : 'text';
}
