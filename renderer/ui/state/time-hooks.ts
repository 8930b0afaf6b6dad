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

/** A short message that goes away by itself. */
export function useMessage(): [string | null, (message: string) => void] {
  const [message, setMessage] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const say = useCallback((text: string) => {
    clearTimeout(timer.current);
    setMessage(text);
    timer.current = setTimeout(() => setMessage(null), MESSAGE_STAYS_MS + text.length * 40);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  return [message, say];
}
