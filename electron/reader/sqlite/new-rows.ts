/** Reads the newest rows of some tables of an SQLite database: a bounded amount, and leaves no file in its folder. */
import { Pages } from './pages.ts';
import { rows, tableNamed, type Value } from './rows.ts';

/** Rows taken of a table, and bytes of the files read, at one look. */
const MAX_ROWS = 2000;
const MAX_BYTES = 64 * 1024 * 1024;
/** A longer row is skipped. */
const MAX_ROW_BYTES = 4 * 1024 * 1024;
/** Rows that were taken before and are read again: a command's end changes its row. */
const AGAIN_ROWS = 500;

export interface WantedRows {
  readonly name: string;
  /** Rows that don't have this text in their first hundreds of bytes are skipped. */
  readonly mark: string;
  /** The highest number of a row that was taken before. */
  readonly known: number;
}

export interface NewRows {
  readonly newest: number;
  /** The newest first. */
  readonly rows: readonly ReadonlyMap<string, Value>[];
}

/** Returns the rows of each table; null for a table that is not there. Throws `Unreadable`, and what the system throws. */
export function newRows(path: string, tables: readonly WantedRows[]): (NewRows | null)[] {
  const pages = new Pages(path);
  try {
    return tables.map(({ name, mark, known }) => {
      const table = tableNamed(pages, name);
      if (table === null) return null;
      const found: ReadonlyMap<string, Value>[] = [];
      let newest = known;
      for (const row of rows(pages, table)) {
        newest = Math.max(newest, row.number);
        const isEnough = found.length >= MAX_ROWS || pages.bytesRead > MAX_BYTES;
        if (row.number <= known - AGAIN_ROWS || isEnough) break;
        if (row.bytes <= MAX_ROW_BYTES && row.start.includes(mark)) found.push(row.values());
      }
      return { newest, rows: found };
    });
  } finally {
    pages.close();
  }
}
