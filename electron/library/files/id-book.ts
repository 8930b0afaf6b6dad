/**
 * Who has which id. An id's six hexadecimal digits are few: of thousands of files with one name, made in one second, some
 * want the same. Then the path that sorts first gets it, and the others ask for the next of their own row of ids. That is
 * deferred acceptance (Gale and Shapley, 1962), whose outcome does not depend on the order in which files are found: every
 * process that knows the same files gives them the same ids.
 */

export type IdRow = (attempt: number) => string;

interface Claim {
  row: IdRow;
  attempt: number;
  id: string;
}

export class IdBook {
  readonly #holders = new Map<string, string>();
  readonly #claims = new Map<string, Claim>();
  /** The paths that wanted an id and went on. */
  readonly #passed = new Map<string, Set<string>>();

  of(path: string): string | undefined {
    return this.#claims.get(path)?.id;
  }

  /** Every path whose id is new or another now, `path` first. */
  claim(path: string, row: IdRow): string[] {
    const changed = this.release(path);
    this.#seat(path, row, changed);
    return [path, ...new Set(changed.filter((other) => other !== path))];
  }

  /** Every other path whose id is another now. */
  release(path: string): string[] {
    const changed: string[] = [];
    this.#unseat(path, changed);
    return changed;
  }

  #seat(path: string, row: IdRow, changed: string[]): void {
    let asking = path;
    let claim: Claim = { row, attempt: 0, id: row(0) };
    for (;;) {
      const { id } = claim;
      const holder = this.#holders.get(id);
      if (holder === undefined) {
        this.#give(asking, claim);
        return;
      }
      const loser = holder < asking ? asking : holder;
      if (loser === holder) {
        const losing = this.#claims.get(holder)!;
        this.#give(asking, claim);
        changed.push(holder);
        asking = holder;
        claim = losing;
      }
      const passed = this.#passed.get(id);
      if (passed) passed.add(loser);
      else this.#passed.set(id, new Set([loser]));
      const attempt = claim.attempt + 1;
      claim = { row: claim.row, attempt, id: claim.row(attempt) };
    }
  }

  #give(path: string, claim: Claim): void {
    this.#holders.set(claim.id, path);
    this.#claims.set(path, claim);
  }

  #unseat(path: string, changed: string[]): void {
    const claim = this.#claims.get(path);
    if (!claim) return;
    this.#claims.delete(path);
    for (let attempt = 0; attempt < claim.attempt; attempt += 1)
      this.#passed.get(claim.row(attempt))?.delete(path);
    const { id } = claim;
    this.#holders.delete(id);
    const waiting = this.#passed.get(id);
    if (!waiting) return;
    this.#passed.delete(id);
    for (const other of waiting) {
      const again = this.#claims.get(other);
      if (!again) continue;
      this.#unseat(other, changed);
      this.#seat(other, again.row, changed);
      changed.push(other);
    }
  }
}
