/** Shows an agent's mark: two letters in a frame, with its name on hover. */
import { agentName } from '../../../../shared/agents/agent-names.ts';
import styles from './AgentBadge.module.css';

export function AgentBadge({ agent }: { agent: string }) {
  const { title, mark } = agentName(agent);
  return (
    <span className={styles.badge} title={title} aria-hidden="true">
      {mark}
    </span>
  );
}
