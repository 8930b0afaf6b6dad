/** Lists what agents asked of Spillway as they go on: by agent and session, newest first. A click opens the lines. */

import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import {
  type Activity,
  type ActivityEntry,
  type ActivityParams,
  callerName,
  countOf,
} from '../../shared/activity.ts';
import type { StreamName } from '../../shared/artifact.ts';
import { escapeLine } from '../../shared/text/escape.ts';
import { formatBytes, formatCount, formatDuration, plural } from '../../shared/text/format.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { Dialog } from '../ui/layout/Dialog.tsx';
import { Age } from '../ui/text/MiddleText.tsx';
import styles from './ActivityDialog.module.css';

export interface ShownRead {
  artifactId: string;
  stream: StreamName;
  line: number | null;
}

interface ActivityDialogProps {
  open: boolean;
  onClose: () => void;
  onShow: (read: ShownRead) => void;
}

export function ActivityDialog({ open, ...props }: ActivityDialogProps) {
  return open ? <OpenDialog {...props} /> : null;
}

const AGAIN_MS = 1000;
/** Drawn at once; the others follow, in larger pages. */
const FIRST_CALLS = 500;
const PAGE_CALLS = 5000;
const ROW_PX = 28;

function OpenDialog({ onClose, onShow }: Omit<ActivityDialogProps, 'open'>) {
  const entries = useActivity();
  const [wanted, setWanted] = useState('');
  // Typing goes on while a long log is filtered.
  const words = useDeferredValue(wanted);
  const rows = useMemo(() => rowsOf(entries ?? [], words), [entries, words]);
  const box = useRef<HTMLDivElement>(null);
  const filter = useRef<HTMLInputElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  return (
    <Dialog open onClose={onClose} title="What agents did" wide initialFocus={filter}>
      <input
        ref={filter}
        className={styles.filter}
        type="search"
        placeholder="Agent, tool, command, pattern or output"
        aria-label="Filter the calls"
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      {entries !== null && rows.length === 0 && (
        <p className={styles.muted}>
          {entries.length === 0
            ? 'No agent has called Spillway yet: connect one with the key a.'
            : 'No call matches.'}
        </p>
      )}
      <div ref={box} className={styles.calls} data-activity="">
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map(({ index, start }) => (
            <div key={rows[index]!.key} className={styles.place} style={{ top: start }}>
              <ActivityRow row={rows[index]!} onShow={onShow} />
            </div>
          ))}
        </div>
      </div>
    </Dialog>
  );
}

function useActivity(): readonly ActivityEntry[] | null {
  const connection = useConnection();
  const [entries, setEntries] = useState<readonly ActivityEntry[] | null>(null);
  useEffect(() => {
    if (!connection) return;
    const ended = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    let known: Activity | null = null;
    /** Number of entries that are older than those known. */
    let older = 0;
    const request = (params: ActivityParams) =>
      connection.request('activity', params, { signal: ended.signal }).catch(() => null);
    const ask = async () => {
      const found = await request(
        known === null ? { limit: FIRST_CALLS } : { known: known.state, limit: PAGE_CALLS },
      );
      if (found?.whole) older = found.from;
      if (found?.whole || found?.entries.length)
        setEntries((shown) => (found.whole ? found.entries : [...found.entries, ...(shown ?? [])]));
      known = found ?? known;
      while (older > 0 && known !== null && !ended.signal.aborted) {
        const page = await request({ known: known.state, before: older, limit: PAGE_CALLS });
        if (page === null || page.whole) break;
        setEntries((shown) => [...(shown ?? []), ...page.entries]);
        older = page.from;
      }
      if (!ended.signal.aborted) timer = setTimeout(ask, AGAIN_MS);
    };
    void ask();
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [connection]);
  return entries;
}

const texts = new WeakMap<ActivityEntry, string>();

/** Returns the text that the filter searches. */
function textOf(entry: ActivityEntry): string {
  const known = texts.get(entry);
  if (known !== undefined) return known;
  const { agent, session, tool, what, reads } = entry;
  const text = [agent, session, tool, what, ...reads.map((one) => one.artifact_id)].join(' ').toLowerCase();
  texts.set(entry, text);
  return text;
}

type Row =
  | { key: string; heading: string; session: string; calls: number; bytes: number }
  | { key: string; entry: ActivityEntry };

/** A heading for each agent and session, the one with the newest call first, then its calls. */
export function rowsOf(entries: readonly ActivityEntry[], wanted: string): Row[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, ActivityEntry[]>();
  for (const entry of entries) {
    const text = words.length === 0 ? '' : textOf(entry);
    if (!words.every((word) => text.includes(word))) continue;
    const key = `${entry.agent}\n${entry.session}`;
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return [...groups].flatMap(([key, group]): Row[] => [
    {
      ...{ key, heading: callerName(group[0]!.agent), session: group[0]!.session, calls: group.length },
      bytes: group.reduce((sum, one) => sum + one.bytes, 0),
    },
    ...group.map((entry, i) => ({ key: `${key} ${group.length - i}`, entry })),
  ]);
}

const ActivityRow = memo(function ActivityRow({
  row,
  onShow,
}: {
  row: Row;
  onShow: (read: ShownRead) => void;
}) {
  if ('heading' in row)
    return (
      <h3 className={styles.heading}>
        {row.heading} <span className={styles.session}>{row.session}</span>
        <span className={styles.total}>
          {plural(row.calls, 'call')}, {formatBytes(row.bytes)} in replies
        </span>
      </h3>
    );
  const { at, tool, what, reads, bytes, duration_ms, ok } = row.entry;
  const [first] = reads;
  const lines = reads.reduce((sum, one) => sum + countOf(one.lines), 0);
  const content = (
    <>
      <span className={styles.tool}>{tool}</span>
      <span className={styles.what}>
        {[escapeLine(what) || linesWords(first), first && labelOf(first.artifact_id)]
          .filter(Boolean)
          .join(' · ')}
      </span>
      <span className={styles.result} data-failed={ok ? undefined : ''}>
        {ok ? `${lines > 0 ? `${plural(lines, 'line')}, ` : ''}${formatBytes(bytes)}` : 'refused'}
      </span>
      <span className={styles.took}>{formatDuration(duration_ms)}</span>
      <span className={styles.age}>
        <Age iso={at} />
      </span>
    </>
  );
  if (!first) return <div className={styles.call}>{content}</div>;
  const title = [first.artifact_id, linesWords(first)].filter(Boolean).join(', ');
  return (
    <button
      type="button"
      className={styles.call}
      title={title}
      onClick={() =>
        onShow({ artifactId: first.artifact_id, stream: first.stream, line: first.lines[0]?.[0] ?? null })
      }
    >
      {content}
    </button>
  );
});

/** Returns the label in an id: without its kind, and the time and hash at its end. */
function labelOf(id: string): string {
  return /^[a-z]+-(.+)-\d{4}-\d{2}-\d{2}T/.exec(id)?.[1] ?? id;
}

/** Ranges of one read that are named. */
const NAMED_RANGES = 4;

function linesWords(read: ActivityEntry['reads'][number] | undefined): string {
  if (!read || read.lines.length === 0) return '';
  const ranges = read.lines
    .slice(0, NAMED_RANGES)
    .map(([from, to]) => `${formatCount(from)}-${formatCount(to)}`);
  return `${read.stream} ${ranges.join(', ')}${read.lines.length > NAMED_RANGES ? ', …' : ''}`;
}
