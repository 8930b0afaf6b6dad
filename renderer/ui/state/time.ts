/** Hooks for state that changes with time. */

import { useCallback, useEffect, useRef, useState } from 'react';

/** Returns true once `active` has been true for `ms` milliseconds. */
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

/** Returns milliseconds since 1970, updated every `ms` milliseconds while `active`. */
export function useNow(ms: number, active: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!active) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), ms);
    return () => clearInterval(timer);
  }, [ms, active]);
  return now;
}

/** Milliseconds that a message stays; long ones stay longer. */
const MESSAGE_STAYS_MS = 5000;

/** Milliseconds that a message with an undo stays. */
const UNDO_STAYS_MS = 15_000;

export interface Message {
  text: string;
  /** Undoes the reported change; null if that is not offered. */
  undo: (() => void) | null;
}

/** Shows a short message; with `undo`, also offers to undo the reported change. */
export type Say = (message: string, undo?: () => void) => void;

/** Holds a short message that disappears after a while; the last function removes it at once. */
export function useMessage(): [Message | null, Say, (message: Message) => void] {
  const [message, setMessage] = useState<Message | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const say = useCallback((text: string, undo?: () => void) => {
    clearTimeout(timer.current);
    setMessage({ text, undo: undo ?? null });
    const ms = undo ? UNDO_STAYS_MS : MESSAGE_STAYS_MS + text.length * 40;
    timer.current = setTimeout(() => setMessage(null), ms);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  const clear = useCallback((one: Message) => setMessage((now) => (now === one ? null : now)), []);
  return [message, say, clear];
}

/** Waits for a pause in calls that come many times a second. */
interface WhenStill {
  call(): void;
  stop(): void;
}

/** Runs `run` after `stillMs` without a call, and every `mostMs` if the calls never pause. */
export function whenStill(run: () => void, stillMs: number, mostMs: number): WhenStill {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let due: number | null = null;
  return {
    call() {
      const now = performance.now();
      due ??= now + mostMs;
      clearTimeout(timer);
      timer = setTimeout(
        () => {
          due = null;
          run();
        },
        Math.max(0, Math.min(stillMs, due - now)),
      );
    },
    stop() {
      clearTimeout(timer);
      due = null;
    },
  };
}
