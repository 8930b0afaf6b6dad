/** Opens a terminal's recorded output as a document, and shows its lines with facts about the terminal. */
import type { FailureView, LinesView } from '../../../shared/views.ts';
import type { CaptureEntry } from '../../store/format/entry.ts';
import type { Document } from '../documents/document.ts';
import type { TargetDocuments } from '../documents/targets/target-documents.ts';
import type { RequestOptions } from '../host.ts';
import type { Texts } from '../views/texts.ts';
import { type TerminalFields, terminalFacts } from './terminal-view.ts';

interface LinesWanted {
  mode: 'head' | 'tail' | 'range';
  lines: number;
  start_line?: number;
  max_chars?: number;
}

export class TerminalText {
  readonly #documents: TargetDocuments;
  readonly #texts: Texts;

  constructor(documents: TargetDocuments, texts: Texts) {
    this.#documents = documents;
    this.#texts = texts;
  }

  document(entry: CaptureEntry, options: RequestOptions): Promise<Document> {
    return this.#documents.get(targetOf(entry), options.access ?? 'person');
  }

  async lines(
    entry: CaptureEntry,
    wanted: LinesWanted,
    options: RequestOptions,
  ): Promise<LinesView & TerminalFields> {
    const view = await this.#texts.inspect({ ...wanted, ...targetOf(entry) }, options);
    return { ...(view as LinesView), ...terminalFacts(entry) };
  }

  /** The lines that explain a failure, of one command's output. */
  async explained(
    entry: CaptureEntry,
    range: { start_line: number; end_line: number },
    options: RequestOptions,
  ): Promise<FailureView> {
    const view = await this.#texts.inspect({ mode: 'failure', ...range, ...targetOf(entry) }, options);
    if (view.mode !== 'failure') throw new Error(`a view of mode ${view.mode} came`);
    return view;
  }

  /** The line (from 1) that the byte at `offset` is in. */
  lineIn(document: Document, offset: number, options: RequestOptions): Promise<number> {
    return this.#texts.lineIn(document, offset, options);
  }
}

function targetOf(entry: CaptureEntry) {
  // A terminal is text in UTF-8, whatever was printed there.
  return { artifact_id: entry.id, as_text: true, encoding: 'utf-8' };
}
