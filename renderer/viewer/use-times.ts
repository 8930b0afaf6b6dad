/** Shows the column of times, except beside a text that is known to have none. */
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { OpenDocument } from './document/open-document.ts';
import type { Opened } from './document/use-open-document.ts';
import { NO_TIMES, timeOf } from './text/line-times.ts';
import { changeLook, nextTimes, textLook } from './text/text-look.ts';

/** Lines at the end of a text in which to look for a time. */
const LAST_LINES = 50;

interface TimesOptions {
  opened: Opened;
  /** Whether all lines are counted. Until then, finding a time would wait for them. */
  counted: boolean;
  say: (message: string) => void;
}

export function useTimes({ opened: { document, snapshot }, counted, say }: TimesOptions) {
  const isOn = useSyncExternalStore(textLook.subscribe, textLook.get).times !== 'off';
  /** A document known to have no times. */
  const [timeless, setTimeless] = useState<OpenDocument | null>(null);
  const isTimeless = timeless !== null && timeless === document;
  /** Whether to say that there are none: T was pressed before it was known. */
  const isAsked = useRef(false);
  const generation = snapshot.state?.generation ?? null;
  // A text that grew to twice its lines may have times now.
  const size = Math.ceil(Math.log2(snapshot.total + 1));

  // biome-ignore lint/correctness/useExhaustiveDependencies: another or a longer text may have times
  useEffect(() => {
    if (!isOn || !document || !counted) return;
    const request = new AbortController();
    hasTimes(document, request.signal).then(
      (has) => {
        setTimeless(has ? null : document);
        if (!has && isAsked.current) say(NO_TIMES);
        isAsked.current = false;
      },
      // Keep the column: without the host, nothing is known.
      () => {},
    );
    return () => request.abort();
  }, [isOn, document, counted, generation, size]);

  return {
    /** Whether to leave out the column of times, as the text has none. */
    isTimeless,
    /** Shows the next kind of times, or says that there are none. */
    nextTimes: async (): Promise<void> => {
      const isKnown = isOn && !isTimeless;
      isAsked.current = !counted;
      if (document && counted && !isKnown) {
        const has = await hasTimes(document, new AbortController().signal).catch(() => true);
        setTimeless(has ? null : document);
        if (!has) return say(NO_TIMES);
      }
      changeLook({ times: nextTimes(textLook.get().times) });
    },
  };
}

/** Whether a line near the start or the end has a time, or arrival times were recorded. */
async function hasTimes(document: OpenDocument, signal: AbortSignal): Promise<boolean> {
  if ((await document.lineAtTime(0, signal)) !== null) return true;
  const { rows } = await document.fetchTail(LAST_LINES, signal);
  return rows.some((row) => timeOf(row) !== null);
}
