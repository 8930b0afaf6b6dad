/**
 * Renders a terminal's screen with an emulator that is fed the recorded bytes. The emulator is kept for a while, so
 * that asking again costs only new bytes. It works in slices and never blocks the thread for long.
 */
import type { Terminal } from '@xterm/headless';
import type { OpenStream } from '../../reader/bytes/open-stream.ts';
import type { Resized } from '../../store/contents/commands.ts';

/** A screen is taken to depend on so many of its last bytes, when it is not cleared or begun within them. */
const LOOK_BACK_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
/** Emulators that are kept, and for how long, in milliseconds. */
const KEPT_EMULATORS = 8;
const KEEP_MS = 60_000;
/** Lines above the screen: growing brings them back. */
const SCROLLBACK_LINES = 1000;
/** An emulator's memory is its cells. */
const MAX_COLUMNS = 1000;
const MAX_ROWS = 1000;

interface ScreenInput {
  stream: OpenStream;
  /** Changes when the stream is another text. */
  generation: number;
  /** By offset in the stored stream; the first is the size at the start. */
  sizes: readonly Resized[];
}

export interface Screen {
  lines: string[];
  columns: number;
  rows: number;
  /** From 1. */
  cursorRow: number;
  cursorColumn: number;
  alternate: boolean;
  /** It was not drawn from the beginning. */
  approximate: boolean;
}

interface Kept {
  terminal: Terminal;
  generation: number;
  /** Bytes fed so far from the beginning of the stream, skipped ones included. */
  fed: number;
  sizes: number;
  approximate: boolean;
  lastUsed: number;
  busy: Promise<unknown>;
}

export class Screens {
  readonly #kept = new Map<string, Kept>();
  #timer: NodeJS.Timeout | null = null;

  /** One request on a terminal at a time. */
  async show(id: string, input: ScreenInput): Promise<Screen> {
    let kept = this.#kept.get(id);
    if (!kept || kept.generation !== input.generation || kept.fed > input.stream.size) {
      kept?.terminal.dispose();
      kept = await begin(input);
      this.#kept.set(id, kept);
      this.#trim();
    }
    const shown = kept.busy.then(() => update(kept, input));
    kept.busy = shown.catch(() => {});
    try {
      return await shown;
    } finally {
      kept.lastUsed = performance.now();
    }
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
    for (const { terminal } of this.#kept.values()) terminal.dispose();
    this.#kept.clear();
  }

  #trim(): void {
    this.#timer ??= setInterval(() => this.#trim(), KEEP_MS).unref();
    const oldestFirst = [...this.#kept].sort(([, a], [, b]) => a.lastUsed - b.lastUsed);
    const tooMany = oldestFirst.length - KEPT_EMULATORS;
    oldestFirst.forEach(([id, kept], index) => {
      if (index >= tooMany && performance.now() - kept.lastUsed < KEEP_MS) return;
      this.#kept.delete(id);
      void kept.busy.then(() => kept.terminal.dispose());
    });
  }
}

async function begin({ stream, generation, sizes }: ScreenInput): Promise<Kept> {
  const { Terminal, Unicode11Addon } = await emulator();
  const start = stream.size <= LOOK_BACK_BYTES ? 0 : freshStart(stream, stream.size - LOOK_BACK_BYTES);
  const size = sizes.findLast(({ offset }) => offset <= start) ?? sizes[0] ?? { columns: 80, rows: 24 };
  const terminal = new Terminal({
    ...bounded(size),
    scrollback: SCROLLBACK_LINES,
    allowProposedApi: true,
    logLevel: 'off',
  });
  // The default width table predates emoji, which programs and terminals draw two columns wide.
  terminal.loadAddon(new Unicode11Addon());
  terminal.unicode.activeVersion = '11';
  return {
    ...{ terminal, generation, fed: start, approximate: start > 0 && !clears(stream, start) },
    sizes: sizes.filter(({ offset }) => offset <= start).length,
    ...{ lastUsed: performance.now(), busy: Promise.resolve() },
  };
}

/** Feeds the new output, each part at the screen size it was written for, and returns the screen. */
async function update(kept: Kept, { stream, sizes }: ScreenInput): Promise<Screen> {
  const { terminal } = kept;
  const buffer = Buffer.alloc(CHUNK_BYTES);
  for (;;) {
    for (let next = sizes[kept.sizes]; next && next.offset <= kept.fed; next = sizes[kept.sizes]) {
      const { cols, rows } = bounded(next);
      terminal.resize(cols, rows);
      kept.sizes += 1;
    }
    const end = Math.min(stream.size, sizes[kept.sizes]?.offset ?? stream.size, kept.fed + CHUNK_BYTES);
    if (end <= kept.fed) break;
    const count = stream.read(buffer.subarray(0, end - kept.fed), kept.fed);
    if (count === 0) break;
    await new Promise<void>((resolve) => terminal.write(buffer.subarray(0, count), resolve));
    kept.fed += count;
  }
  return look(kept);
}

function look({ terminal, approximate }: Kept): Screen {
  const buffer = terminal.buffer.active;
  const lines = Array.from(
    { length: terminal.rows },
    (_, row) => buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? '',
  );
  return {
    lines,
    columns: terminal.cols,
    rows: terminal.rows,
    cursorRow: buffer.cursorY + 1,
    // Behind a last column that is written, it stands there until more comes.
    cursorColumn: Math.min(buffer.cursorX + 1, terminal.cols),
    alternate: buffer.type === 'alternate',
    approximate,
  };
}

function bounded({ columns, rows }: { columns: number; rows: number }): { cols: number; rows: number } {
  return { cols: Math.min(MAX_COLUMNS, columns), rows: Math.min(MAX_ROWS, rows) };
}

/** The first place from `from` on where the screen is cleared or reset; else where a line begins; else `from`. */
function freshStart(stream: OpenStream, from: number): number {
  const bytes = Buffer.alloc(stream.size - from);
  const text = bytes.subarray(0, stream.read(bytes, from));
  const places = CLEARS.map((sequence) => text.indexOf(sequence)).filter((at) => at >= 0);
  if (places.length > 0) return from + Math.min(...places);
  return from + text.indexOf(0x0a) + 1;
}

function clears(stream: OpenStream, at: number): boolean {
  const bytes = Buffer.alloc(8);
  stream.read(bytes, at);
  return CLEARS.some((sequence) => bytes.subarray(0, sequence.length).toString('latin1') === sequence);
}

/** RIS, erase the screen, switch to the alternate one. */
const CLEARS = ['\x1bc', '\x1b[2J', '\x1b[?1049h'];

type Emulator = typeof import('@xterm/headless') & typeof import('@xterm/addon-unicode11');

/** Its code is only needed here. */
async function emulator(): Promise<Emulator> {
  const loaded = await Promise.all([import('@xterm/headless'), import('@xterm/addon-unicode11')]);
  return Object.assign({}, ...loaded.map(ofPackage)) as Emulator;
}

/** A CommonJS package comes as `default` from some loaders. */
function ofPackage(loaded: object): object {
  return 'default' in loaded ? (loaded.default as object) : loaded;
}
