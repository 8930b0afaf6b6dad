/**
 * Assigns ids to paths. Six hexadecimal digits are few: among thousands of files with one name, made in one second,
 * some want the same id. The path that sorts first gets it, and the others try the next id of their own sequence.
 * This is deferred acceptance (Gale and Shapley, 1962): its outcome does not depend on the order in which files are
 * found, so every process that knows the same files gives them the same ids.
 */

/** Returns the id a path wants at its first (0), second (1), … attempt. */
export type IdSequence = (attempt: number) => string;

interface Claim {
  sequence: IdSequence;
  attempt: number;
  id: string;
}

export class IdBook {
  readonly #holders = new Map<string, string>();
  readonly #claims = new Map<string, Claim>();
  /** By id: the paths that wanted it and had to try another. */
  readonly #passed = new Map<string, Set<string>>();

  of(path: string): string | undefined {
    return this.#claims.get(path)?.id;
  }

  /** Assigns an id to `path`. Returns every path whose id is new or changed, `path` first. */
  claim(path: string, sequence: IdSequence): string[] {
    const changed = this.release(path);
    this.#seat(path, sequence, changed);
    return [path, ...new Set(changed.filter((other) => other !== path))];
  }

  /** Frees the id of `path`. Returns every other path whose id changed. */
  release(path: string): string[] {
    const changed: string[] = [];
    this.#unseat(path, changed);
    return changed;
  }

  #seat(path: string, sequence: IdSequence, changed: string[]): void {
    let asking = path;
    let claim: Claim = { sequence, attempt: 0, id: sequence(0) };
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
      claim = { sequence: claim.sequence, attempt, id: claim.sequence(attempt) };
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
      this.#passed.get(claim.sequence(attempt))?.delete(path);
    const { id } = claim;
    this.#holders.delete(id);
    const waiting = this.#passed.get(id);
    if (!waiting) return;
    this.#passed.delete(id);
    for (const other of waiting) {
      const again = this.#claims.get(other);
      if (!again) continue;
      this.#unseat(other, changed);
      this.#seat(other, again.sequence, changed);
      changed.push(other);
    }
  }
}
