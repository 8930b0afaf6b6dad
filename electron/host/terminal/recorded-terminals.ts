/** Finds recorded terminals: the named one, or the one in use. */

import { join } from 'node:path';
import * as z from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';
import { isOrAre, nearest, theNearest } from '../../../shared/text/nearest.ts';
import type { Catalogue } from '../../library/catalogue.ts';
import type { Captures } from '../../store/captures.ts';
import type { CaptureEntry } from '../../store/format/entry.ts';
import { readOwn } from '../../store/format/small-file.ts';
import { entryNames } from '../../store/format/walk.ts';
import { isProcessAlive } from '../../store/processes.ts';
import { lastActivity } from './terminal-view.ts';

/** Ids offered with an error. */
const OFFERED_IDS = 3;

export class RecordedTerminals {
  readonly #home: string;
  readonly #captures: Captures;
  readonly #catalogue: Catalogue;

  constructor(home: string, captures: Captures, catalogue: Catalogue) {
    this.#home = home;
    this.#captures = captures;
    this.#catalogue = catalogue;
  }

  /**
   * Finds the named terminal; without a name, the active one of an editor, else the most recently active. Throws
   * `not_found`, with the ids that may be meant.
   */
  async find(id: string | undefined): Promise<CaptureEntry> {
    if (id === undefined) {
      const entry = terminalInUse(this.#home, await this.#withActivity());
      if (entry) return entry;
      throw new SpillwayError(
        'not_found',
        'no terminal has been recorded',
        'start one with `spillway terminal`',
      );
    }
    const entry = this.#captures.find(id);
    if (entry?.record.kind === 'terminal') return entry;
    await this.#captures.refresh();
    throw new SpillwayError(
      'not_found',
      entry ? `${id} is not a terminal` : `no terminal has the id ${JSON.stringify(id.slice(0, 200))}`,
      await this.#offer(id.slice(0, 200)),
    );
  }

  /** The most recently active first. */
  async byActivity(): Promise<CaptureEntry[]> {
    return (await this.#withActivity()).map(({ entry }) => entry);
  }

  async #withActivity(): Promise<{ entry: CaptureEntry; activity: number }[]> {
    await this.#captures.refresh();
    return this.#ids()
      .flatMap((id) => this.#captures.find(id) ?? [])
      .map((entry) => ({ entry, activity: lastActivity(entry) }))
      .sort((a, b) => b.activity - a.activity);
  }

  async #offer(id: string): Promise<string> {
    const near = nearest(id, this.#ids(), OFFERED_IDS);
    if (near.length > 0) return theNearest(near);
    const active = (await this.byActivity()).slice(0, OFFERED_IDS).map((one) => one.id);
    if (active.length > 0) return `the last used ${isOrAre(active)}`;
    return 'none has been recorded yet, start one with `spillway terminal`';
  }

  #ids(): string[] {
    const terminals = this.#catalogue.all().filter(({ kind }) => kind === 'terminal');
    return terminals.map(({ artifact_id }) => artifact_id);
  }
}

// Reads what editors write down of their terminals, in `run/terminals/` of the home: which one is active.
// VS Code's extension writes one file for each window (electron/vscode/terminals.ts).

const EditorWindow = z.object({
  /** The process that wrote it, and removes it at its end. */
  owner: z.number().int().positive(),
  workspace: z.string().nullable(),
  /** Process id of the active terminal. */
  active: z.number().int().nullable(),
  /** When a terminal was last chosen, or a command ended in one. */
  changed_at: z.string(),
  terminals: z.array(z.object({ pid: z.number().int() })),
});
type EditorWindow = z.infer<typeof EditorWindow>;

/**
 * Returns the terminal in use: the active one of the editor window used last, unless there was output since in a
 * terminal outside of editors. `entries`: all terminals, the most recently active first, with `activity` in
 * milliseconds.
 */
function terminalInUse(
  home: string,
  entries: readonly { entry: CaptureEntry; activity: number }[],
): CaptureEntry | null {
  const latest = entries[0];
  for (const { active, changed_at, terminals } of editorWindows(home)) {
    const found = entries.find(({ entry }) => active !== null && pidOf(entry) === active);
    if (!found || !latest) continue;
    const isLatestHere = terminals.some(({ pid }) => pid === pidOf(latest.entry));
    return isLatestHere || latest.activity <= Date.parse(changed_at) ? found.entry : latest.entry;
  }
  return latest?.entry ?? null;
}

/** The one used last comes first. */
function editorWindows(home: string): EditorWindow[] {
  const folder = join(home, 'run', 'terminals');
  return entryNames(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => read(join(folder, name)) ?? [])
    .filter(({ owner }) => isProcessAlive(owner))
    .sort((a, b) => b.changed_at.localeCompare(a.changed_at));
}

function pidOf({ record }: CaptureEntry): number | null {
  return record.status === 'running' ? (record.recorder?.pid ?? null) : null;
}

function read(path: string): EditorWindow | null {
  try {
    return EditorWindow.safeParse(JSON.parse(readOwn(path) ?? '')).data ?? null;
  } catch {
    return null;
  }
}
