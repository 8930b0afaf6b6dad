/** Declares the origin of a document's text: a file (file-origin.ts) or a stream of a capture (capture-origin.ts). */
import type { Artifact, StreamName } from '../../../../shared/artifact.ts';
import type { Generation } from '../generation.ts';

export interface Origin {
  readonly stream: StreamName;
  /**
   * Compares the file with `held`, the text read before. Resolves with null if nothing changed, and with `held`,
   * perhaps grown, if it is the same text. Throws system errors or a SpillwayError.
   */
  look(held: Generation | null): Promise<Looked | null>;
  /** The line count of the whole stream became known. */
  counted?(artifact: Artifact, generation: Generation): void;
}

export interface Looked {
  generation: Generation;
  artifact: Artifact;
  /** A sentence for the person about a change of the text; null without one. */
  notice: string | null;
}
