/**
 * Finds agents' own copies of commands that Spillway recorded, so that the list has one row for each command: ours. A
 * copy has the same agent and command, and was written while the command ran.
 */

import type { Artifact } from '../../shared/artifact.ts';
import { recordedCommand } from '../../shared/secrets/mask.ts';

/** More than the clocks and the order of two writers differ by. */
const SLACK_MS = 3000;
/** An agent that names no conversation is known by its process. */
const PROCESS_SESSION = /^pid-/;

export class Twins {
  readonly #captures = new Map<string, Map<string, Artifact>>();
  readonly #copies = new Map<string, Map<string, Artifact>>();
  readonly #keys = new Map<string, string>();
  readonly #hidden = new Set<string>();

  /** True for a copy that is not listed. */
  hides(id: string): boolean {
    return this.#hidden.has(id);
  }

  /** Returns the ids of copies that are hidden now and were not, or the reverse. */
  put(artifact: Artifact): string[] {
    const { artifact_id: id, agent, command, kind } = artifact;
    const key =
      agent === null || command === null ? null : `${agent.name}\n${recordedCommand(command.trim())}`;
    const known = this.#keys.get(id);
    if (key === null && known === undefined) return [];
    const changed = known !== undefined && known !== key ? this.remove(id) : [];
    if (key === null) return changed;
    this.#keys.set(id, key);
    put(kind === 'file' ? this.#copies : this.#captures, key, artifact);
    return [...changed, ...this.#judge(key, kind === 'file' ? id : null)];
  }

  remove(id: string): string[] {
    const key = this.#keys.get(id);
    if (key === undefined) return [];
    this.#keys.delete(id);
    this.#hidden.delete(id);
    for (const map of [this.#captures, this.#copies]) {
      map.get(key)?.delete(id);
      if (map.get(key)?.size === 0) map.delete(key);
    }
    return this.#judge(key, null);
  }

  /** `only`: the id of the one copy that may have changed. */
  #judge(key: string, only: string | null): string[] {
    const captures = [...(this.#captures.get(key)?.values() ?? [])];
    const changed: string[] = [];
    for (const [id, copy] of this.#copies.get(key) ?? []) {
      if (only !== null && id !== only) continue;
      const isTwin = captures.some((capture) => areOne(capture, copy));
      if (isTwin === this.#hidden.has(id)) continue;
      if (isTwin) this.#hidden.add(id);
      else this.#hidden.delete(id);
      changed.push(id);
    }
    return changed;
  }
}

function areOne(capture: Artifact, copy: Artifact): boolean {
  const [ours, theirs] = [capture.agent?.session ?? null, copy.agent?.session ?? null];
  const areNamed = ours !== null && theirs !== null && !PROCESS_SESSION.test(ours);
  if (areNamed && ours !== theirs) return false;
  const [a, b] = [spanOf(capture), spanOf(copy)];
  return a.start <= b.end + SLACK_MS && b.start <= a.end + SLACK_MS;
}

function spanOf({ started_at, ended_at, status }: Artifact): { start: number; end: number } {
  const start = Date.parse(started_at ?? '') || 0;
  // The end of an interrupted one may be unknown.
  const open = status === 'interrupted' ? start : Number.POSITIVE_INFINITY;
  return { start, end: Math.max(start, ended_at === null ? open : Date.parse(ended_at)) };
}

function put(map: Map<string, Map<string, Artifact>>, key: string, artifact: Artifact): void {
  const same = map.get(key) ?? new Map<string, Artifact>();
  map.set(key, same);
  same.set(artifact.artifact_id, artifact);
}
