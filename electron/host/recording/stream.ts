/** Records a stream that comes in, such as standard input, to its end. */
import { Buffer } from 'node:buffer';
import type { ReceivedParams, RequestResult } from '../../../shared/api/api.ts';
import type { ContentType, Kind } from '../../../shared/artifact.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { CaptureHead, PreviewPartWithContent } from '../../../shared/recording.ts';
import { responseBudget, wholeText } from '../../recorder/streams/recorded-stream.ts';
import { type Finished, type Recording, startRecording } from '../../recorder/streams/recording.ts';
import { DEFAULT_SESSION } from '../../store/format/names.ts';
import { loadConfig } from '../settings/config.ts';
import { openRecordingHome, previewOf, type RecordingHome } from './run-request.ts';

interface StreamOptions {
  kind?: Exclude<Kind, 'file'>;
  /** Its source in a word; its label. */
  source: string;
  session?: string | undefined;
  contentType?: ContentType | undefined;
  /** Most characters that come back inline, instead of `inlineThresholdChars`. */
  inlineThreshold?: number | undefined;
  /** Returns warnings for the record at its end, in sentences. */
  notes?: () => string[];
  /** Receives each chunk; the next one is read when the promise resolves. */
  onChunk?: (chunk: Uint8Array) => Promise<void> | null;
}

export interface Captured {
  head: CaptureHead;
  /** The stream, byte for byte, if it was small enough to come back; else null. */
  inline: Buffer | null;
  /** All that came is stored. */
  whole: boolean;
  /** The preview's parts, or the whole as one part. */
  parts: PreviewPartWithContent[];
  /** The parts joined by newlines; inline content exactly as given. */
  content: string;
}

/** Records until the stream ends. Rejects if reading fails, and keeps everything read before. */
export async function captureStream(
  place: RecordingHome,
  stream: AsyncIterable<Uint8Array>,
  options: StreamOptions,
): Promise<Captured> {
  const recording = startCapture(place, options);
  try {
    for await (const chunk of stream) {
      recording.write('output', chunk);
      await options.onChunk?.(chunk);
    }
  } catch (error) {
    await recording.finish({
      status: 'interrupted',
      warnings: [`reading it failed (${(error as Error).message})`],
    });
    throw error;
  }
  return captured(
    place,
    recording,
    await recording.finish({ status: 'finished', warnings: options.notes?.() ?? [] }),
  );
}

function startCapture(place: RecordingHome, options: StreamOptions): Recording {
  return startRecording({
    home: place.home,
    unrecorded: place.problem,
    settings: place.settings,
    session: options.session || process.env.SPILLWAY_SESSION || DEFAULT_SESSION,
    kind: options.kind ?? 'capture',
    label: options.source,
    command: null,
    args: null,
    cwd: null,
    envNames: null,
    streams: ['output'],
    contentType: options.contentType,
    budgets: { output: responseBudget(place.settings, options.inlineThreshold) },
  });
}

function captured(place: RecordingHome, recording: Recording, finished: Finished): Captured {
  const stream = finished.streams[0]!;
  const inline = stream.spilled ? null : stream.sample.head.subarray(0, stream.sample.totalBytes);
  const preview = inline === null ? previewOf(stream, {}, place.settings) : null;
  const content = inline ? wholeText(inline) : preview!.parts.map((part) => part.content).join('\n');
  const whole = { stream: stream.name, start_line: 1, end_line: stream.total_lines, content };
  return {
    head: {
      status: inline !== null ? 'inline' : finished.artifactId === null ? 'not_captured' : 'captured',
      truncated: preview?.truncated ?? false,
      artifact_id: finished.artifactId,
      file_path: stream.file_path,
      total_lines: stream.total_lines,
      total_bytes: stream.total_bytes,
      content_type: stream.content_type,
      warnings: recording.problem === null ? finished.warnings : [recording.problem, ...finished.warnings],
    },
    inline,
    whole: stream.whole,
    parts: preview?.parts ?? (content === '' ? [] : [whole]),
    content,
  };
}

type ResponseOptions = Omit<StreamOptions, 'onChunk'>;

/**
 * Records a tool's response: strings as they are, anything else as indented JSON. Resolves with the response if it is
 * short, else with a preview. A value without a JSON form (undefined, a function) counts as empty.
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

// Records files that were dropped into a browser's window. A page in a browser is given their bytes, but not their
// paths, so they are copied into captures, piece by piece.

/** Longest wait for the next piece; the window was closed or lost its connection. */
const SILENCE_MS = 60_000;
/** Most files at the same time. */
const MAX_FILES = 16;

interface Dropped {
  recording: Recording;
  timer: NodeJS.Timeout;
}

export class DroppedFiles {
  readonly #home: string;
  readonly #silenceMs: number;
  readonly #files = new Map<string, Dropped>();

  constructor(home: string, silenceMs = SILENCE_MS) {
    this.#home = home;
    this.#silenceMs = silenceMs;
  }

  async keepDropped({
    artifact_id: id,
    name,
    data,
    end,
  }: ReceivedParams<'keepDropped'>): Promise<RequestResult<'keepDropped'>> {
    const { artifactId, dropped } = id === null ? this.#begin(name) : this.#known(id);
    dropped.recording.write('output', Buffer.from(data, 'base64'));
    if (end) await this.#finish(artifactId, null);
    else dropped.timer.refresh();
    return { artifact_id: artifactId };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#files.keys()].map((id) => this.#finish(id, 'Spillway ended')));
  }

  #begin(name: string): { artifactId: string; dropped: Dropped } {
    if (this.#files.size >= MAX_FILES)
      throw new SpillwayError('busy', `${MAX_FILES} files are being copied`, 'wait for one of them');
    const place = openRecordingHome(this.#home, loadConfig(this.#home));
    const recording = startRecording({
      home: place.home,
      settings: place.settings,
      unrecorded: place.problem,
      session: 'dropped files',
      kind: 'capture',
      label: name,
      command: null,
      args: null,
      cwd: null,
      envNames: null,
      streams: ['output'],
    });
    const { artifactId } = recording;
    if (artifactId === null)
      throw new SpillwayError(
        'home',
        recording.problem ?? 'nothing can be recorded',
        'see `spillway doctor`',
      );
    const lost = () => void this.#finish(artifactId, 'its window was closed');
    const dropped = { recording, timer: setTimeout(lost, this.#silenceMs).unref() };
    this.#files.set(artifactId, dropped);
    return { artifactId, dropped };
  }

  #known(id: string): { artifactId: string; dropped: Dropped } {
    const dropped = this.#files.get(id);
    if (!dropped)
      throw new SpillwayError('not_found', `no file is being copied to ${id}`, 'drop the file again');
    return { artifactId: id, dropped };
  }

  async #finish(id: string, interruption: string | null): Promise<void> {
    const dropped = this.#files.get(id);
    if (!dropped) return;
    this.#files.delete(id);
    clearTimeout(dropped.timer);
    await dropped.recording.finish({
      status: interruption === null ? 'finished' : 'interrupted',
      warnings: interruption === null ? [] : [`the rest of the file was not copied: ${interruption}`],
    });
  }
}
