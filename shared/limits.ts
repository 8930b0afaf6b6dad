/** Limits and defaults shared by host and window. Bytes, characters (UTF-16 code units) or counts, as named. */

/** Lines a view gives when none are asked for. */
export const DEFAULT_VIEW_LINES = 50;
/** Most lines of a view; for more, the view has `next_start_line`. */
export const MAX_VIEW_LINES = 2000;
/** A line longer than this many characters is clipped in views. */
export const MAX_LINE_CHARS = 2000;
/** Longer lines are shown in pieces of this many bytes. */
export const PIECE_BYTES = 64 * 1024;
/** Most characters of one line that is copied or saved. */
export const MAX_WHOLE_LINE_CHARS = 8 * 1024 * 1024;
/** Bytes of one MCP reply in UTF-8, its head included. */
export const MAX_REPLY_BYTES = 16 * 1024;
/** Most characters of one view that can be requested. */
export const MAX_VIEW_CHARS = 1_000_000;
/** Bytes in a byte window when none are asked for. */
export const DEFAULT_WINDOW_BYTES = 16 * 1024;
/** Most bytes of a dropped file in one request. */
export const MAX_DROPPED_BYTES = 512 * 1024;
/** Most bytes a byte window gives. */
export const MAX_WINDOW_BYTES = 1024 * 1024;
/** Message shapes in a summary when none are asked for. */
export const DEFAULT_SHAPES = 10;
/** Most sections an outline gives. */
export const MAX_SECTIONS = 2000;
/** Most message shapes a summary gives. */
export const MAX_SHAPES = 1000;
/** Lines of context around a match when none are asked for. */
export const DEFAULT_CONTEXT_LINES = 3;
/** Most lines of context around a match. */
export const MAX_CONTEXT_LINES = 200;
/** Most lines of context around a match in the window's results. */
export const MAX_RESULT_CONTEXT = 3;
/** Matches in one page when none are asked for. */
export const DEFAULT_MATCHES = 50;
/** Most matches in one page. */
export const MAX_MATCHES = 2000;
/** Artifacts in one page of a list when none are asked for. */
export const DEFAULT_LIST_LIMIT = 20;
/** Most artifacts in one page of a list. */
export const MAX_LIST_LIMIT = 10_000;
/** Most artifacts, new, changed or removed, in one event of the library. */
export const MAX_EVENT_ARTIFACTS = 500;
/** Rows in one block that the interface asks for and caches. */
export const ROWS_PER_BLOCK = 512;
/** How deep below a watched directory files are found. */
export const WATCH_DEPTH = 8;

/** Binary units, in bytes. */
export const KIB = 1024;
export const MIB = 1024 * KIB;
export const GIB = 1024 * MIB;

/** Bytes to leave free on a disk: `minFreeBytes`, or 1 GiB or 5 % of the disk, the smaller. */
export function bytesToLeaveFree(totalBytes: number, minFreeBytes: number | null = null): number {
  return minFreeBytes ?? Math.min(GIB, totalBytes * 0.05);
}
