/**
 * The switches of agents' directories. At the first start it opens automatically, and explains what was found and what
 * each switch does.
 */
import { useRef } from 'react';
import type { Rescue, Rescued, SourceInfo } from '../../shared/sources.ts';
import { formatBytes, plural } from '../../shared/text/format.ts';
import { AgentBadge } from '../library/list/item/AgentBadge.tsx';
import { Button } from '../ui/controls/Button.tsx';
import { ChoiceMenu } from '../ui/controls/ChoiceMenu.tsx';
import { Switch } from '../ui/controls/Switch.tsx';
import { Dialog } from '../ui/layout/Dialog.tsx';
import styles from './AgentCaptures.module.css';
import type { CaptureSwitches } from './use-agent-captures.ts';

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
          {captures.problem !== null && (
            <p className={styles.problem} role="alert">
              {captures.problem}
            </p>
          )}
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
        <span className={styles.switch}>
          <Switch
            label={`List captures of ${title}`}
            checked={enabled}
            onChange={(checked) => set({ names, enabled: checked })}
          />
          <span aria-hidden="true">List</span>
        </span>
        <span className={styles.switch}>
          <Switch
            label={`Agents may read captures of ${title}`}
            checked={enabled && mcp}
            disabled={!enabled}
            onChange={(checked) => set({ names, mcp: checked })}
          />
          <span aria-hidden="true">Agents may read</span>
        </span>
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
