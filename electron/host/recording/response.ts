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
  const contentType = options.contentType ?? (isText || text === '' ? undefined : ('json' as const));
  const recording = startCapture(place, { kind: 'tool', ...options, contentType });
  recording.write('output', Buffer.from(text));
  return captured(place, recording, await recording.finish({ status: 'finished' }));
}
