/** Copying the selected lines: asks first when they are many, counts while it fetches, says what was clipped. */
import { useCallback, useRef, useState } from 'react';
import { toSpillwayError } from '../../../shared/errors.ts';
import { writeClipboard } from '../../ui/clipboard.ts';
import { plural } from '../../ui/format.ts';
import type { OpenDocument } from '../document/open-document.ts';
import { CONFIRM_LINES, type CopiedLines, copyLines } from './copy-lines.ts';
import { firstLine, lastLine, lineCount, type Selection } from './selection.ts';

export type CopyState =
  | { step: 'idle' }
  | { step: 'asking'; selection: Selection }
  | { step: 'copying'; done: number; lines: number }
  /** Fetched, but the browser wants a click of its own before it lets go of so much so late. */
  | { step: 'ready'; copied: CopiedLines };

export type Copying = ReturnType<typeof useCopy>;

export function useCopy(document: OpenDocument | null, say: (message: string) => void) {
  const [state, setState] = useState<CopyState>({ step: 'idle' });
  const request = useRef<AbortController | null>(null);

  const put = useCallback(
    async (copied: CopiedLines) => {
      try {
        await writeClipboard(copied.text);
        setState({ step: 'idle' });
        say(whatWasCopied(copied));
      } catch {
        setState({ step: 'ready', copied });
      }
    },
    [say],
  );

  const start = useCallback(
    async (selection: Selection) => {
      if (!document) return;
      const mine = new AbortController();
      request.current?.abort();
      request.current = mine;
      const lines = lineCount(selection);
      setState({ step: 'copying', done: 0, lines });
      try {
        const copied = await copyLines(document.fetchRows, firstLine(selection), lastLine(selection), {
          signal: mine.signal,
          onProgress: (done) => request.current === mine && setState({ step: 'copying', done, lines }),
        });
        if (request.current === mine) await put(copied);
      } catch (error) {
        if (request.current !== mine) return;
        setState({ step: 'idle' });
        const { code, message } = toSpillwayError(error);
        say(code === 'cancelled' ? 'Nothing was copied' : `Nothing was copied. ${message}`);
      }
    },
    [document, put, say],
  );

  const copy = useCallback(
    (selection: Selection) => {
      if (lineCount(selection) > CONFIRM_LINES) setState({ step: 'asking', selection });
      else void start(selection);
    },
    [start],
  );

  const cancel = useCallback(() => {
    request.current?.abort();
    request.current = null;
    setState({ step: 'idle' });
  }, []);

  return { state, copy, start, put, cancel };
}

function whatWasCopied({ lines, clipped }: CopiedLines): string {
  const copied = `Copied ${plural(lines, 'line')}`;
  return clipped === 0
    ? copied
    : `${copied}; of ${plural(clipped, 'long line')} only the beginning, as it is shown`;
}
