/** Copies the selection: asks first if it is large, shows progress, and reports cut lines. */

import { useRef, useState } from 'react';
import type { Connection } from '../../../shared/api/api.ts';
import { toSpillwayError } from '../../../shared/errors.ts';
import { MAX_WHOLE_LINE_CHARS } from '../../../shared/limits.ts';
import { formatBytes, formatCount, plural } from '../../../shared/text/format.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Dialog } from '../../ui/layout/Dialog.tsx';
import { writeClipboard } from '../../ui/state/page.ts';
import { useSteady } from '../../ui/state/use-steady.ts';
import { formatPercent } from '../../ui/text/format.ts';
import {
  AS_TEXT,
  CONFIRM_BYTES,
  CONFIRM_LINES,
  type CopyForm,
  copyLines,
  type FetchedLines,
  type RowsToCopy,
} from './copy-lines.ts';
import { lineCount, type Selection } from './selection.ts';

export function CopyDialog({ copy }: { copy: Copying }) {
  const content = contentOf(copy);
  if (content === null) return null;
  const { title, text, does, run } = content;
  const buttons = (
    <>
      <Button onClick={copy.cancel}>Cancel</Button>
      {run && (
        <Button tone="primary" onClick={run}>
          {does}
        </Button>
      )}
    </>
  );
  return (
    <Dialog open onClose={copy.cancel} title={title} footer={buttons}>
      <span role="status">{text}</span>
    </Dialog>
  );
}

interface CopyContent {
  title: string;
  text: string;
  /** The word on the button that goes on, and what it does. */
  does?: string;
  run?: () => void;
}

/** The content of the dialog; null if there is nothing to ask or to wait for. */
function contentOf({ state, start, put }: Copying): CopyContent | null {
  if (state.step === 'asking') {
    const size = state.bytes === null ? '' : `It is about ${formatBytes(state.bytes)}. `;
    const text = `${size}Fetching this much text can take a while, and some programs cannot paste it.`;
    const run = () => start(state.selection, state.form);
    return { title: `Copy ${plural(state.lines, 'line')}?`, text, does: 'Copy', run };
  }
  if (state.step === 'copying' && state.lines > 20_000)
    return {
      title: 'Copying',
      text: `${formatPercent(state.done, state.lines)} of ${plural(state.lines, 'line')}`,
    };
  if (state.step !== 'ready') return null;
  const { lines, text } = state.copied;
  const here = `${plural(lines, 'line')} (${formatBytes(text.length)}) are here.`;
  return {
    title: 'Ready to copy',
    text: `${here} The clipboard only takes them right after a click.`,
    ...{ does: 'Copy now', run: () => put(state.copied) },
  };
}

/** `byCharacter`: the first and last line may be partial. */
type CopiedLines = FetchedLines & { byCharacter: boolean; masked: string };

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
  const connection = useConnection();
  const [state, setState] = useState<CopyState>({ step: 'idle' });
  const request = useRef<AbortController | null>(null);

  const put = async (copied: CopiedLines) => {
    try {
      await writeClipboard(copied.text);
      setState({ step: 'idle' });
      say(copiedWords(copied));
    } catch {
      setState({ step: 'ready', copied });
    }
  };

  const start = async (chosen: Selection, form: CopyForm = AS_TEXT) => {
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
      const masked = await maskedCopy(connection, copied.text);
      if (request.current === mine)
        await put({ ...copied, ...masked, byCharacter: selection.columns !== undefined });
    } catch (error) {
      if (request.current !== mine) return;
      setState({ step: 'idle' });
      const { code, message } = toSpillwayError(error);
      say(code === 'cancelled' ? 'Nothing was copied' : `Nothing was copied. ${message}`);
    }
  };

  const copy = (selection: Selection, form: CopyForm = AS_TEXT) => {
    const lines = lineCount(rows?.counted?.(selection) ?? selection);
    const bytes = lineBytes === null ? null : Math.round(lines * lineBytes);
    const isMuch = lines > CONFIRM_LINES || (lines > 1 && (bytes ?? 0) > CONFIRM_BYTES);
    if (isMuch) setState({ step: 'asking', selection, form, lines, bytes });
    else void start(selection, form);
  };

  const cancel = () => {
    request.current?.abort();
    request.current = null;
    setState({ step: 'idle' });
  };
  return useSteady({ state, copy, start, put, cancel });
}

/** Masks what `redact.copy` of config.json says, and names the rules that found secrets. */
export async function maskedCopy(
  connection: Connection | null,
  text: string,
): Promise<{ text: string; masked: string }> {
  const settings = connection && (await connection.request('masksInCopies', {}));
  if (!settings) return { text, masked: '' };
  const { maskSpans, secretsOf } = await import('../../../shared/secrets/mask.ts');
  const spans = secretsOf(settings).find(text);
  const found = spans.filter(({ isRest }) => !isRest);
  const rules = [...new Set(found.map(({ rule }) => rule))].join(', ');
  const masked = found.length === 0 ? '' : `${plural(found.length, 'secret')} masked (${rules})`;
  return { text: maskSpans(text, spans), masked };
}

function copiedWords({ text, lines, clipped, byCharacter, masked }: CopiedLines): string {
  const count = byCharacter && lines === 1 ? plural(text.length, 'character') : plural(lines, 'line');
  const amount = masked ? `${count}; ${masked}` : count;
  return clipped === 0
    ? `Copied ${amount}`
    : `Copied ${amount}; only the first ${formatCount(MAX_WHOLE_LINE_CHARS)} characters of ${plural(clipped, 'long line')}`;
}
