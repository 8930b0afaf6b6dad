/** Merges pending changes: each id is either changed or removed, whichever was last. */
export class Changes<T> {
  /** By id, in the order in which they first changed. */
  readonly changed = new Map<string, T>();
  readonly removed = new Set<string>();

  put(id: string, value: T): void {
    this.removed.delete(id);
    this.changed.set(id, value);
  }

  remove(id: string): void {
    this.changed.delete(id);
    this.removed.add(id);
  }

  get size(): number {
    return this.changed.size + this.removed.size;
  }

  clear(): void {
    this.changed.clear();
    this.removed.clear();
  }
}
