/** Spillway's own captures in a host: in its catalogue, and as documents. */
import { join } from 'node:path';
import { isFileId } from '../../../../shared/artifact-names.ts';
import type { Target } from '../../../../shared/views.ts';
import type { Catalogue } from '../../../library/catalogue/catalogue.ts';
import { type CapturesWatch, watchCaptures } from '../../../library/watching/watch-captures.ts';
import { Captures } from '../../../store/captures.ts';
import type { KnownRecord } from '../../../store/format/folder.ts';
import type { Access } from '../../host.ts';
import type { Document } from '../document.ts';
import type { Documents } from '../documents.ts';
import type { CaptureGenerationOptions } from '../origins/capture-generation.ts';
import { CaptureOrigin } from '../origins/capture-origin.ts';
import { captureOfTarget } from './capture-of-target.ts';

interface OwnCapturesOptions {
  home: string;
  retentionHours: number;
  watch: boolean;
  catalogue: Catalogue;
  documents: Documents;
  text: Omit<CaptureGenerationOptions, 'encoding'>;
}

export class OwnCaptures {
  readonly captures: Captures;
  readonly #options: OwnCapturesOptions;
  #watch: CapturesWatch | null = null;

  constructor(options: OwnCapturesOptions) {
    const { home, retentionHours, catalogue } = options;
    this.#options = options;
    this.captures = new Captures({
      home,
      retentionHours,
      onPut: (artifact) => catalogue.put(artifact),
      onRemove: (id) => catalogue.remove(id),
    });
  }

  /** If changes are followed, captures enter the catalogue over time. */
  start(): void {
    if (this.#options.watch) this.#watch = watchCaptures(this.captures);
  }

  /** Resolves when all captures were read, which following them does anyway. */
  async knownRecord(): Promise<KnownRecord> {
    if (this.#watch) await this.captures.refresh();
    return this.captures.knownRecord;
  }

  /**
   * Returns the document of the target's stream; null if the target is a file. Throws `usage` for a stream the capture
   * lacks.
   */
  async document(target: Target, access: Access, encoding: string | undefined): Promise<Document | null> {
    const { documents, text } = this.#options;
    const { artifact_id, file_path, stream, as_text: asText = false } = target;
    const key = JSON.stringify(['capture', artifact_id, file_path, stream, encoding, asText]);
    const place = captureOfTarget(target, this.captures);
    if (!place) {
      // List all captures before reporting an unknown id and its nearest neighbours.
      if (artifact_id !== undefined && !isFileId(artifact_id)) await this.captures.refresh();
      return access === 'person' ? documents.watched(key) : null;
    }
    return documents.get(key, join(place.folder, place.id), () => ({
      asText,
      pool: text.pool,
      origin: new CaptureOrigin(place, { ...text, encoding }),
    }));
  }

  close(): void {
    this.#watch?.close();
  }
}
