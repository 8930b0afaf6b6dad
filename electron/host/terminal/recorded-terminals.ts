/** Finds recorded terminals: the named one, or the one in use. */
import { SpillwayError } from '../../../shared/errors.ts';
import { isOrAre, nearest, theNearest } from '../../../shared/text/nearest.ts';
import type { Catalogue } from '../../library/catalogue/catalogue.ts';
import type { Captures } from '../../store/captures.ts';
import type { CaptureEntry } from '../../store/format/entry.ts';
import { terminalInUse } from './open-terminals.ts';
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
