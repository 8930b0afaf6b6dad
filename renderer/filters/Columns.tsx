/** Fields of lines as columns: a list to choose them from, their headings above the text, and the values of each. */
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import type { DocumentRef } from '../../shared/api/rows.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import type { LogFormat } from '../../shared/log-format.ts';
import { inOrder } from '../../shared/text/escape.ts';
import { conditionOf, fieldReader, lineFields, linePattern } from '../../shared/text/fields.ts';
import { formatCount, plural } from '../../shared/text/format.ts';
import type { FieldValues } from '../../shared/views.ts';
import { declareActions } from '../actions/action.ts';
import { usePaletteDestinations } from '../actions/palette-items.ts';
import { lastUndo, recordChange } from '../actions/undo.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { Button, OneStop } from '../ui/controls/Button.tsx';
import { Field } from '../ui/controls/Field.tsx';
import { Popover } from '../ui/layout/Dialog.tsx';
import { Problem } from '../ui/layout/Message.tsx';
import { useStore } from '../ui/state/store.ts';
import { useSteady } from '../ui/state/use-steady.ts';
import { bottomRow } from '../viewer/scrolling/positions.ts';
import { isFigure } from '../viewer/text/json-layout.ts';
import {
  type Column,
  chooseColumns,
  columnsOf,
  LEAST_COLUMN,
  MOST_COLUMN,
  tables,
} from '../viewer/text/text-settings.ts';
import type { Viewer } from '../viewer/use-viewer.ts';
import styles from './FilterBar.module.css';
import { plainText, shortPattern } from './filter.ts';
import type { FilterContext } from './filter-actions.ts';

export type Columns = ReturnType<typeof useColumns>;

export const columnActions = declareActions<Columns>('View')({
  choose: {
    name: 'Columns: show fields of the lines as a table',
    label: 'Columns',
    words: 'fields json logfmt table keys values',
    icon: 'columns',
    keys: [';'],
    when: ({ fields }) => fields.length > 0,
    otherwise: ({ say }) => say('The lines of this text have no fields'),
    isOn: ({ columns }) => columns.length > 0,
    run: ({ isOpen, setOpen }) => setOpen(!isOpen),
  },
});

const NO_FIELDS: readonly string[] = [];

/** The columns of the shown text, and what changes them. */
export function useColumns({ filters, viewer, say }: FilterContext, document: DocumentRef) {
  const format = viewer.opened.snapshot.state?.format ?? null;
  useStore(tables);
  const columns = columnsOf(format);
  const [isOpen, setOpen] = useState(false);
  const choose = (next: readonly Column[]) => format && chooseColumns(format, next);

  const showOnly = (field: string, value: string): void => {
    const where = conditionOf(field, value);
    if (where === null) {
      say(`A field named ${field} cannot be compared: filter by the text instead`);
      return;
    }
    filters.narrow({ ...plainText(where), compares: true });
    say(`Only lines with ${shortPattern(where)}`, lastUndo(filters.key));
  };

  const valueAt = (line: number, field: string): string | null => {
    const text = viewer.rows.row(viewer.rows.rowOf(line))?.text;
    return text === undefined ? null : readerOf(field, format)(text);
  };

  usePaletteDestinations((query) => {
    if (query.trim() === '' || columns.length === 0) return [];
    const line = viewer.currentLine();
    return columns.flatMap(({ field }) => {
      const value = valueAt(line, field);
      if (value === null) return [];
      const text = `Only lines with ${field}=${shortPattern(value)}`;
      return [
        {
          id: `only ${field}`,
          text,
          words: 'filter value',
          kind: 'Filter',
          run: () => showOnly(field, value),
        },
      ];
    });
  });

  return useSteady({
    ...{ columns, document, isOpen, setOpen, say, showOnly, viewer },
    fields: format?.fields ?? NO_FIELDS,
    pattern: format?.pattern,
    /** Filters by the value that a line has. */
    showOnlyAt(line: number, field: string): void {
      const value = valueAt(line, field);
      if (value !== null) showOnly(field, value);
    },
    toggle(field: string): void {
      const others = columns.filter((one) => one.field !== field);
      if (others.length < columns.length) choose(others);
      else choose([...columns, { field, width: fittingWidth(viewer, field, format?.pattern) }]);
    },
    move(field: string, by: -1 | 1): void {
      const at = columns.findIndex((one) => one.field === field);
      const to = at + by;
      if (to >= 0 && to < columns.length) choose(columns.toSpliced(at, 1).toSpliced(to, 0, columns[at]!));
    },
    remove(field: string): void {
      choose(columns.filter((one) => one.field !== field));
      say(
        `Removed the column ${field}`,
        recordChange(filters.key, () => void choose(columns)),
      );
    },
    resize(field: string, width: number): void {
      const next = Math.min(MOST_COLUMN, Math.max(LEAST_COLUMN, Math.round(width)));
      choose(columns.map((one) => (one.field === field ? { ...one, width: next } : one)));
    },
    clear: () => choose([]),
  });
}

