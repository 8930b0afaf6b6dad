/** Describes a stream beside its preview (CONTRACT 6), and says how much a preview may show. */
import type { StreamHead } from '../../../shared/recording.ts';
import { PREVIEW_BYTES } from '../../../shared/setting-rules.ts';
import type { PreviewSize, Settings } from '../../../shared/settings.ts';
import { binaryNote } from '../../reader/text/content-type.ts';
import type { RecordedStreamName } from '../../recorder/streams/outcome.ts';
import { cutPreview, type Preview, type PreviewLimits } from '../../recorder/streams/preview.ts';
import type { FinishedStream } from '../../recorder/streams/recorded-stream.ts';

/** Limits from `run_command`'s arguments. Missing ones come from the settings. */
export interface PreviewLimitsAsked {
  maxOutputLines?: number | undefined;
  maxErrorLines?: number | undefined;
  previewSize?: PreviewSize | undefined;
  includeFullOutput?: boolean | undefined;
}

/** A line limit that was asked for, or the full output, lifts the byte budget to that of a reply. */
function limitsOf(stream: RecordedStreamName, asked: PreviewLimitsAsked, settings: Settings): PreviewLimits {
  const lines = stream === 'stderr' ? asked.maxErrorLines : asked.maxOutputLines;
  const usual = stream === 'stderr' ? settings.maxErrorLines : settings.maxOutputLines;
  const isLifted = asked.includeFullOutput === true || lines !== undefined;
  return {
    bytes: isLifted
      ? settings.maxReplyBytes
      : Math.min(settings.maxReplyBytes, PREVIEW_BYTES[asked.previewSize ?? settings.previewSize]),
    lines: lines ?? (asked.includeFullOutput ? Number.MAX_SAFE_INTEGER : usual),
    collapseProgress: settings.collapseProgress,
  };
}

export function previewOf(stream: FinishedStream, asked: PreviewLimitsAsked, settings: Settings): Preview {
  return cutPreview(stream, limitsOf(stream.name, asked, settings));
}

export function streamHead(stream: FinishedStream, preview: Preview): StreamHead {
  return {
    file_path: stream.file_path,
    total_lines: stream.total_lines,
    total_bytes: stream.total_bytes,
    returned_lines: preview.returned_lines,
    returned_bytes: preview.returned_bytes,
    truncated: preview.truncated,
    dropped_bytes: stream.dropped_bytes,
    content_type: stream.content_type,
    ...(stream.content_type === 'binary'
      ? { note: binaryNote(stream.sample.head, stream.total_bytes, 'tool') }
      : {}),
  };
}
