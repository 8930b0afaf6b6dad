/** The lines around matches that are in view: fetched for each match, kept for a while. */
import type { Connection } from '../../shared/api/api.ts';
import type { DocumentRef, Row } from '../../shared/api/rows.ts';

/** Groups kept: some screens of them. */
const KEPT = 400;
const MAX_IN_FLIGHT = 6;

interface Group {
  start: number;
  rows: readonly Row[];
  /** Bytes of the text when it was asked for, if the group reached the end of it: what comes next belongs to it. */
  endedAt: number | null;
  failed: boolean;
}

/** The text as it is now. */
interface TextSize {
  lines: number;
  bytes: number;
}

export class ContextRows {
  readonly #connection: Connection;
  readonly #document: DocumentRef;
  readonly #context: number;
  readonly #generation: number;
  readonly #onChange: () => void;
  readonly #groups = new Map<number, Group>();
  readonly #asked = new Map<number, AbortController>();
  #wanted: readonly number[] = [];
  #text: TextSize = { lines: 0, bytes: 0 };

  constructor(
    connection: Connection,
    document: DocumentRef,
    generation: number,
    context: number,
    onChange: () => void,
  ) {
    this.#connection = connection;
    this.#document = document;
    this.#generation = generation;
    this.#context = context;
    this.#onChange = onChange;
  }

  /** The row `offset` lines from a matching line. */
  row(line: number, offset: number): Row | undefined {
    const group = this.#groups.get(line);
    return group?.rows[line + offset - group.start];
  }

  /** Asks for what surrounds these lines; what is no longer wanted is cancelled. */
  want(lines: readonly number[], text: TextSize = this.#text): void {
    for (const line of lines) {
      // Back in view: another try.
      if (!this.#wanted.includes(line) && this.#groups.get(line)?.failed) this.#groups.delete(line);
    }
    this.#wanted = lines;
    this.#text = text;
    for (const [line, request] of this.#asked) {
      if (lines.includes(line)) continue;
      this.#asked.delete(line);
      request.abort();
    }
    this.#ask();
  }

  close(): void {
    this.want([]);
  }

  #ask(): void {
    for (const line of this.#wanted) {
      if (this.#asked.size >= MAX_IN_FLIGHT) return;
      if (!this.#asked.has(line) && !this.#isWhole(line)) void this.#get(line);
    }
  }

  #isWhole(line: number): boolean {
    const group = this.#groups.get(line);
    return group !== undefined && (group.endedAt === null || group.endedAt === this.#text.bytes);
  }

  async #get(line: number): Promise<void> {
    const request = new AbortController();
    const text = this.#text;
    this.#asked.set(line, request);
    const start = Math.max(1, line - this.#context);
    const count = line + this.#context - start + 1;
    try {
      const params = { document: this.#document, start_line: start, count };
      const { generation, rows } = await this.#connection.request('rows', params, { signal: request.signal });
      if (this.#asked.get(line) !== request) return;
      const failed = generation !== this.#generation;
      const toEnd = rows.length < count || start + count > text.lines;
      this.#groups.set(line, { start, rows: failed ? [] : rows, endedAt: toEnd ? text.bytes : null, failed });
    } catch {
      if (this.#asked.get(line) !== request) return;
      // The match itself is shown; what is around it is asked for again when it comes back into view.
      this.#groups.set(line, { start, rows: [], endedAt: null, failed: true });
    }
    this.#asked.delete(line);
    for (const oldest of this.#groups.keys()) {
      if (this.#groups.size <= KEPT) break;
      this.#groups.delete(oldest);
    }
    this.#onChange();
    this.#ask();
  }
}
