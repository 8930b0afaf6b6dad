/** Lists the agents on this machine, and opens the chosen one. */

import { useCallback, useEffect, useState } from 'react';
import { type ClientState, lastSessionText, missingText, type RecordMode } from '../../shared/agents.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { Button } from '../ui/controls/Button.tsx';
import { Dialog } from '../ui/layout/Dialog.tsx';
import { Problem } from '../ui/layout/Message.tsx';
import { sentence } from '../ui/text/format.ts';
import styles from './AgentsDialog.module.css';
import { ChangeView, Outcome, useChange } from './ChangeView.tsx';

export function AgentsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return open ? <OpenDialog onClose={onClose} /> : null;
}

function OpenDialog({ onClose }: { onClose: () => void }) {
  const { clients, problem, reload } = useClients();
  const [chosenId, choose] = useState<string | null>(null);
  const chosen = clients?.find(({ client }) => client === chosenId);
  if (chosen)
    return <AgentSettings agent={chosen} onChanged={reload} onBack={() => choose(null)} onClose={onClose} />;
  const here = clients?.filter(({ installed }) => installed) ?? [];
  const others = clients?.filter(({ installed }) => !installed) ?? [];
  return (
    <Dialog open onClose={onClose} title="Connect agents" wide>
      <p className={styles.intro}>
        A connected agent runs commands, searches and reads output through Spillway. If you choose so,
        Spillway also records the commands it runs in its own shell.
      </p>
      <Problem text={problem} />
      {here.length > 0 && (
        <ul className={styles.agents} aria-label="Agents on this machine">
          {here.map((agent) => (
            <Row key={agent.client} agent={agent} onChoose={() => choose(agent.client)} />
          ))}
        </ul>
      )}
      {clients !== null && here.length === 0 && (
        <p>No agent that Spillway knows was found on this machine.</p>
      )}
      {others.length > 0 && (
        <p className={styles.others}>
          Not found here: {others.map(({ name }) => name).join(', ')}. Spillway also works with any other MCP
          client: see <code>spillway mcp --help</code>.
        </p>
      )}
    </Dialog>
  );
}

/** Commands that are named of those which were not recorded. */
const NAMED_COMMANDS = 5;

const RECORDED: Record<NonNullable<ClientState['record']>, string> = {
  record: 'commands recorded',
  preview: 'commands recorded, with previews',
};

function Row({ agent, onChoose }: { agent: ClientState; onChoose: () => void }) {
  const { name, state, record, record_limit: limit, servers, last_session: last } = agent;
  const missing = last && missingText(last, NAMED_COMMANDS);
  const proxied = servers.filter((server) => server.proxied).map((server) => server.name);
  const facts = [
    record && (limit === null ? RECORDED[record] : `${RECORDED[record]} ${limit}`),
    proxied.length === 0 ? null : `behind the proxy: ${proxied.join(', ')}`,
  ].filter((fact) => fact !== null);
  return (
    <li className={styles.agent}>
      <span className={styles.name}>{name}</span>
      <span className={styles.state} data-state={state}>
        {agent.other_home === null ? STATES[state] : `Connected to another home (${agent.other_home})`}
        {facts.length > 0 && <span className={styles.facts}> · {facts.join(' · ')}</span>}
        {last !== null && (
          <span className={styles.last}>
            {sentence(lastSessionText(last))}
            {missing !== null && ` ${sentence(`not recorded: ${missing}`)}`}
          </span>
        )}
      </span>
      <Button onClick={onChoose} aria-label={`${LABELS[state]} ${name}`}>
        {LABELS[state]}…
      </Button>
    </li>
  );
}

const STATES: Record<ClientState['state'], string> = {
  connected: 'Connected',
  outdated: 'Connected, but its configuration has changed since',
  'not connected': 'Not connected',
};

const LABELS: Record<ClientState['state'], string> = {
  connected: 'Change',
  outdated: 'Reconnect',
  'not connected': 'Connect',
};

interface Clients {
  /** Null until they are known. */
  clients: readonly ClientState[] | null;
  problem: string | null;
  reload: () => void;
}

function useClients(): Clients {
  const connection = useConnection();
  const [clients, setClients] = useState<readonly ClientState[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const reload = useCallback(() => {
    connection?.request('clients', {}).then(
      (found) => {
        setClients(found);
        setProblem(null);
      },
      (error) => setProblem(sentence(toSpillwayError(error).message)),
    );
  }, [connection]);
  useEffect(reload, [reload]);
  return { clients, problem, reload };
}

interface AgentSettingsProps {
  agent: ClientState;
  /** Called after the agent's configuration was changed. */
  onChanged: () => void;
  onBack: () => void;
  onClose: () => void;
}

/** Shows the choices for one agent, the exact change they make, and the button that makes it. */
function AgentSettings({ agent, onChanged, onBack, onClose }: AgentSettingsProps) {
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