/** Characters of a new column, unless its values are shorter. */
const MOST_FITTED = 32;
/** As `2026-03-01 10:00:00.123`, however it is written. */
const TIME_CHARS = 23;

function readerOf(field: string, format: LogFormat | null) {
  return fieldReader(field, format?.pattern === undefined ? [] : [linePattern(format.pattern)]);
}

function fittingWidth({ rows, scroll }: Viewer, field: string, pattern: string | undefined): number {
  const { position, height, heights } = scroll.view.get();
  const last = bottomRow(position, rows.count, height, heights);
  let width = field.length + 1;
  for (let index = position.row; index <= last; index += 1) {
    const text = rows.row(index)?.text ?? '';
    const found = lineFields(text, undefined, pattern).find(({ name }) => name === field);
    if (found)
      width = Math.max(
        width,
        /^\d{4}-\d\d-\d\d[T ]/.test(text.slice(found.from)) ? TIME_CHARS : found.to - found.from,
      );
  }
  return Math.min(MOST_FITTED, width);
}

interface PopoverProps {
  columns: Columns;
  anchor: RefObject<HTMLElement | null>;
}

/** From this many on, the list of fields has a field to find one in. */
const MANY_FIELDS = 12;

/** Lists the fields of the text: a checked one is a column. */
export function ColumnsPopover({ columns: { columns, ...context }, anchor }: PopoverProps) {
  const { fields, isOpen, setOpen, viewer } = context;
  const [typed, setTyped] = useState('');
  const chosen = columns.map(({ field }) => field);
  const all = [...chosen, ...fields.filter((field) => !chosen.includes(field))];
  const found = all.filter((field) => field.toLowerCase().includes(typed.trim().toLowerCase()));
  return (
    <Popover
      open={isOpen}
      onClose={() => setOpen(false)}
      anchor={anchor}
      title="Fields as columns"
      finalFocus={viewer.scroller}
    >
      {fields.length > MANY_FIELDS && (
        <Field
          label="Find a field"
          hideLabel
          placeholder="Find a field"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      <ul className={styles.fields}>
        {found.map((field) => (
          <li key={field}>
            <label>
              <input
                type="checkbox"
                checked={chosen.includes(field)}
                onChange={() => context.toggle(field)}
              />
              {field}
            </label>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p>No field has that name.</p>}
      <Button disabled={columns.length === 0} onClick={context.clear}>
        Show lines without columns
      </Button>
    </Popover>
  );
}

/** The columns' names above the text: clicked to see values, dragged to move or, at the edge, to size a column. */
export function ColumnHeadings({ columns: context }: { columns: Columns }) {
  const [opened, setOpened] = useState<string | null>(null);
  const anchor = useRef<HTMLElement | null>(null);
  const remove = (field: string) => {
    const heading = anchor.current?.closest('[data-heading]');
    const beside = (heading?.nextElementSibling ?? heading?.previousElementSibling)?.querySelector('button');
    // Before it closes, as a popover gives the focus back to its heading, which is gone then.
    anchor.current = beside ?? context.viewer.scroller.current;
    flushSync(() => {
      setOpened(null);
      context.remove(field);
    });
    anchor.current?.focus({ preventScroll: true });
  };
  return (
    <OneStop label="Columns" className={styles.headings}>
      {context.columns.map((column) => (
        <Heading
          key={column.field}
          column={column}
          isFigures={hasFigures(context.viewer, column.field)}
          context={context}
          isOpen={opened === column.field}
          onOpen={(button) => {
            anchor.current = button;
            setOpened(opened === column.field ? null : column.field);
          }}
        />
      ))}
      {opened !== null && (
        <Popover open onClose={() => setOpened(null)} anchor={anchor} title={opened} finalFocus={anchor}>
          <div className={styles.row}>
            <Button onClick={() => context.move(opened, -1)}>Move left</Button>
            <Button onClick={() => context.move(opened, 1)}>Move right</Button>
            <Button onClick={() => remove(opened)}>Remove</Button>
          </div>
          <Values context={context} field={opened} onChosen={() => setOpened(null)} />
        </Popover>
      )}
    </OneStop>
  );
}

/** Whether the first line in view with the field has a number in it, which is aligned right. */
function hasFigures({ rows, scroll, opened }: Viewer, field: string): boolean {
  const { position, height, heights } = scroll.view.get();
  const readField = readerOf(field, opened.snapshot.state?.format ?? null);
  const last = bottomRow(position, rows.count, height, heights);
  for (let index = position.row; index <= last; index += 1) {
    const value = readField(rows.row(index)?.text ?? '');
    if (value !== null) return isFigure(value);
  }
  return false;
}

interface HeadingProps {
  column: Column;
  isFigures: boolean;
  context: Columns;
  isOpen: boolean;
  onOpen: (button: HTMLElement) => void;
}

function Heading({ column: { field, width }, isFigures, context, isOpen, onOpen }: HeadingProps) {
  const drag = useRef<{ from: number; width: number; columnPx: number } | null>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, altKey, shiftKey } = event;
    const by = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : null;
    if (by === null || altKey === shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (altKey) context.move(field, by);
    else context.resize(field, width + by);
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const { width: px } = event.currentTarget.parentElement!.getBoundingClientRect();
    drag.current = { from: event.clientX, width, columnPx: px / width };
  };
  const onPointerMove = ({ clientX }: PointerEvent) => {
    const { current } = drag;
    if (current) context.resize(field, current.width + (clientX - current.from) / current.columnPx);
  };
  /** Whether the pressed heading was dragged to another place; then the click that follows opens nothing. */
  const isMoved = useRef(false);
  const onPress = (pressed: PointerEvent<HTMLElement>) => {
    isMoved.current = false;
    if (pressed.button !== 0) return;
    const own = pressed.currentTarget.parentElement!;
    // Not captured by the heading: the browser lets go when it is put elsewhere in the page.
    const end = new AbortController();
    const onMove = ({ clientX }: globalThis.PointerEvent) => {
      const [before, after] = [own.previousElementSibling, own.nextElementSibling];
      const isPast = after?.matches('[data-heading]') && clientX > middleOf(after);
      if (!isPast && !(before && clientX < middleOf(before))) return;
      isMoved.current = true;
      flushSync(() => context.move(field, isPast ? 1 : -1));
    };
    window.addEventListener('pointermove', onMove, end);
    for (const type of ['pointerup', 'pointercancel']) window.addEventListener(type, () => end.abort(), end);
  };
  return (
    <span
      className={styles.heading}
      style={{ width: `${width}ch`, textAlign: isFigures ? 'right' : 'left' }}
      data-heading={field}
    >
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title={`${field}: its values. Drag it to move the column, or Alt+← and Alt+→; Shift+← and Shift+→ change its width`}
        onPointerDown={onPress}
        onClick={(event) => isMoved.current || onOpen(event.currentTarget)}
        onKeyDown={onKeyDown}
      >
        {field}
      </button>
      <span
        className={styles.edge}
        aria-hidden="true"
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={() => {
          drag.current = null;
        }}
      />
    </span>
  );
}

function middleOf(element: Element): number {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}

const MOST_VALUES = 50;

interface ValuesProps {
  context: Columns;
  field: string;
  onChosen: () => void;
}

/** The most frequent values of a field in the whole text: a click shows only the lines with one. */
function Values({ context: { document, showOnly }, field, onChosen }: ValuesProps) {
  const connection = useConnection();
  const [counted, setCounted] = useState<FieldValues | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const asked = useMemo(
    () => ({ ...document, mode: 'summary' as const, field, max_shapes: MOST_VALUES }),
    [document, field],
  );
  useEffect(() => {
    if (!connection) return;
    const request = new AbortController();
    connection.request('inspect', asked, { signal: request.signal }).then(
      (view) => view.mode === 'summary' && setCounted(view.field_values ?? null),
      (error: unknown) => request.signal.aborted || setProblem(toSpillwayError(error).message),
    );
    return () => request.abort();
  }, [connection, asked]);
  if (problem !== null) return <Problem text={problem} />;
  if (!counted) return <p role="status">Counting the values…</p>;
  const { lines, distinct, exact, values } = counted;
  const different = `${exact ? '' : 'at least '}${plural(distinct, 'different value')}`;
  return (
    <>
      <p role="status">
        {plural(lines, 'line')} of the whole text, {different}
      </p>
      <ul className={styles.fields}>
        {values.map(({ value, count }) => (
          <li key={value}>
            <button
              type="button"
              title={`Show only lines with ${field}=${value}`}
              onClick={() => {
                onChosen();
                showOnly(field, value);
              }}
            >
              <span>{value === '' ? '(empty)' : inOrder(value)}</span> <span>{formatCount(count)}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
