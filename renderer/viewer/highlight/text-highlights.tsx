/**
 * Finds where the highlighters match in the texts on the screen. The host searches, as an expression may take for ever;
 * each text is requested once, several together.
 */
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Connection } from '../../../shared/api/api.ts';
import {
  FREE,
  HIGHLIGHTERS,
  type Highlighter,
  MAX_HIGHLIGHT_CHARS,
  type SearchQuery,
} from '../../../shared/search-query.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import { createStore, noSubscription } from '../../ui/state/store.ts';

/** A marked part of a text. */
export interface Highlight {
  start: number;
  end: number;
  colour: number;
}

const MAX_TEXTS = 4000;
const TEXTS_PER_REQUEST = 256;

export class TextHighlights {
  readonly #connection: Connection;
  readonly #listeners = new Set<() => void>();
  readonly #unsubscribe: () => void;
  /** Least recently requested first. */
  readonly #known = new Map<string, readonly Highlight[]>();
  readonly #wanted = new Set<string>();
  #round = 0;
  #problems: (string | null)[] = [];
  #asking = false;
  #closed = false;
  #active: { colours: number[]; queries: SearchQuery[] } = { colours: [], queries: [] };

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#take(highlighters.get());
    this.#unsubscribe = highlighters.subscribe(() => {
      this.#take(highlighters.get());
      this.#tell();
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns null while unknown, and if nothing is highlighted. */
  of(text: string): readonly Highlight[] | null {
    return this.#known.size === 0 ? null : (this.#known.get(text) ?? null);
  }

  /** Changes with the highlighters: request all texts again. */
  get round(): number {
    return this.#round;
  }

  /** Each colour's problem with its pattern. */
  get problems(): readonly (string | null)[] {
    return this.#problems;
  }

