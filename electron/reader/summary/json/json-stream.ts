/** Returns the JSON facts of a whole stream, read once from beginning to end. */
import type { OpenStream } from '../../bytes/open-stream.ts';
import { type JsonFacts, JsonReader } from './json-facts.ts';
import { createJsonMachine } from './json-machine.ts';

const CHUNK_BYTES = 1 << 18;

/** Null if the stream is not one JSON document. Throws the stream's errors; `encoding` is a WHATWG label. */
export function jsonFactsOf(stream: OpenStream, encoding: string): JsonFacts | null {
  const reader = new JsonReader(createJsonMachine());
  const chunk = new Uint8Array(CHUNK_BYTES);
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  const isUtf8 = decoder.encoding === 'utf-8';
  for (let at = 0; at < stream.size && reader.isSound; ) {
    const bytes = chunk.subarray(0, stream.read(chunk, at));
    if (bytes.length === 0) break;
    if (isUtf8) reader.push(at === 0 && hasMark(bytes) ? bytes.subarray(3) : bytes);
    else reader.push(encoder.encode(decoder.decode(bytes, { stream: true })));
    at += bytes.length;
  }
  return reader.facts();
}

/** Whether the UTF-8 begins with a byte order mark. */
export function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
