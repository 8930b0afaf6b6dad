/** Records a tool's response: strings as they are, anything else as indented JSON. */
import { Buffer } from 'node:buffer';
import type { RecordingHome } from './recording-home.ts';
import { type Captured, captured, type StreamOptions, startCapture } from './stream.ts';

type ResponseOptions = Omit<StreamOptions, 'onChunk'>;

/**
 * Resolves with the response if it is short, else with a preview. A value without a JSON form (undefined, a
 * function) counts as empty.
 */
export async function captureResponse(
  place: RecordingHome,
  content: unknown,
  options: ResponseOptions,
): Promise<Captured> {
  const isText = typeof content === 'string';
  const text = isText ? content : (JSON.stringify(content, null, 2) ?? '');
  // A text is one, even with a NUL in it, which would say that a file is binary.
  const usual = isText ? (text.includes('\0') ? 'text' : undefined) : text === '' ? undefined : 'json';
  const contentType = options.contentType ?? usual;
  const recording = startCapture(place, { kind: 'tool', ...options, contentType });
  recording.write('output', Buffer.from(text));
  return captured(place, recording, await recording.finish({ status: 'finished' }));
}
