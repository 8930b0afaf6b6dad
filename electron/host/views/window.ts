/**
 * The byte window (CONTRACT 5): bytes in sequence from an offset, or with `search` the matching lines from there on.
 */
import { DEFAULT_WINDOW_BYTES } from '../../../shared/limits.ts';
import type { ByteWindow, ReadParams } from '../../../shared/views.ts';
import { binaryNote } from '../../reader/text/content-type.ts';
import type { Document, Need } from '../documents/document.ts';
import { COUNTED_BYTES, linesCounted, NO_LINES, noteOf, streamFields, type ViewContext } from './context.ts';
import { searchWindow } from './search-window.ts';

/** In any encoding that is read. */
const MAX_CHARACTER_BYTES = 4;

/** Throws `out_of_range` for an offset below 0 or past the end. */
export function readDocument(
  document: Document,
  params: ReadParams,
  context: ViewContext,
): Promise<ByteWindow> {
  // Unpack no more than is shown, and a character to tell that there is more.
  const bytes = (params.offset ?? 0) + (params.limit ?? DEFAULT_WINDOW_BYTES) + MAX_CHARACTER_BYTES;
  const need: Need = ({ isGrowing, gaps, size }) => {
    if (params.search || gaps.length > 0 || (!isGrowing && size <= COUNTED_BYTES)) return 'everything';
    return isGrowing || bytes <= COUNTED_BYTES ? { bytes } : 'nothing';
  };
  return document.use({ need, ...context }, async (generation, artifact) => {
    const fields = {
      ...streamFields(document, generation, artifact),
      ...linesCounted(generation),
      mode: 'window' as const,
      clipped_lines: 0,
    };
    const { search, offset = 0, limit = DEFAULT_WINDOW_BYTES } = params;
    const request = { offset, limit: search ? 1 : limit };
    const window = await context.pool.run(
      'window',
      { ...generation.text(), request },
      { signal: context.signal },
    );
    if (generation.contentType === 'binary' && !params.as_text) {
      return {
        ...fields,
        ...NO_LINES,
        offset: window.offset,
        bytes_shown: 0,
        truncated: true,
        next_offset: null,
        note: binaryNote(generation.head, generation.size, context.surface),
      };
    }
    if (search) return { ...fields, ...(await searchWindow(generation, { search, limit }, window, context)) };
    const { start_line, end_line, next_offset } = window;
    const { numbers } = generation;
    const next =
      next_offset === null || end_line === null ? null : end_line + (window.content.endsWith('\n') ? 1 : 0);
    const shown = { start_line: numbers.shownOrNull(start_line), end_line: numbers.shownOrNull(end_line) };
    return {
      ...fields,
      ...window,
      ...shown,
      start_offset: start_line === null ? null : window.offset,
      truncated: window.bytes_shown < generation.size || generation.gaps.length > 0 || generation.isGrowing,
      next_start_line: numbers.shownOrNull(next),
      ...noteOf(
        generation.notes(shown.start_line ?? 1, (next_offset === null ? null : shown.end_line) ?? undefined),
      ),
    };
  });
}
