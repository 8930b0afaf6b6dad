/** Keeps a document's present text readable for longer than a request. */
import type { Artifact } from '../../../../shared/artifact.ts';
import type { Document } from '../document.ts';
import type { Generation } from '../generation.ts';

export interface HeldText {
  document: Document;
  generation: Generation;
  artifact: Artifact;
  release(): void;
}

/** Throws as `Document.use` does. */
export function holdText(document: Document): Promise<HeldText> {
  return new Promise((resolve, reject) => {
    let release = () => {};
    let isHeld = false;
    const released = new Promise<void>((done) => {
      release = done;
    });
    document
      .use('nothing', async (generation, artifact) => {
        // Asked again when the text changed meanwhile: this one is given back.
        if (isHeld) return;
        isHeld = true;
        resolve({ document, generation, artifact, release });
        await released;
      })
      .catch(reject);
  });
}
