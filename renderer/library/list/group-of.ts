/** Says which group of the list an artifact belongs to: its agent's session, its session, or its source. */
import { AGENT_NAMES, agentName } from '../../../shared/agents/agent-names.ts';
import { type AgentMark, type Artifact, CAPTURES_SOURCE } from '../../../shared/artifact.ts';
import { escapeLine } from '../../../shared/text/escape.ts';
import { pathOf } from '../artifact-look.ts';

export type GroupBy = 'session' | 'source' | 'nothing';

/** The text of a heading. */
export interface GroupLabel {
  label: string;
  /** The end of the agent's session, which tells it from others. */
  session: string | null;
  /** The agent whose mark the heading shows. */
  agent: string | null;
  /** Groups of one agent lie together, and in them those of one project. */
  above: readonly string[];
}

/** Artifacts that belong to no session, or are not grouped at all. */
export const NO_GROUP = '';
/** The group of files that a person opened one by one: each is its own source. */
const OPENED = 'opened';
/** Characters of an agent's session that tell it from others. */
const SESSION_CHARS = 6;

export function groupKeyOf(artifact: Artifact, groupBy: GroupBy): string {
  if (groupBy === 'nothing') return NO_GROUP;
  if (groupBy === 'session' && artifact.agent) return agentKey(artifact.agent);
  if (groupBy === 'session' && artifact.session !== null) return `session ${artifact.session}`;
  // Files of a folder are a group of their own: a large one would bury what belongs to no session.
  if (groupBy === 'session' && !isInFolder(artifact)) return NO_GROUP;
  if (artifact.source === null) return NO_GROUP;
  return isOpenedFile(artifact) ? OPENED : `source ${artifact.source}`;
}

export function labelOf(artifact: Artifact, groupBy: GroupBy): GroupLabel {
  const { agent, session, source } = artifact;
  if (groupBy === 'session' && agent) return agentLabel(agent);
  if (groupBy === 'session' && !isInFolder(artifact)) return plain(session ?? 'No session');
  if (source === null) return plain('No source');
  if (isOpenedFile(artifact)) return plain('Opened files');
  if (Object.hasOwn(AGENT_NAMES, source)) return { ...plain(agentName(source).title), agent: source };
  return plain(source === CAPTURES_SOURCE ? 'Captures' : source);
}

/** True for a file that was found in a folder and belongs to no agent. */
export function isInFolder(artifact: Artifact): boolean {
  return (
    artifact.kind === 'file' &&
    artifact.agent === null &&
    artifact.session === null &&
    artifact.source !== null &&
    !isOpenedFile(artifact)
  );
}

/** True for a file that was opened by its own path, not found in a folder. */
export function isOpenedFile(artifact: Artifact): boolean {
  return artifact.kind === 'file' && artifact.source !== null && artifact.source === pathOf(artifact);
}

/** `api`: the last folder of a project, which may be an agent's name for it. */
export function projectName(project: string): string {
  return project.split(/[\\/]/).filter(Boolean).at(-1) ?? project;
}

function agentKey({ name, project, session }: AgentMark): string {
  return session === null ? `agent ${name} in ${project ?? ''}` : `agent ${name} ${session}`;
}

function agentLabel({ name, project, session }: AgentMark): GroupLabel {
  const { title } = agentName(name);
  const label = project === null ? title : `${title} · ${projectName(project)}`;
  return {
    ...plain(label),
    session: session && escapeLine(shortSession(session)),
    agent: name,
    above: [name, project ?? ''],
  };
}

/** Sessions made at one time begin alike, unless they are random. */
function shortSession(session: string): string {
  const isRandom = /^[0-9a-f]{8}-[0-9a-f]{4}-4/.test(session);
  return isRandom ? session.slice(0, SESSION_CHARS) : session.slice(-SESSION_CHARS);
}

function plain(label: string): GroupLabel {
  return { label: escapeLine(label), session: null, agent: null, above: [] };
}
