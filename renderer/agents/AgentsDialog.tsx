/** Lists the agents on this machine, and opens the chosen one. */
import { useCallback, useEffect, useState } from 'react';
import {
  type ClientChange,
  type ClientState,
  type ConnectResult,
  lastSessionText,
  missingText,
  type RecordMode,
} from '../../shared/agents.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { formatDuration } from '../../shared/text/format.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { Button } from '../ui/controls/Button.tsx';
import { Dialog } from '../ui/layout/Dialog.tsx';
import { Problem } from '../ui/layout/Message.tsx';
import { sentence } from '../ui/text/format.ts';
import { Icon } from '../ui/text/Icon.tsx';
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
  redact: 'commands recorded, secrets masked',
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
  /** Resolves when they are as they are now, or cannot be known. */
  reload: () => Promise<void>;
}

function useClients(): Clients {
  const connection = useConnection();
  const [clients, setClients] = useState<readonly ClientState[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const reload = useCallback(async () => {
    try {
      const found = await connection?.request('clients', {});
      if (found) setClients(found);
      setProblem(null);
    } catch (error) {
      setProblem(sentence(toSpillwayError(error).message));
    }
  }, [connection]);
  useEffect(() => void reload(), [reload]);
  return { clients, problem, reload };
}

interface AgentSettingsProps {
  agent: ClientState;
  /** Called after the agent's configuration was changed. Resolves when `agent` has the new one. */
  onChanged: () => Promise<void>;
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
  {
    mode: 'redact',
    name: 'Record its commands, mask secrets',
    what: 'Secrets in the output are masked before the agent sees it. Lines wait for that at most 100 ms. What is recorded is not masked.',
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

/** Shows the change that a choice makes to an agent's configuration, makes it, and reports how that went. */
type Change = ConnectResult['changes'][number];

function ChangeView({ result }: { result: ConnectResult }) {
  const { changes, notes, record, record_before: before } = result;
  const isSame = changes.length === 0 && record === before;
  return (
    <section aria-label="The change" className={styles.change}>
      <h3>{isSame ? 'Nothing changes' : 'This changes'}</h3>
      {record !== before && <p>{recordingWords(record)}</p>}
      {changes.map((change) => (
        <File key={change.path} change={change} />
      ))}
      {notes.map((note) => (
        <p key={note}>Note: {note}.</p>
      ))}
    </section>
  );
}

function recordingWords(record: ConnectResult['record']): string {
  if (record === null) return 'Its commands are no longer recorded.';
  if (record === 'preview') return 'Its commands are recorded, and long output reaches it as a preview.';
  return record === 'redact'
    ? 'Its commands are recorded, and their output reaches it with its secrets masked.'
    : 'Its commands are recorded, and all output reaches it unchanged.';
}

function File({ change: { path, made, removed, lines } }: { change: Change }) {
  return (
    <figure className={styles.file}>
      <figcaption className={styles.path}>
        {path}
        {(made || removed) && <span className={styles.what}> ({made ? 'new' : 'removed'})</span>}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, so keys must reach it */}
      <pre className={styles.lines} tabIndex={0}>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are never moved
          <span key={index} className={styles.line} data-sign={line[0]}>
            {`${line}\n`}
          </span>
        ))}
      </pre>
    </figure>
  );
}

/** Reports a change that was made: whether the server answers, and what the agent's own list says. */
function Outcome({ result, removed }: { result: ConnectResult; removed: boolean }) {
  const { name, handshake, notes, record } = result;
  if (removed) return <Line ok text={`${name} is as it was before.`} />;
  return (
    <div role="status">
      {handshake?.ok === false ? (
        <Line ok={false} text={`${name} has Spillway in its configuration, but cannot use it yet.`} />
      ) : (
        <Line ok text={`${name} is connected. It may have to be restarted.`} />
      )}
      {handshake && (
        <Line
          ok={handshake.ok}
          text={
            handshake.ok
              ? `The server answers in ${formatDuration(handshake.duration_ms)}, started as ${name} starts it.`
              : `The server does not answer: ${handshake.problem}.`
          }
        />
      )}
      {record !== null && (
        <Line
          ok
          text="Commands it runs from now on are recorded. SPILLWAY_OFF=1 in its environment stops that."
        />
      )}
      {notes.map((note) => (
        <Line key={note} ok text={`Note: ${note}.`} />
      ))}
    </div>
  );
}

function Line({ ok, text }: { ok: boolean; text: string }) {
  return (
    <p className={ok ? styles.outcomeLine : `${styles.outcomeLine} ${styles.failed}`}>
      <Icon name={ok ? 'check' : 'warn'} />
      <span>{text}</span>
    </p>
  );
}

/** Asks the host what a choice would change, and makes that change once the person agrees. */
type Choice = ClientChange extends infer Change
  ? Change extends unknown
    ? Omit<Change, 'agreed'>
    : never
  : never;

interface ChangeState {
  /** The change to agree to; null until it is known, and if it can't be made. */
  shown: ConnectResult | null;
  /** The change that was made. */
  done: ConnectResult | null;
  busy: boolean;
  problem: string | null;
  agree: () => void;
}

function useChange(choice: Choice, onChanged: () => Promise<void>): ChangeState {
  const connection = useConnection();
  const [shown, setShown] = useState<ConnectResult | null>(null);
  const [done, setDone] = useState<ConnectResult | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const asked = JSON.stringify(choice);

  useEffect(() => {
    if (!connection) return;
    const controller = new AbortController();
    setShown(null);
    setProblem(null);
    connection
      .request('changeClient', { ...(JSON.parse(asked) as Choice), agreed: null } as ClientChange, {
        signal: controller.signal,
      })
      .then(setShown, (error) => {
        if (!controller.signal.aborted) setProblem(sentence(toSpillwayError(error).message));
      });
    return () => controller.abort();
  }, [connection, asked]);

  const agree = () => {
    if (!connection || !shown || busy) return;
    setBusy(true);
    setProblem(null);
    connection
      .request('changeClient', { ...choice, agreed: shown.change_id } as ClientChange)
      .then(
        async (result) => {
          // Before one can go back and choose again, from what holds now.
          await onChanged();
          setDone(result);
        },
        (error) => setProblem(sentence(toSpillwayError(error).message)),
      )
      .finally(() => setBusy(false));
  };
  return { shown, done, busy, problem, agree };
}
