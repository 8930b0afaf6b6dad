/** `spillway read`: a byte window, as text. */
import type { ReadParams } from '../../shared/views.ts';
import { print, printJson, tell } from './print.ts';
import { forOutput, noteForPerson } from './safe-text.ts';
import { targetOf } from './target.ts';
import { withHost } from './with-host.ts';

export interface ReadOptions {
  offset?: number;
  limit?: number;
  stream?: ReadParams['stream'];
  encoding?: string;
  asText?: boolean;
  json?: boolean;
}

export async function read(given: string, options: ReadOptions): Promise<number> {
  const { offset, limit, stream, encoding, asText } = options;
  const params = { offset, limit, stream, encoding, as_text: asText };
  const window = await withHost((host) =>
    host.read({
      ...targetOf(given),
      ...Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)),
    }),
  );
  if (options.json) {
    await printJson(window);
    return 0;
  }
  await print(forOutput(window.content, false));
  if (window.note !== undefined) await tell(noteForPerson(window.note));
  return 0;
}
