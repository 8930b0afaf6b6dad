/** Returns the group of an artifact in the list: its agent's session, its session, or its source. */
import { AGENT_NAMES, agentName } from '../../../shared/agents/agent-names.ts';
import { type AgentMark, type Artifact, CAPTURES_SOURCE } from '../../../shared/artifact.ts';
import { escapeLine } from '../../../shared/text/escape.ts';
import { pathOf } from '../artifact-look.ts';

/** In the order in which a key steps through them. */
export const GROUPINGS = ['session', 'source', 'nothing'] as const;

export type GroupBy = (typeof GROUPINGS)[number];

/** The text of a heading. */
export interface GroupLabel {
  label: string;
  /** The end of the agent's session id, which distinguishes it. */
  session: string | null;
  /** The agent whose badge the heading shows. */
  agent: string | null;
  /** Keys of enclosing groups: groups of one agent are adjacent, and in them those of one project. */
  above: readonly string[];
}

/** The key of artifacts without a session, or without grouping. */
export const NO_GROUP = '';
/** The group of files opened one by one, each of which is its own source. */
const OPENED = 'opened';
/** Characters of an agent's session id to show. */
const SESSION_CHARS = 6;

export function groupKeyOf(artifact: Artifact, groupBy: GroupBy): string {
  if (groupBy === 'nothing') return NO_GROUP;
  if (groupBy === 'session' && artifact.agent) return agentKey(artifact.agent);
  if (groupBy === 'session' && artifact.session !== null) return `session ${artifact.session}`;
  // Files of a folder form their own group, as a large one would hide artifacts without a session.
  if (groupBy === 'session' && !isInFolder(artifact)) return NO_GROUP;
  if (artifact.source === null) return NO_GROUP;
  return isOpenedFile(artifact) ? OPENED : `source ${artifact.source}`;
}

export function groupLabelOf(artifact: Artifact, groupBy: GroupBy): GroupLabel {
  const { agent, session, source } = artifact;
  if (groupBy === 'session' && agent) return agentLabel(agent);
  if (groupBy === 'session' && !isInFolder(artifact)) return plain(session ?? 'No session');
  if (source === null) return plain('No source');
  if (isOpenedFile(artifact)) return plain('Opened files');
  if (Object.hasOwn(AGENT_NAMES, source)) return { ...plain(agentName(source).title), agent: source };
  return plain(source === CAPTURES_SOURCE ? 'Captures' : source);
}

/** True for a file found in a folder, unless it belongs to an agent. */
export function isInFolder(artifact: Artifact): boolean {
  return (
    artifact.kind === 'file' &&
    artifact.agent === null &&
    artifact.session === null &&
    artifact.source !== null &&
    !isOpenedFile(artifact)
  );
}

/** True for a file opened by its own path. */
export function isOpenedFile(artifact: Artifact): boolean {
  return artifact.kind === 'file' && artifact.source !== null && artifact.source === pathOf(artifact);
}

/** Returns the last folder of a project (`api`), which may be an agent's name for it. */
function projectName(project: string): string {
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

/** Shortens a session id: a random one to its beginning, others to their end, as ids made at one time begin alike. */
function shortSession(session: string): string {
  const isRandom = /^[0-9a-f]{8}-[0-9a-f]{4}-4/.test(session);
  return isRandom ? session.slice(0, SESSION_CHARS) : session.slice(-SESSION_CHARS);
}

function plain(label: string): GroupLabel {
  return { label: escapeLine(label), session: null, agent: null, above: [] };
}
