/** Names the artifacts of a merged text, each with the colour of its lines. */
import { nameOf } from '../../library/artifact-look.ts';
import type { LibraryStore } from '../../library/library-store.ts';
import { useArtifact } from '../../library/use-library.ts';
import { MiddleText } from '../../ui/words/MiddleText.tsx';
import { PART_COLOURS } from '../../viewer/text/RowLine.tsx';
import styles from './MergedBar.module.css';

export function MergedBar({ ids, library }: { ids: readonly string[]; library: LibraryStore }) {
  return (
    <ul className={styles.bar} aria-label="Merged by time">
      {ids.map((id, index) => (
        <Part key={id} id={id} index={index} library={library} />
      ))}
    </ul>
  );
}

function Part({ id, index, library }: { id: string; index: number; library: LibraryStore }) {
  const artifact = useArtifact(library, id);
  const name = artifact ? nameOf(artifact) : id;
  return (
    <li className={styles.part} data-part={index % PART_COLOURS} title={name}>
      <MiddleText text={name} />
    </li>
  );
}
