/** What is said about a stream beside its preview (CONTRACT 6), and how much of it a preview may show. */
import type { StreamHead } from '../../../shared/recording.ts';
import { PREVIEW_BYTES, type PreviewSize, type Settings } from '../../../shared/settings.ts';
import { cutPreview, type Preview, type PreviewLimits } from '../../recorder/preview/preview.ts';
import type { FinishedStream, RecordedStreamName } from '../../recorder/streams/recorded-stream.ts';

/** As `run_command` has them; what is not given comes from the settings. */
export interface PreviewWishes {
  maxOutputLines?: number | undefined;
  maxErrorLines?: number | undefined;
  previewSize?: PreviewSize | undefined;
  includeFullOutput?: boolean | undefined;
}

/** A line limit that was asked for, or the full output, lifts the byte budget to that of a reply. */
export function limitsOf(
  stream: RecordedStreamName,
  wishes: PreviewWishes,
  settings: Settings,
): PreviewLimits {
  const asked = stream === 'stderr' ? wishes.maxErrorLines : wishes.maxOutputLines;
  const usual = stream === 'stderr' ? settings.maxErrorLines : settings.maxOutputLines;
  const isLifted = wishes.includeFullOutput === true || asked !== undefined;
  return {
    bytes: isLifted
      ? settings.maxReplyBytes
      : Math.min(settings.maxReplyBytes, PREVIEW_BYTES[wishes.previewSize ?? settings.previewSize]),
    lines: asked ?? (wishes.includeFullOutput ? Number.MAX_SAFE_INTEGER : usual),
    collapseProgress: settings.collapseProgress,
  };
}

export function previewOf(stream: FinishedStream, wishes: PreviewWishes, settings: Settings): Preview {
  return cutPreview(stream, limitsOf(stream.name, wishes, settings));
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
  };
}
