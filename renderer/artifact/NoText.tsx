/** The message shown instead of the text: why there is none, and what to do. Null when there is text. */

import type { ReactNode } from 'react';
import type { DocumentState } from '../../shared/api/rows.ts';
import type { Status } from '../../shared/artifact.ts';
import { INCOMPLETE_TERMINAL } from '../../shared/terminals.ts';
import { shellWord } from '../../shared/text/escape.ts';
import { formatBytes, formatCount, formatDuration, plural } from '../../shared/text/format.ts';
import { type FilterContext, filterActions } from '../filters/filter-actions.ts';
import { mayComeBack, pathOf } from '../library/artifact-facts.ts';
import { Button, Command } from '../ui/controls/Button.tsx';
import { EmptyState, ErrorState } from '../ui/layout/Message.tsx';
import { heading, sentence } from '../ui/text/format.ts';
import type { LineRange } from '../viewer/document/rows-view.ts';
import type { Viewer } from '../viewer/use-viewer.ts';

export function noText(filtering: FilterContext, onAsText: () => void, slow: boolean): ReactNode {
  const { viewer } = filtering;
  const { document, snapshot } = viewer.opened;
  const { state, error, total } = snapshot;
  if (error) return <ErrorState error={error} />;
  if (!state) return slow && total === 0 ? <EmptyState icon="file" title="Opening…" /> : null;
  if (state.condition === 'binary') {
    return (
      <EmptyState
        icon="file"
        title={heading(state.problem?.what ?? `this is binary, ${formatBytes(state.total_bytes)}`)}
        actions={
          <Button tone="primary" onClick={onAsText}>
            Show as text
          </Button>
        }
      >
        <p>Shown as text, binary data looks like noise.</p>
      </EmptyState>
    );
  }
  if (state.condition !== 'ok' && !hasRows(viewer)) {
    const allow = state.condition === 'no_permission' ? allowCommand(pathOf(state.artifact)) : null;
    return (
      <EmptyState icon="warn" title={heading(state.problem?.what ?? TITLES[state.condition])} alert>
        <p>{sentence(state.problem?.todo ?? 'open something else from the list')}</p>
        {allow && <Command text={allow} />}
        {state.condition === 'vanished' && mayComeBack(state.artifact) && (
          <p>A new file at its path will be shown here.</p>
        )}
        {state.condition === 'no_permission' && <p>It is shown here as soon as it may be read.</p>}
      </EmptyState>
    );
  }
  if (state.condition === 'ok' && state.total_bytes === 0) {
    return <Empty state={state} />;
  }
  const { range, rows, passing } = viewer;
  if (passing?.settled && rows.count === 0 && total > 0 && (!range || range.start <= total))
    return <NonePass filtering={filtering} range={range} />;
  if (range && rows.count === 0 && document && viewer.counted) {
    return (
      <EmptyState
        icon="range"
        title={`There are no lines ${numbersOf(range)}`}
        actions={
          <Button shortcut="Esc" onClick={() => viewer.showRange(null)}>
            Show all lines
          </Button>
        }
      >
        <p>The text has {plural(total, 'line')}.</p>
      </EmptyState>
    );
  }
  return null;
}

/** The filters hide every line, or every line of the range. */
function NonePass({ filtering, range }: { filtering: FilterContext; range: LineRange | null }) {
  const { filters } = filtering.filters;
  const by = filters.filter(({ on }) => on).length === 1 ? 'the filter' : 'the filters';
  return (
    <EmptyState
      icon="filter"
      title={range ? `None of the lines ${numbersOf(range)} pass ${by}` : `No line passes ${by}`}
      actions={
        <Button
          shortcut={filterActions.toggleAll.keys[0]!}
          onClick={() => filterActions.toggleAll.run(filtering, null)}
        >
          Switch {by} off
        </Button>
      }
    />
  );
}

function numbersOf({ start, end }: LineRange): string {
  return `${formatCount(start)}–${formatCount(end)}`;
}

/** Only what may still be written to is worth waiting for. */
function Empty({ state: { artifact, stream } }: { state: DocumentState }) {
  if (artifact.warnings.includes(INCOMPLETE_TERMINAL))
    return <EmptyState icon="terminal" title="What this terminal prints is not recorded" />;
  if (artifact.status === 'running') {
    return (
      <EmptyState icon="file" title="Nothing was printed yet">
        <p>It is shown here as it comes.</p>
      </EmptyState>
    );
  }
  if (artifact.kind === 'file') {
    return (
      <EmptyState icon="file" title="The file is empty">
        <p>Later output is shown here as it comes.</p>
      </EmptyState>
    );
  }
  if (artifact.kind !== 'cmd') return <EmptyState icon="file" title="The output is empty" />;
  const one = stream === 'stdout' || stream === 'stderr' ? ` to ${stream}` : '';
  const { duration_ms } = artifact;
  return (
    <EmptyState icon="file" title={`Nothing was printed${one}`}>
      <p>
        The command {ENDED[artifact.status]}
        {duration_ms === null ? '' : ` after ${formatDuration(duration_ms)}`}.
      </p>
    </EmptyState>
  );
}

const ENDED: Record<Exclude<Status, 'running'>, string> = {
  succeeded: 'succeeded',
  failed: 'failed',
  timed_out: 'timed out',
  cancelled: 'was cancelled',
  interrupted: 'was interrupted',
  finished: 'ended',
};

const TITLES = {
  vanished: 'The file no longer exists',
  no_permission: 'No permission to read the file',
  failed: 'The file can’t be read',
};

/** Rows read before something happened stay readable. */
function hasRows({ rows, scroll }: Viewer): boolean {
  const { row } = scroll.view.get().position;
  return rows.row(row) !== undefined || rows.row(row + 1) !== undefined;
}

/** Returns a command that makes a file readable for its owner; null on systems without one. */
export function allowCommand(path: string | null): string | null {
  if (path === null || !path.startsWith('/')) return null;
  return `chmod u+r ${shellWord(path)}`;
}
