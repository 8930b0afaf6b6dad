/** Lists the agents on this machine, and opens the chosen one. */

import { useCallback, useEffect, useState } from 'react';
import { type ClientState, lastSessionText, missingText } from '../../shared/agents/clients.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { Button } from '../ui/controls/Button.tsx';
import { Dialog } from '../ui/layout/Dialog.tsx';
import { Problem } from '../ui/layout/Message.tsx';
import { sentence } from '../ui/text/format.ts';
import { AgentSettings } from './AgentSettings.tsx';
import styles from './AgentsDialog.module.css';

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
