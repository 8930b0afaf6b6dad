/** A command's previews, cut to the limits that are asked for now, and together to what one reply has room for. */
import type { PreviewPartWithContent, StreamHead } from '../../../shared/recording.ts';
import type { Settings } from '../../../shared/settings.ts';
import { type PreviewLimitsAsked, previewOf, streamHead } from '../../host/recording/heads.ts';
import type { RunResult } from '../../host/recording/run-request.ts';

interface Previews {
  parts: PreviewPartWithContent[];
  streams: Record<string, StreamHead>;
}

/** `maxBytes`: of all previews together. */
export function fitPreviews(
  result: RunResult,
  asked: PreviewLimitsAsked,
  settings: Settings,
  maxBytes: number,
): Previews {
  const cut = (budgets: readonly number[]) =>
    result.streams.map((stream, index) =>
      previewOf(stream, asked, { ...settings, maxReplyBytes: budgets[index]! }),
    );
  let previews = cut(result.streams.map(() => maxBytes));
  const sizes = previews.map((preview) => preview.returned_bytes);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  // Each gets half; what one does not need goes to the other.
  if (total > maxBytes && previews.length === 2) {
    const half = Math.floor(maxBytes / 2);
    const spare = sizes.map((size) => Math.max(0, half - size));
    previews = cut([half + spare[1]!, half + spare[0]!]);
  }
  return {
    parts: previews.flatMap((preview) => preview.parts),
    streams: Object.fromEntries(
      result.streams.map((stream, index) => [stream.name, streamHead(stream, previews[index]!)]),
    ),
  };
}
