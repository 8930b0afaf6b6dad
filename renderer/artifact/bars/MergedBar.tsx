/** Names the artifacts of a merged text in the colours of their lines, and links to them. */
import { mergedId } from '../../../shared/merged.ts';
import { nameOf } from '../../library/artifact-look.ts';
import type { LibraryStore } from '../../library/library-store.ts';
import { forgetMerged } from '../../library/merged/merged-texts.ts';
import { useArtifact } from '../../library/use-library.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { MiddleText } from '../../ui/words/MiddleText.tsx';
import { PART_COLOURS } from '../../viewer/text/RowLine.tsx';
import styles from './MergedBar.module.css';

interface MergedBarProps {
  ids: readonly string[];
  library: LibraryStore;
  onOpen: (artifactId: string) => void;
}

export function MergedBar({ ids, library, onOpen }: MergedBarProps) {
  const remove = () => {
    forgetMerged(mergedId(ids));
    onOpen(ids[0]!);
  };
  return (
    <div className={styles.bar}>
      <ul className={styles.parts} aria-label="Merged by time">
        {ids.map((id, index) => (
          <Part key={id} id={id} index={index} library={library} onOpen={onOpen} />
        ))}
      </ul>
      <Button
        tone="quiet"
        icon="close"
        iconOnly
        label="Remove the merged text from the list"
        onClick={remove}
      />
    </div>
  );
}

interface PartProps extends Omit<MergedBarProps, 'ids'> {
  id: string;
  index: number;
}

function Part({ id, index, library, onOpen }: PartProps) {
  const artifact = useArtifact(library, id);
  const name = artifact ? nameOf(artifact) : id;
  return (
    <li className={styles.part} data-part={index % PART_COLOURS}>
      <button type="button" className={styles.name} title={`Open ${name} alone`} onClick={() => onOpen(id)}>
        <MiddleText text={name} />
      </button>
    </li>
  );
}
