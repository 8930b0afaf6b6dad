/** Watches the growth of captures and the free space. Warns windows at once, and agents with their next reply. */
import { agentName } from '../../../shared/agents/agent-names.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import type { Library } from '../../library/library.ts';
import { readableByAgents } from '../documents/targets/path-of-target.ts';
import { aboutFile, GrowthGuard, type GrowthLimits } from './growth-guard.ts';
import { SpaceWatch, type WatchedFolder } from './space-watch.ts';
import { Warnings } from './warnings.ts';

interface GuardOptions {
  home: string;
  library: Library;
  limits(): GrowthLimits & { minFreeBytes: number | null };
  /** Shows a message in the windows. */
  say(text: string): void;
  /** Called when the guard stops following a file. */
  stopped(path: string): void;
}

export class Guard {
  readonly #options: GuardOptions;
  readonly #warnings: Warnings;
  readonly #growth: GrowthGuard;
  readonly #space: SpaceWatch;
  readonly #stop: () => void;

  constructor(options: GuardOptions) {
    const { home, library, limits, stopped } = options;
    this.#options = options;
    this.#warnings = new Warnings(home);
    this.#growth = new GrowthGuard({
      limits,
      warn: (about, artifact, what) => this.#warnGrowth(about, artifact, what),
      openers: (path) => library.disk.openers(path).catch(() => []),
      stop: (path, reason) => {
        library.stopFollowing(path, `This file ${reason}`);
        stopped(path);
      },
    });
    this.#space = new SpaceWatch({
      folders: () => this.#folders(),
      look: (path) => library.disk.space(path),
      minFreeBytes: () => limits().minFreeBytes,
      warn: (about, text, textForAgents) => this.#warn(about, text, textForAgents),
    });
    this.#stop = library.catalogue.watchListed(this.#growth.take);
  }

  close(): void {
    this.#stop();
    this.#space.close();
    this.#warnings.close();
  }

  *#folders(): Iterable<WatchedFolder> {
    const { home, library } = this.#options;
    yield { path: home, bytes: 0, title: 'Spillway', isReadable: true };
    for (const { path, kind, readableOverMcp: isReadable } of library.sources)
      if (kind.agent !== undefined) {
        const [bytes, { title }] = [this.#growth.bytesOf(kind.agent), agentName(kind.agent)];
        yield { path, bytes, title, isReadable };
      }
  }

  #warnGrowth(about: string, artifact: Artifact | null, what: string): void {
    if (artifact === null) {
      const text = `Captures of ${agentName(about).title} ${what}`;
      this.#warn(about, text, text);
      return;
    }
    const isReadable = readableByAgents(this.#options.library)(artifact);
    this.#warn(about, `${aboutFile(artifact, true)} ${what}`, `${aboutFile(artifact, isReadable)} ${what}`);
  }

  #warn(about: string, text: string, textForAgents: string): void {
    if (this.#warnings.note({ about, at: Date.now(), text: textForAgents })) this.#options.say(text);
  }
}
