/** Names the agents with a kind of source. An agent that can only be connected, such as Amp, is none of them. */
import { SpillwayError } from '../../../shared/errors.ts';
import { nearest } from '../../../shared/text/nearest.ts';
import { agentKinds } from '../../agents/agents.ts';

export const AGENT_SOURCE_NAMES: readonly string[] = agentKinds.map(({ name }) => name);

/** Throws `not_found`, with the names there are, for a name that no agent's source has. */
export function checkSourceName(name: string): void {
  if (AGENT_SOURCE_NAMES.includes(name)) return;
  const [near] = nearest(name, AGENT_SOURCE_NAMES, 1);
  throw new SpillwayError(
    'not_found',
    `there is no source ${JSON.stringify(name.slice(0, 200))}`,
    `${near ? `did you mean ${near}? The` : 'the'} sources are ${AGENT_SOURCE_NAMES.join(', ')}`,
  );
}
