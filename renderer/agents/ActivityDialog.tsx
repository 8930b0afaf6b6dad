/** Lists what agents asked of Spillway as they go on: by agent and session, newest first. A click opens the lines. */

import {
  memo,
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
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
/** Checking them takes less than a frame. */
const PAGE_CALLS = 2000;
const ROW_PX = 28;
/** Rows drawn beyond each edge of the view. */
const OVERSCAN = 8;

function OpenDialog({ onClose, onShow }: Omit<ActivityDialogProps, 'open'>) {
  const entries = useActivity();
  const [wanted, setWanted] = useState('');
  // Typing goes on while a long log is filtered.
  const words = useDeferredValue(wanted);
  const groups = useMemo(() => groupsOf(entries ?? [], words), [entries, words]);
  const filter = useRef<HTMLInputElement>(null);
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
      {entries !== null && groups.length === 0 && (
        <p className={styles.muted}>
          {entries.length === 0
            ? 'No agent has called Spillway or run a recorded command yet: connect one with the key a.'
            : 'No call matches.'}
        </p>
      )}
      <Calls groups={groups} onShow={onShow} />
    </Dialog>
  );
}

/** The rows in view. All have one height, so that a scroll draws some rows, however many there are. */
const Calls = memo(function Calls({
  groups,
  onShow,
}: { groups: readonly Group[] } & Pick<ActivityDialogProps, 'onShow'>) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ first: 0, count: 0 });
  const count = groups.reduce((sum, { calls }) => sum + 1 + calls.length, 0);
  const onScroll = useCallback(() => {
    const { scrollTop, clientHeight } = box.current!;
    const first = Math.max(0, Math.floor(scrollTop / ROW_PX) - OVERSCAN);
    const next = { first, count: Math.ceil(clientHeight / ROW_PX) + 2 * OVERSCAN };
    setView((last) => (last.first === next.first && last.count === next.count ? last : next));
  }, []);
  useLayoutEffect(() => {
    onScroll();
    const sizes = new ResizeObserver(onScroll);
    sizes.observe(box.current!);
    return () => sizes.disconnect();
  }, [onScroll]);
  return (
    <div ref={box} className={styles.calls} data-activity="" onScroll={onScroll}>
      <div style={{ height: count * ROW_PX, position: 'relative' }}>
        {rowsIn(groups, view.first, view.count).map((row, i) => (
          <div key={row.key} className={styles.place} style={{ top: (view.first + i) * ROW_PX }}>
            {'call' in row ? <Call entry={row.call} onShow={onShow} /> : <Heading group={row.group} />}
          </div>
        ))}
      </div>
    </div>
  );
});

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
    let all: ActivityEntry[] = [];
    const request = (params: ActivityParams) =>
      connection.request('activity', params, { signal: ended.signal }).catch(() => null);
    const ask = async () => {
      const found = await request(
        known === null ? { limit: FIRST_CALLS } : { known: known.state, limit: PAGE_CALLS },
      );
      if (found?.whole) older = found.from;
      if (found?.whole || found?.entries.length) {
        all = found.whole ? found.entries : [...found.entries, ...all];
        setEntries(all);
      }
      known = found ?? known;
      let drawn = all.length;
      while (older > 0 && known !== null && !ended.signal.aborted) {
        const page = await request({ known: known.state, before: older, limit: PAGE_CALLS });
        if (page === null || page.whole) break;
        all = [...all, ...page.entries];
        older = page.from;
        // Not after each page: each time, all are put into their groups.
        if (older > 0 && all.length < 2 * drawn) continue;
        drawn = all.length;
        setEntries(all);
      }
      if (drawn < all.length) setEntries(all);
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

/** The calls of an agent in a session, the newest first. */
interface Group {
  agent: ActivityEntry['agent'];
  session: string;
  calls: ActivityEntry[];
  /** Bytes of their replies. */
  bytes: number;
}

/** Returns the calls that have these words, by agent and session: the group with the newest call first. */
export function groupsOf(entries: readonly ActivityEntry[], wanted: string): Group[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, Group>();
  let group: Group | undefined;
  for (const entry of entries) {
    if (words.length > 0) {
      const text = textOf(entry);
      if (!words.every((word) => text.includes(word))) continue;
    }
    const { agent, session } = entry;
    if (group?.agent !== agent || group.session !== session) {
      const key = `${agent}\n${session}`;
      group = groups.get(key) ?? { agent, session, calls: [], bytes: 0 };
      groups.set(key, group);
    }
    group.calls.push(entry);
    group.bytes += entry.bytes;
  }
  return [...groups.values()];
}

type Row = { key: string } & ({ group: Group } | { call: ActivityEntry });

/** Returns some of the rows: a heading for each group, then its calls. */
export function rowsIn(groups: readonly Group[], first: number, count: number): Row[] {
  const rows: Row[] = [];
  let start = 0;
  for (const group of groups) {
    const { agent, session, calls } = group;
    const end = start + 1 + calls.length;
    for (let at = Math.max(start, first); at < Math.min(end, first + count); at += 1) {
      // Counted from the oldest, as newer ones are added.
      const key = `${agent}\n${session} ${end - at}`;
      rows.push(
        at === start ? { key: `${agent}\n${session}`, group } : { key, call: calls[at - start - 1]! },
      );
    }
    start = end;
  }
  return rows;
}

function Heading({ group: { agent, session, calls, bytes } }: { group: Group }) {
  return (
    <h3 className={styles.heading}>
      {callerName(agent)} <span className={styles.session}>{session}</span>
      <span className={styles.total}>
        {plural(calls.length, 'call')}, {formatBytes(bytes)} in replies
      </span>
    </h3>
  );
}

interface CallProps {
  entry: ActivityEntry;
  onShow: (read: ShownRead) => void;
}

const Call = memo(function Call({ entry, onShow }: CallProps) {
  const { at, tool, what, reads, bytes, duration_ms, ok, status } = entry;
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
        {!ok && status && `${status}, `}
        {ok || status ? `${lines > 0 ? `${plural(lines, 'line')}, ` : ''}${formatBytes(bytes)}` : 'refused'}
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
