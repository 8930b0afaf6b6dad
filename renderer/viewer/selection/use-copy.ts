/** Copies the selection: asks first if it is large, shows progress, and reports cut lines. */
import { useCallback, useRef, useState } from 'react';
import { toSpillwayError } from '../../../shared/errors.ts';
import { MAX_WHOLE_LINE_CHARS } from '../../../shared/limits.ts';
import { formatCount, plural } from '../../../shared/text/format.ts';
import { writeClipboard } from '../../ui/state/clipboard.ts';
import { useSteady } from '../../ui/state/use-steady.ts';
import { AS_TEXT, type CopyForm } from './copy-forms.ts';
import { CONFIRM_BYTES, CONFIRM_LINES, copyLines, type FetchedLines } from './copy-lines.ts';
import type { RowsToCopy } from './rows-to-copy.ts';
import { lineCount, type Selection } from './selection.ts';

/** `byCharacter`: the first and last line may be partial. */
type CopiedLines = FetchedLines & { byCharacter: boolean };

type CopyState =
  | { step: 'idle' }
  /** The number of lines to copy, and the estimated bytes. */
  | { step: 'asking'; selection: Selection; form: CopyForm; lines: number; bytes: number | null }
  | { step: 'copying'; done: number; lines: number }
  /** Fetched, but so late that the browser allows copying only right after another click. */
  | { step: 'ready'; copied: CopiedLines };

export type Copying = ReturnType<typeof useCopy>;

/**
 * @param rows that the selection counts; null while there are none
 * @param lineBytes mean bytes of a line; null if unknown
 */
export function useCopy(
  rows: RowsToCopy | null,
  say: (message: string) => void,
  lineBytes: number | null = null,
) {
  const [state, setState] = useState<CopyState>({ step: 'idle' });
  const request = useRef<AbortController | null>(null);

  const put = useCallback(
    async (copied: CopiedLines) => {
      try {
        await writeClipboard(copied.text);
        setState({ step: 'idle' });
        say(copiedWords(copied));
      } catch {
        setState({ step: 'ready', copied });
      }
    },
    [say],
  );

  const start = useCallback(
    async (chosen: Selection, form: CopyForm = AS_TEXT) => {
      if (!rows) return;
      const selection = rows.counted ? rows.counted(chosen) : chosen;
      if (!selection) return say('Nothing was copied: filters hide the selected lines');
      const mine = new AbortController();
      request.current?.abort();
      request.current = mine;
      const lines = lineCount(selection);
      setState({ step: 'copying', done: 0, lines });
      try {
        const copied = await copyLines(rows.fetchRows, selection, {
          signal: mine.signal,
          form,
          lineOf: rows.lineOf,
          fetchWhole: rows.fetchWhole,
          onProgress: (done) => request.current === mine && setState({ step: 'copying', done, lines }),
        });
        if (request.current === mine) await put({ ...copied, byCharacter: selection.columns !== undefined });
      } catch (error) {
        if (request.current !== mine) return;
        setState({ step: 'idle' });
        const { code, message } = toSpillwayError(error);
        say(code === 'cancelled' ? 'Nothing was copied' : `Nothing was copied. ${message}`);
      }
    },
    [rows, put, say],
  );

  const copy = useCallback(
    (selection: Selection, form: CopyForm = AS_TEXT) => {
      const lines = lineCount(rows?.counted?.(selection) ?? selection);
      const bytes = lineBytes === null ? null : Math.round(lines * lineBytes);
      const isMuch = lines > CONFIRM_LINES || (lines > 1 && (bytes ?? 0) > CONFIRM_BYTES);
      if (isMuch) setState({ step: 'asking', selection, form, lines, bytes });
      else void start(selection, form);
    },
    [rows, start, lineBytes],
  );

  const cancel = useCallback(() => {
    request.current?.abort();
    request.current = null;
    setState({ step: 'idle' });
  }, []);

  return useSteady({ state, copy, start, put, cancel });
}

function copiedWords({ text, lines, clipped, byCharacter }: CopiedLines): string {
  const amount = byCharacter && lines === 1 ? plural(text.length, 'character') : plural(lines, 'line');
  return clipped === 0
    ? `Copied ${amount}`
    : `Copied ${amount}; only the first ${formatCount(MAX_WHOLE_LINE_CHARS)} characters of ${plural(clipped, 'long line')}`;
}
