/** The dialogs over an artifact. To add one, add its component here. */
import { LongLineDialog } from '../../viewer/panels/LongLineDialog.tsx';
import { CopyDialog } from '../../viewer/selection/CopyDialog.tsx';
import type { ShownArtifact } from '../use-shown-artifact.ts';

export function Dialogs({ shown: { viewer, long, closeLong } }: { shown: ShownArtifact }) {
  const generation = viewer.opened.snapshot.state?.generation ?? null;
  return (
    <>
      <LongLineDialog long={long} generation={generation} onClose={closeLong} />
      <CopyDialog copy={viewer.copy} />
    </>
  );
}
