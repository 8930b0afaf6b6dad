/**
 * Adds to the library: the sources of the settings, the paths people open here, and those open in the home's
 * inspector.
 */
import { join, resolve } from 'node:path';
import type { Artifact } from '../../../shared/artifact.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { Library } from '../../library/library.ts';
import { pathNamed, realPath } from '../../reader/bytes/path-text.ts';
import { userFolder } from '../settings/user-folder.ts';
import { addSource } from './add-source.ts';
import { OpenedElsewhere, publishOpened, unpublishOpened } from './opened-elsewhere.ts';

export interface OpeningOptions {
  home: string;
  library: Library;
  /** This process is the inspector, and says what it opens. */
  publish: boolean;
  /** Follow what the inspector opens; otherwise it is looked at when somebody asks. */
  watch: boolean;
}

export class Opening {
  readonly #options: OpeningOptions;
  readonly #elsewhere: OpenedElsewhere | null;
  #paths: string[] = [];

  constructor(options: OpeningOptions) {
    this.#options = options;
    this.#elsewhere = options.publish
      ? null
      : new OpenedElsewhere(options.home, (path) => addSource(options.library, path, true));
  }

  /** Resolves with what cannot be opened, in sentences. */
  async start(sources: Settings['sources'], paths: readonly string[]): Promise<string[]> {
    const problems: string[] = [];
    const note = (error: unknown) => {
      problems.push(error instanceof Error ? error.message : String(error));
    };
    for (const source of sources) {
      if (typeof source === 'object' && 'kind' in source) continue;
      const { path, enabled, mcp } =
        typeof source === 'string' ? { path: source, enabled: true, mcp: true } : source;
      if (enabled) await addSource(this.#options.library, fromHome(path), mcp).catch(note);
    }
    for (const path of paths) await this.open(path).catch(note);
    await this.#elsewhere?.take();
    if (this.#options.watch) this.#elsewhere?.watch();
    return problems;
  }

  /**
   * Opens a person's file or directory. Resolves with its artifacts, newest first. Throws `not_found` and
   * `not_a_file`.
   */
  async open(path: string): Promise<Artifact[]> {
    const { home, library, publish } = this.#options;
    const artifacts = await addSource(library, pathNamed(path), true);
    const real = await realPath(pathNamed(path));
    // Only now, since others may have been opened meanwhile.
    this.#paths = [...new Set([...this.#paths, real])];
    if (publish) publishOpened(home, this.#paths);
    return artifacts;
  }

  /** The artifacts of files that were opened here. */
  get openedIds(): string[] {
    return this.#paths.flatMap((path) => this.#options.library.idAt(path) ?? []);
  }

  /** How often the inspector was found to have opened something. */
  get takenCount(): number {
    return this.#elsewhere?.count ?? 0;
  }

  /** Takes over what the inspector has open now; resolves with `takenCount`. */
  async take(): Promise<number> {
    return this.#elsewhere ? this.#elsewhere.take() : 0;
  }

  close(): void {
    if (this.#options.publish) unpublishOpened(this.#options.home);
    this.#elsewhere?.close();
  }
}

function fromHome(path: string): string {
  return path === '~' || path.startsWith('~/')
    ? join(userFolder(), path.slice(1))
    : resolve(userFolder(), path);
}
