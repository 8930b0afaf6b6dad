/** Keeps a document's current text readable for longer than a request. */
import type { Artifact } from '../../../../shared/artifact.ts';
import type { Document } from '../document.ts';
import type { Generation } from '../generation.ts';

export interface HeldText {
  document: Document;
  generation: Generation;
  artifact: Artifact;
  release(): void;
}

/** Throws like `Document.use`. */
export function holdText(document: Document): Promise<HeldText> {
  return new Promise((resolve, reject) => {
    let release = () => {};
    let isHeld = false;
    const released = new Promise<void>((done) => {
      release = done;
    });
    document
      .use('nothing', async (generation, artifact) => {
        // The text changed meanwhile, and this runs again: release the earlier one.
        if (isHeld) return;
        isHeld = true;
        resolve({ document, generation, artifact, release });
        await released;
      })
      .catch(reject);
  });
}
