/** The agents that Spillway knows: their names and short marks, by id. */

interface AgentName {
  readonly title: string;
  /** Two or three letters that stand for it in the list. */
  readonly mark: string;
}

export const AGENT_NAMES = {
  'claude-code': { title: 'Claude Code', mark: 'CC' },
  codex: { title: 'Codex', mark: 'Cx' },
  gemini: { title: 'Gemini CLI', mark: 'Ge' },
  opencode: { title: 'opencode', mark: 'oc' },
  kilo: { title: 'Kilo CLI', mark: 'Ki' },
  copilot: { title: 'Copilot CLI', mark: 'Co' },
  qwen: { title: 'Qwen Code', mark: 'Qw' },
  kimi: { title: 'Kimi Code', mark: 'Km' },
  droid: { title: 'Droid', mark: 'Dr' },
  pi: { title: 'pi', mark: 'pi' },
  cline: { title: 'Cline', mark: 'Cl' },
  cursor: { title: 'Cursor', mark: 'Cu' },
  vscode: { title: 'VS Code Copilot', mark: 'VS' },
  roo: { title: 'Roo Code', mark: 'Ro' },
  goose: { title: 'Goose', mark: 'Go' },
  amp: { title: 'Amp', mark: 'Am' },
} as const satisfies Readonly<Record<string, AgentName>>;
export type AgentId = keyof typeof AGENT_NAMES;

export function isAgentId(id: string): id is AgentId {
  return Object.hasOwn(AGENT_NAMES, id);
}

/** Returns the agent's name and mark; derives those of an unknown agent from its id. */
export function agentName(id: string): AgentName {
  if (isAgentId(id)) return AGENT_NAMES[id];
  return { title: id, mark: id.slice(0, 2) };
}
