/** The dialogs over an artifact. To add one, add its component here. */
import { ExportDialog } from '../../export/ExportDialog.tsx';
import { HighlightersDialog } from '../../highlight/HighlightersDialog.tsx';
import { LongLineDialog } from '../../viewer/panels/LongLineDialog.tsx';
import { CopyDialog } from '../../viewer/selection/CopyDialog.tsx';
import { StopDialog } from '../stop/StopDialog.tsx';
import type { ShownArtifact } from '../use-shown-artifact.ts';

export function Dialogs({ shown }: { shown: ShownArtifact }) {
  const { exporting, highlighting, viewer, long, closeLong, stop, name } = shown;
  const generation = viewer.opened.snapshot.state?.generation ?? null;
  return (
    <>
      <LongLineDialog long={long} generation={generation} onClose={closeLong} />
      <CopyDialog copy={viewer.copy} />
      <ExportDialog exporting={exporting} />
      <HighlightersDialog open={highlighting.isOpen} onClose={() => highlighting.setOpen(false)} />
      <StopDialog stop={stop} name={name} />
    </>
  );
}
