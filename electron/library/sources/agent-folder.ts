/** The fields that the kinds of agents' folders share. */
import { AGENT_NAMES, type AgentId } from '../../../shared/agents/agent-names.ts';
import type { SourceKind } from './source.ts';

export function agentFolder(id: AgentId): Pick<SourceKind, 'name' | 'title' | 'agent' | 'isDirectory'> {
  return { name: id, title: AGENT_NAMES[id].title, agent: id, isDirectory: true };
}
