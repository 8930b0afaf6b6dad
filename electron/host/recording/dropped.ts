/**
 * Records files that were dropped into a browser's window. A page in a browser is given their bytes, but not their
 * paths, so they are copied into captures, piece by piece.
 */
import { Buffer } from 'node:buffer';
import type { ReceivedParams, RequestResult } from '../../../shared/api/api.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { type Recording, startRecording } from '../../recorder/streams/recording.ts';
import { loadConfig } from '../settings/config.ts';
import { openRecordingHome } from './run-request.ts';

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
