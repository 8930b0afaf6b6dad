/** Resolves an id or path, named by a person or an agent, to the document that shows it. */
import { basename } from 'node:path';
import type { DocumentRef } from '../../../../shared/api/rows.ts';
import { mergedId } from '../../../../shared/artifact.ts';
import { readFormatChoice } from '../../../../shared/log-format.ts';
import type { Target } from '../../../../shared/views.ts';
import type { Library } from '../../../library/library.ts';
import { encodingNamed } from '../../../reader/bytes/encoding.ts';
import type { UnpackOptions } from '../../../reader/gzip/compression.ts';
import type { Pool } from '../../../workers/pool.ts';
import type { Access } from '../../host.ts';
import type { PathOpener } from '../../library/opened.ts';
import type { LiveSettings } from '../../settings/config.ts';
import type { Document, Documents } from '../document.ts';
import type { Reading } from '../generation.ts';
import { FileOrigin } from '../origins/file-origin.ts';
import { MergedOrigin } from '../origins/merged-origin.ts';
import type { OwnCaptures } from './own-captures.ts';
import { pathOfTarget } from './path-of-target.ts';

interface TargetDocumentsOptions {
  library: Library;
  opening: PathOpener;
  captures: OwnCaptures;
  documents: Documents;
  text: { pool: Pool; unpack: UnpackOptions };
  live: Pick<LiveSettings, 'fieldPatterns'>;
}

export class TargetDocuments {
  readonly #options: TargetDocumentsOptions;
  /** Paths by watched id: a replaced file has a new id, while its window has the old one. */
  readonly #watchedIds = new Map<string, string>();

  constructor(options: TargetDocumentsOptions) {
    this.#options = options;
  }

  /** Throws `usage`, `not_found`, `not_a_file` and `no_permission`; `cancelled` once all documents are closed. */
  async get(
    target: Target & Partial<Pick<DocumentRef, 'merged' | 'log_format' | 'log_formats'>>,
    access: Access,
  ): Promise<Document> {
    if (target.merged && access === 'person')
      return this.#mergedDocument(target.merged, target.log_formats ?? {});
    const reading = {
      encoding: target.encoding === undefined ? undefined : encodingNamed(target.encoding),
      format: target.log_format === undefined ? undefined : readFormatChoice(target.log_format),
      fieldPatterns: this.#options.live.fieldPatterns,
    };
    const captured = await this.#options.captures.document(target, access, reading);
    if (captured) return captured;
    return this.#fileDocument(await this.#path(target, access), reading, target.as_text ?? false);
  }

  /** The same, remembered under the window's id. */
  async watchable(ref: DocumentRef, access: Access): Promise<Document> {
    const document = await this.get(ref, access);
    this.#watchedIds.set(ref.artifact_id, document.path);
    return document;
  }

  async #path(target: Target, access: Access): Promise<string> {
    const { library, opening, documents } = this.#options;
    const taken = opening.takenCount;
    try {
      return await pathOfTarget(target, access, library);
    } catch (error) {
      const watched = access === 'person' && this.#watchedIds.get(target.artifact_id ?? '');
      if (watched && documents.watchedAt(watched)) return watched;
      // The inspector may have opened it since or during the last look, or its source is still being listed.
      const isNew = (await opening.take()) !== taken;
      if (!(await library.listed()) && !isNew) throw error;
      return pathOfTarget(target, access, library);
    }
  }

  #mergedDocument(ids: readonly string[], formats: Record<string, string>): Document {
    const { documents, text } = this.#options;
    const id = mergedId(ids);
    const targets = ids.map((artifact_id) => ({ artifact_id, log_format: formats[artifact_id] }));
    const members = () => Promise.all(targets.map((target) => this.get(target, 'person')));
    const key = JSON.stringify(['merged', targets]);
    return documents.get(key, id, () => ({
      asText: false,
      pool: text.pool,
      origin: new MergedOrigin(id, members, text.pool),
    }));
  }

  #fileDocument(path: string, reading: Reading, asText: boolean): Document {
    const { library, documents, text } = this.#options;
    const { encoding } = reading;
    return documents.get(JSON.stringify([path, reading, asText]), path, () => ({
      asText,
      pool: text.pool,
      origin: new FileOrigin(path, {
        ...text,
        reading,
        frame() {
          const kind = library.kindAt(path);
          return kind?.frame && ((ends) => kind.frame!(ends, basename(path)));
        },
        describe: (file, stats) => library.describe(file, stats),
        counted: (_, generation) => {
          // The list shows the detected type, not the encoding of one request.
          if (encoding !== undefined) return;
          library.learn(path, {
            fileSize: generation.fileSize,
            mtimeMs: generation.mtimeMs,
            total_lines: generation.lines,
            total_bytes: generation.size,
            content_type: generation.contentType,
          });
        },
      }),
    }));
  }
}
