/** Things that come and go with time. */
import { useCallback, useEffect, useRef, useState } from 'react';

/** True when `active` has been true for `ms` milliseconds. */
export function useAfter(ms: number, active: boolean): boolean {
  const [passed, setPassed] = useState(false);
  useEffect(() => {
    setPassed(false);
    if (!active) return;
    const timer = setTimeout(() => setPassed(true), ms);
    return () => clearTimeout(timer);
  }, [ms, active]);
  return active && passed;
}

/** Milliseconds a message stays; long ones longer. */
const MESSAGE_STAYS_MS = 5000;

/** Milliseconds a message stays that offers to undo something. */
const UNDO_STAYS_MS = 15_000;

export interface Message {
  text: string;
  /** Reverses what the message reports; null when that is not offered. */
  undo: (() => void) | null;
}

/** Shows a short message; with `undo`, also offers to reverse what it reports. */
export type Say = (message: string, undo?: () => void) => void;

/** A short message that goes away by itself. */
export function useMessage(): [Message | null, Say] {
  const [message, setMessage] = useState<Message | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const say = useCallback((text: string, undo?: () => void) => {
    clearTimeout(timer.current);
    setMessage({ text, undo: undo ?? null });
    const ms = undo ? UNDO_STAYS_MS : MESSAGE_STAYS_MS + text.length * 40;
    timer.current = setTimeout(() => setMessage(null), ms);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  return [message, say];
}
