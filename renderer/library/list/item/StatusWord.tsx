/** Shows a command's outcome: an icon, a word and a colour. */
import type { Artifact } from '../../../../shared/artifact.ts';
import { Icon } from '../../../ui/words/Icon.tsx';
import { STATUS, shortStatusWord, statusWord } from '../../artifact-look.ts';
import styles from './StatusWord.module.css';

export function StatusWord({ artifact, short = false }: { artifact: Artifact; short?: boolean }) {
  const { icon, tone } = STATUS[artifact.status];
  return (
    <span
      className={`${styles.status} ${styles[tone]}`}
      data-outcome=""
      title={short ? statusWord(artifact) : undefined}
    >
      <Icon name={icon} />
      {short ? shortStatusWord(artifact) : statusWord(artifact)}
    </span>
  );
}
