/** Shows the choices for one agent, the exact change they make, and the button that makes it. */

import { useState } from 'react';
import type { ClientState, RecordMode } from '../../shared/agents/clients.ts';
import { Button } from '../ui/controls/Button.tsx';
import { Dialog } from '../ui/layout/Dialog.tsx';
import { Problem } from '../ui/layout/Message.tsx';
import styles from './AgentsDialog.module.css';
import { ChangeView, Outcome, useChange } from './ChangeView.tsx';

interface AgentSettingsProps {
  agent: ClientState;
  /** Called after the agent's configuration was changed. */
  onChanged: () => void;
  onBack: () => void;
  onClose: () => void;
}

export function AgentSettings({ agent, onChanged, onBack, onClose }: AgentSettingsProps) {
  const [record, setRecord] = useState<RecordMode | null>(agent.record);
  const [proxied, setProxied] = useState(
    agent.servers.filter((each) => each.proxied).map(({ name }) => name),
  );
  const [removes, setRemoves] = useState(false);
  const { client } = agent;
  const { shown, done, busy, problem, agree } = useChange(
    removes ? { action: 'remove', client } : { action: 'connect', client, record, proxied },
    onChanged,
  );
  const canRemove = agent.state !== 'not connected' || agent.servers.some((server) => server.proxied);
  const nothing = shown !== null && shown.changes.length === 0 && shown.record === shown.record_before;
  const title = removes ? `Remove Spillway from ${agent.name}` : `Connect ${agent.name}`;

  if (done)
    return (
      <Dialog
        open
        onClose={onClose}
        title={agent.name}
        wide
        footer={
          <Button tone="primary" onClick={onBack}>
            Back to the list
          </Button>
        }
      >
        <Outcome result={done} removed={removes} />
      </Dialog>
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      wide
      footer={
        <>
          {canRemove && !removes && (
            <Button className={styles.remove} onClick={() => setRemoves(true)}>
              Remove Spillway…
            </Button>
          )}
          <Button onClick={() => (removes ? setRemoves(false) : onBack())}>Back</Button>
          <Button tone="primary" disabled={busy || nothing || shown === null} onClick={agree}>
            {busy && shown !== null ? 'Changing…' : removes ? 'Remove' : 'Make this change'}
          </Button>
        </>
      }
    >
      {!removes && (
        <>
          <Recording agent={agent} record={record} onRecord={setRecord} />
          {agent.servers.length > 0 && <Proxied agent={agent} proxied={proxied} onProxied={setProxied} />}
        </>
      )}
      <Problem text={problem} />
      {shown !== null && <ChangeView result={shown} />}
    </Dialog>
  );
}

interface RecordingProps {
  agent: ClientState;
  record: RecordMode | null;
  onRecord: (record: RecordMode | null) => void;
}

const MODES: ReadonlyArray<{ mode: RecordMode | null; name: string; what: string }> = [
  { mode: null, name: 'MCP server only', what: 'The commands it runs in its own shell are not recorded.' },
  {
    mode: 'record',
    name: 'Record its commands',
    what: 'Each command runs in the same shell as before. The agent sees the same bytes; Spillway keeps all of them.',
  },
  {
    mode: 'preview',
    name: 'Record its commands, preview long output',
    what: 'As above, but output over 24 KiB reaches the agent as a preview: its beginning, the lines that explain a failure, its end, and how to read the rest.',
  },
];

function Recording({ agent, record, onRecord }: RecordingProps) {
  const { not_recordable: why } = agent;
  if (why !== null)
    return <p className={styles.hint}>Its commands are not recorded: {why}. It gets the MCP server only.</p>;
  return (
    <fieldset className={styles.choices}>
      <legend>What Spillway does for {agent.name}</legend>
      {MODES.map(({ mode, name, what }) => (
        <label key={name} className={styles.choice}>
          <input type="radio" name="record" checked={record === mode} onChange={() => onRecord(mode)} />
          <span>
            {name}
            <span className={styles.hint}>{what}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface ProxiedProps {
  agent: ClientState;
  proxied: readonly string[];
  onProxied: (names: string[]) => void;
}

function Proxied({ agent, proxied, onProxied }: ProxiedProps) {
  const toggle = (name: string) =>
    onProxied(proxied.includes(name) ? proxied.filter((each) => each !== name) : [...proxied, name]);
  return (
    <fieldset className={styles.choices}>
      <legend>Its MCP servers whose long responses are captured</legend>
      {agent.servers.map(({ name }) => (
        <label key={name} className={styles.choice}>
          <input type="checkbox" checked={proxied.includes(name)} onChange={() => toggle(name)} />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
}