  /** Requests a text soon. */
  want(text: string): void {
    if (this.#active.queries.length === 0 || text === '' || this.#known.has(text)) return;
    this.#wanted.add(text);
    if (this.#asking) return;
    this.#asking = true;
    // Request it together with the other rows drawn now.
    queueMicrotask(() => void this.#ask());
  }

  close(): void {
    this.#closed = true;
    this.#unsubscribe();
  }

  #take(all: readonly Highlighter[]): void {
    const colours = all.flatMap(({ pattern, on }, colour) => (on && pattern !== '' ? [colour] : []));
    const queries = colours.map((colour) => {
      const { pattern, fixed, case_sensitive } = all[colour]!;
      return { pattern, fixed, case_sensitive, invert: false };
    });
    if (JSON.stringify([colours, queries]) === JSON.stringify([this.#active.colours, this.#active.queries]))
      return;
    this.#active = { colours, queries };
    this.#problems = [];
    this.#known.clear();
    this.#round += 1;
  }

  async #ask(): Promise<void> {
    while (this.#wanted.size > 0 && !this.#closed) {
      const active = this.#active;
      const texts = [...this.#wanted].slice(-TEXTS_PER_REQUEST);
      for (const text of texts) this.#wanted.delete(text);
      const params = { texts, queries: active.queries };
      const found = await this.#connection.request('highlight', params).catch(() => null);
      if (!found || active !== this.#active) continue;
      for (const [at, text] of texts.entries()) {
        const all = found.matches.flatMap((matches, query) =>
          pairs(matches?.[at] ?? [], active.colours[query]!),
        );
        this.#known.set(text, apart(all));
      }
      for (const text of this.#known.keys()) {
        if (this.#known.size <= MAX_TEXTS) break;
        this.#known.delete(text);
      }
      const problems: (string | null)[] = [];
      for (const [query, problem] of found.problems.entries()) problems[active.colours[query]!] = problem;
      // Replace the array only if the problems differ, as watchers compare arrays.
      if (JSON.stringify(problems) !== JSON.stringify(this.#problems)) this.#problems = problems;
      this.#tell();
    }
    this.#asking = false;
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function pairs(matches: readonly number[], colour: number): Highlight[] {
  const found: Highlight[] = [];
  for (let i = 0; i + 1 < matches.length; i += 2)
    found.push({ start: matches[i]!, end: matches[i + 1]!, colour });
  return found;
}

/** Returns them in order without overlaps: of two overlapping ones, the first colour stays whole. */
export function apart(all: readonly Highlight[]): Highlight[] {
  const kept: Highlight[] = [];
  for (const next of [...all].sort((a, b) => a.colour - b.colour || a.start - b.start)) {
    let parts = [next];
    for (const { start, end } of kept) {
      parts = parts.flatMap((part) => [
        { ...part, end: Math.min(part.end, start) },
        { ...part, start: Math.max(part.start, end) },
      ]);
      parts = parts.filter((part) => part.start < part.end);
    }
    kept.push(...parts);
  }
  return kept.sort((a, b) => a.start - b.start);
}

/** Null without highlights. */
export const Highlights = createContext<TextHighlights | null>(null);

/** Returns null while unknown, and requests them. */
export function useHighlights(text: string): readonly Highlight[] | null {
  const highlights = useContext(Highlights);
  const read = useCallback(() => highlights?.of(text) ?? null, [highlights, text]);
  const subscribe = highlights?.subscribe ?? noSubscription;
  const found = useSyncExternalStore(subscribe, read);
  const round = useSyncExternalStore(
    subscribe,
    useCallback(() => highlights?.round ?? 0, [highlights]),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another round it is asked for anew
  useEffect(() => {
    if (found === null) highlights?.want(text);
  }, [highlights, text, found, round]);
  return found;
}

/** Provides the highlights of texts to all rows below it. */
export function HighlightProvider({ children }: { children: ReactNode }) {
  const connection = useConnection();
  const [highlights, setHighlights] = useState<TextHighlights | null>(null);
  useEffect(() => {
    if (!connection) return;
    const stopKeeping = keepHighlighters(connection);
    const next = new TextHighlights(connection);
    setHighlights(next);
    return () => {
      stopKeeping();
      next.close();
    };
  }, [connection]);
  return <Highlights.Provider value={highlights}>{children}</Highlights.Provider>;
}

// The person's highlighters in the window. The host stores them, a moment after a change.

/** Names of the colours, in their order. */
export const COLOUR_NAMES = [
  ...['yellow', 'green', 'blue', 'pink', 'orange', 'teal', 'violet', 'red', 'lime', 'grey'],
] as const;

/** By colour. */
export const highlighters = createStore<readonly Highlighter[]>(
  Array.from({ length: HIGHLIGHTERS }, () => FREE),
);

const SAVE_AFTER_MS = 300;

let keep: (() => void) | null = null;

/** Loads the highlighters from the host, and saves changes there. Returns a function that ends this. */
function keepHighlighters(connection: Connection): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const save = () => {
    connection.request('setHighlighters', { highlighters: [...highlighters.get()] }).catch(() => {
      // Not saved: they last until the window closes.
    });
  };
  keep = () => {
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_AFTER_MS);
  };
  connection.request('highlighters', {}).then(
    (kept) => timer === undefined && highlighters.set(kept),
    () => {},
  );
  return () => {
    clearTimeout(timer);
    keep = null;
  };
}

export function setHighlighters(all: readonly Highlighter[]): void {
  highlighters.set(all);
  keep?.();
}

export function changeHighlighter(colour: number, change: Partial<Highlighter>): void {
  setHighlighters(highlighters.get().map((each, at) => (at === colour ? { ...each, ...change } : each)));
}

/**
 * Highlights a text in a free colour, or removes its highlight. Returns the colour, and whether it is on now; null if
 * all colours are taken.
 */
export function toggleText(text: string): { colour: number; on: boolean } | null {
  const all = highlighters.get();
  const pattern = text.slice(0, MAX_HIGHLIGHT_CHARS);
  const known = all.findIndex((each) => each.on && each.fixed && each.pattern === pattern);
  const free = all.findIndex((each) => each.pattern === '');
  if (known < 0 && free < 0) return null;
  if (known >= 0) changeHighlighter(known, FREE);
  else changeHighlighter(free, { ...FREE, pattern, case_sensitive: true });
  return { colour: known >= 0 ? known : free, on: known < 0 };
}

/** The colour of a highlighter, for the class `tint`. */
export const tintOf = (colour: number): object => ({ '--tint': `var(--highlight-${colour})` });
