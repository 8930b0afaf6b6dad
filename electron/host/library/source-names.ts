/** Names the agents with a kind of source. An agent that can only be connected, such as Amp, is none of them. */
import { agentKinds } from '../../library/sources/kinds.ts';

export const AGENT_SOURCE_NAMES: readonly string[] = agentKinds.map(({ name }) => name);
