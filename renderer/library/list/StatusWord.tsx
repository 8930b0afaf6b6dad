/** A command's outcome, and the agent that ran it. */

import { agentName } from '../../../shared/agent-names.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { Icon } from '../../ui/text/Icon.tsx';
import { STATUS, shortStatusWord, statusWord } from '../artifact-facts.ts';
import styles from './StatusWord.module.css';

export function StatusWord({ artifact, short = false }: { artifact: Artifact; short?: boolean }) {
  const { icon, tone } = STATUS[artifact.status];
  return (
    <span className={`${styles.status} ${styles[tone]}`} data-outcome="" title={statusWord(artifact)}>
      <Icon name={icon} />
      <span data-word="">{short ? shortStatusWord(artifact) : statusWord(artifact)}</span>
    </span>
  );
}

/** Shows an agent's mark: two letters in a frame, with its name on hover. */
export function AgentBadge({ agent }: { agent: string }) {
  const { title, mark } = agentName(agent);
  return (
    <span className={styles.badge} title={title} aria-hidden="true">
      {mark}
    </span>
  );
}
