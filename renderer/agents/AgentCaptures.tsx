/**
 * The switches of agents' directories. At the first start it opens automatically, and explains what was found and what
 * each switch does.
 */

import { useCallback, useEffect, useRef, useState } from 'react';
import { toSpillwayError } from '../../shared/errors.ts';
import type { Rescue, Rescued, SourceChange, SourceInfo, SourceList } from '../../shared/sources.ts';
import { formatBytes, plural } from '../../shared/text/format.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { AgentBadge } from '../library/list/StatusWord.tsx';
import { Button } from '../ui/controls/Button.tsx';
import { ChoiceMenu } from '../ui/controls/ChoiceMenu.tsx';
import { Switch } from '../ui/controls/Field.tsx';
import { Dialog } from '../ui/layout/Dialog.tsx';
import { Problem } from '../ui/layout/Message.tsx';
import styles from './AgentCaptures.module.css';

const RESCUES: ReadonlyArray<{ value: Rescue; name: string; button: string }> = [
  { value: 'off', name: 'Keep nothing', button: 'Nothing' },
  { value: 'failed', name: 'Keep what failed', button: 'What failed' },
  { value: 'all', name: 'Keep everything', button: 'Everything' },
];

export function AgentCaptures({ captures }: { captures: CaptureSwitches }) {
  const done = useRef<HTMLButtonElement>(null);
  const { isOpen, isFirst, hide } = captures;
  const found = captures.list?.sources ?? [];
  return (
    <Dialog
      open={isOpen}
      onClose={hide}
      title={isFirst ? 'Agents on this machine' : 'Agents’ captures'}
      initialFocus={done}
      footer={
        <>
          <span className={styles.where}>Remembered in config.json of Spillway’s home</span>
          <Button ref={done} tone="primary" onClick={hide}>
            Done
          </Button>
        </>
      }
    >
      {isFirst && (
        <p className={styles.text}>Spillway found files in which these agents keep output of commands.</p>
      )}
      {found.length === 0 ? (
        <p className={styles.text}>
          No agent has left captures here yet. They appear in the list as soon as one does.
        </p>
      ) : (
        <>
          <dl className={styles.meaning}>
            <dt>List</dt>
            <dd>Shows its captures here. Spillway only reads: it never writes or deletes there.</dd>
            <dt>Agents may read</dt>
            <dd>Lets agents that are connected to Spillway read them, too.</dd>
            <dt>Rescue</dt>
            <dd>Copies output into Spillway’s own captures when the agent deletes it.</dd>
          </dl>
          <Problem text={captures.problem} />
          <ul className={styles.sources}>
            {found.map((source) => (
              <SourceRow key={source.name} source={source} set={captures.set} />
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}

function SourceRow({ source, set }: { source: SourceInfo; set: CaptureSwitches['set'] }) {
  const { name, title, agent, enabled, mcp, rescue, rescued, captures, bytes, folders, in_memory } = source;
  const names = [name];
  return (
    <li className={styles.source}>
      <div className={styles.name}>
        <AgentBadge agent={agent ?? name} />
        <strong>{title}</strong>
        <span className={styles.count} title={folders.join('\n')}>
          {enabled ? `${plural(captures, 'capture')}, ${formatBytes(bytes)}` : 'not listed'}
          {enabled && in_memory && ' in memory'}
        </span>
      </div>
      <div className={styles.switches}>
        <Switch
          label={`List captures of ${title}`}
          text="List"
          checked={enabled}
          onChange={(checked) => set({ names, enabled: checked })}
        />
        <Switch
          label={`Agents may read captures of ${title}`}
          text="Agents may read"
          checked={enabled && mcp}
          disabled={!enabled}
          onChange={(checked) => set({ names, mcp: checked })}
        />
        <span className={styles.switch}>
          <span aria-hidden="true">Rescue</span>
          <ChoiceMenu
            trigger={
              <Button opensMenu disabled={!enabled} label={`Rescue output of ${title}`}>
                {RESCUES.find(({ value }) => value === rescue)?.button}
              </Button>
            }
            choices={RESCUES}
            chosen={rescue}
            onChoose={(next) => set({ names, rescue: next })}
          />
        </span>
      </div>
      {rescued !== null && <p className={styles.rescued}>{rescuedWords(rescued)}</p>}
    </li>
  );
}

function rescuedWords({ kept, kept_bytes, missed, missed_bytes, why }: Rescued): string {
  const has = `Kept ${plural(kept, 'deleted capture')}, ${formatBytes(kept_bytes)}`;
  if (missed === 0) return has;
  return `${has}; missed ${missed}, ${formatBytes(missed_bytes)}, the last because ${why ?? 'it no longer existed'}`;
}

/** Holds the agents' directories found by the host, their switches, and whether their dialog is open. */
interface CaptureSwitches {
  /** Null until the host answers. */
  list: SourceList | null;
  /** Why the last switch was not set. */
  problem: string | null;
  isOpen: boolean;
  /** Whether it opened automatically, as nothing was decided yet. */
  isFirst: boolean;
  set: (change: SourceChange) => void;
  show: () => void;
  hide: () => void;
}

export function useAgentCaptures(): CaptureSwitches {
  const connection = useConnection();
  const [list, setList] = useState<SourceList | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [isFirst, setFirst] = useState(false);
  /** Ask only once, even if the decision can't be saved. */
  const asked = useRef(false);
  const latest = useRef(0);
  /** Begins a request. Returns a function that shows its answer, unless a newer request was made. */
  const answer = useCallback(() => {
    latest.current += 1;
    const mine = latest.current;
    return (next: SourceList) => {
      if (mine === latest.current) setList(next);
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for again when the switches are opened
  useEffect(() => {
    if (!connection) return;
    const request = new AbortController();
    const show = answer();
    const take = (next: SourceList) => {
      show(next);
      if (!isShownAtStart(next) || asked.current) return;
      asked.current = true;
      setFirst(true);
      setOpen(true);
    };
    connection.request('sources', {}, { signal: request.signal }).then(take, () => {});
    return () => request.abort();
  }, [connection, isOpen, answer]);
  const set = useCallback(
    (change: SourceChange) => {
      if (!connection) return;
      setProblem(null);
      const show = answer();
      // Update at once, as the next click toggles the shown state.
      setList((known) => known && switched(known, change));
      connection.request('setSources', change).then(show, (error: unknown) => {
        setProblem(toSpillwayError(error).message);
        connection.request('sources', {}).then(show, () => {});
      });
    },
    [connection, answer],
  );
  const show = useCallback(() => setOpen(true), []);
  const hide = useCallback(() => {
    setOpen(false);
    setFirst(false);
    const names = list?.sources.map(({ name }) => name) ?? [];
    // Closing the list without a change is also a decision.
    if (isFirst && names.length > 0) set({ names });
  }, [isFirst, list, set]);
  return { list, problem, isOpen, isFirst, set, show, hide };
}

/** Whether to explain the switches unasked: nobody has decided yet, and there is something to decide about. */
export function isShownAtStart({ undecided, sources }: SourceList): boolean {
  return undecided && sources.some(({ captures }) => captures > 0);
}

function switched(list: SourceList, { names, enabled, mcp, rescue }: SourceChange): SourceList {
  const change = (one: SourceInfo): SourceInfo => ({
    ...one,
    enabled: enabled ?? one.enabled,
    mcp: mcp ?? one.mcp,
    rescue: rescue ?? one.rescue,
  });
  return { ...list, sources: list.sources.map((one) => (names.includes(one.name) ? change(one) : one)) };
}
