/** Asks for a range of lines, and shows only those. */
import { type FormEvent, type RefObject, useRef, useState } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { Popover } from '../../ui/layout/Popover.tsx';
import type { LineRange } from '../document/rows-view.ts';
import { parseDestination } from './go-to.ts';
import styles from './Popovers.module.css';

interface RangePopoverProps {
  open: boolean;
  onClose: () => void;
  anchor: RefObject<HTMLElement | null>;
  finalFocus: RefObject<HTMLElement | null>;
  /** The range to fill in first: the selection, or the lines in view. */
  suggest: () => LineRange;
  total: number;
  shown: LineRange | null;
  onShow: (range: LineRange | null) => void;
}

export function RangePopover(props: RangePopoverProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Popover {...props} title="Show a range of lines" initialFocus={input}>
      <RangeForm {...props} input={input} />
    </Popover>
  );
}

function RangeForm({
  input,
  suggest,
  total,
  shown,
  onShow,
  onClose,
}: RangePopoverProps & { input: RefObject<HTMLInputElement | null> }) {
  const [suggested] = useState(() => shown ?? suggest());
  const [start, setStart] = useState(String(suggested.start));
  const [end, setEnd] = useState(String(suggested.end));
  const [problem, setProblem] = useState<string | null>(null);
  const finish = (range: LineRange | null) => {
    onClose();
    onShow(range);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const from = lineIn(start, total);
    const to = lineIn(end, total);
    if (from === null || to === null) return setProblem('Enter two line numbers, the first at least 1');
    if (from > to) return setProblem('The first line is after the last');
    finish({ start: from, end: to });
  };
  const change = (set: (text: string) => void) => (event: { target: { value: string } }) => {
    set(event.target.value);
    setProblem(null);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <div className={styles.pair}>
        <Field ref={input} label="From line" value={start} onChange={change(setStart)} />
        <Field label="To line (or end)" value={end} onChange={change(setEnd)} />
      </div>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <div className={styles.actions}>
        {shown && <Button onClick={() => finish(null)}>Show all lines</Button>}
        <Button type="submit" tone="primary" shortcut="Enter">
          Show
        </Button>
      </div>
    </form>
  );
}

function lineIn(text: string, total: number): number | null {
  const destination = parseDestination(text);
  if (destination?.kind === 'end') return Math.max(1, total);
  return destination?.kind === 'line' ? destination.line : null;
}
