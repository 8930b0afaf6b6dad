/** Asks for the line to go to, and for a range of lines to show alone. */

import { type FormEvent, type RefObject, useRef, useState } from 'react';
import { Button } from '../ui/controls/Button.tsx';
import { Field } from '../ui/controls/Field.tsx';
import { Popover } from '../ui/layout/Dialog.tsx';
import { Problem } from '../ui/layout/Message.tsx';
import type { LineRange } from './document/rows-view.ts';
import styles from './Popovers.module.css';
import { type Destination, GO_TO_HINT, parseDestination } from './use-navigation.ts';

interface GoToPopoverProps {
  open: boolean;
  onClose: () => void;
  anchor: RefObject<HTMLElement | null>;
  finalFocus: RefObject<HTMLElement | null>;
  onGo: (destination: Destination) => void;
  /** Returns a function that goes to a typed time, or match; null if it is neither. */
  elsewhere: (typed: string) => (() => void) | null;
}

export function GoToPopover(props: GoToPopoverProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Popover {...props} title="Go to a line or a time" initialFocus={input}>
      <GoToForm input={input} onClose={props.onClose} onGo={props.onGo} elsewhere={props.elsewhere} />
    </Popover>
  );
}

function GoToForm({
  input,
  onClose,
  onGo,
  elsewhere,
}: Pick<GoToPopoverProps, 'onClose' | 'onGo' | 'elsewhere'> & { input: RefObject<HTMLInputElement | null> }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Seconds since 1970, as logs write them, could be a line's number, too.
    const goElsewhere = elsewhere(text);
    const destination = goElsewhere ? null : parseDestination(text);
    if (!destination && !goElsewhere) return setProblem('That is no line, time, byte or match');
    onClose();
    if (destination) onGo(destination);
    else goElsewhere?.();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <Field
        ref={input}
        label="Line"
        hideLabel
        hint={GO_TO_HINT}
        problem={problem}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setProblem(null);
        }}
      />
      <div className={styles.actions}>
        <Button type="submit" tone="primary" shortcut="Enter">
          Go
        </Button>
      </div>
    </form>
  );
}

/** Asks for a range of lines, and shows only those. */
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
      <Problem text={problem} />
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
