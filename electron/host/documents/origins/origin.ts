/** Where a document's text comes from: a file (file-origin.ts), or a stream of a capture (capture-origin.ts). */
import type { Artifact, StreamName } from '../../../../shared/artifact.ts';
import type { Generation } from '../generation.ts';

export interface Origin {
  readonly stream: StreamName;
  /**
   * What is there now; null when it is as it was. Throws what the system throws, or a SpillwayError.
   *
   * @param held what was read before: given back, perhaps grown, while it is the same text
   */
  look(held: Generation | null): Promise<Looked | null>;
  /** The line count of the whole stream became known. */
  counted?(artifact: Artifact, generation: Generation): void;
}

export interface Looked {
  generation: Generation;
  artifact: Artifact;
  /** What happened to the text, in a sentence, when a person should know. */
  notice: string | null;
}
