/** Outputs and sessions as destinations of the palette. */

import { escapeLine } from '../../shared/text/escape.ts';
import { plural } from '../../shared/text/format.ts';
import { type PaletteItem, usePaletteDestinations } from '../actions/palette-items.ts';
import { folderOf, isPlainFile, kindOf, nameOf, shortStatusWord } from '../library/artifact-facts.ts';
import type { LibraryStore } from '../library/library-store.ts';

/** Without a word typed, only the newest outputs are offered. */
const NEWEST_OUTPUTS = 5;
/** Most outputs to search for each key. */
const MAX_OUTPUTS = 20_000;

export function useDestinations(library: LibraryStore, open: (artifactId: string) => void): void {
  usePaletteDestinations((query) => {
    const typed = query.trim() !== '';
    const entries = library.sorted.slice(0, typed ? MAX_OUTPUTS : NEWEST_OUTPUTS);
    const outputs = entries.map(({ id, artifact }): PaletteItem => {
      const status = isPlainFile(artifact) ? null : shortStatusWord(artifact);
      return {
        id: `output ${id}`,
        text: nameOf(artifact),
        kind: kindOf(artifact).word,
        detail: [status, folderOf(artifact), artifact.session && escapeLine(artifact.session)]
          .filter(Boolean)
          .join(' · '),
        icon: kindOf(artifact).icon,
        run: () => open(id),
      };
    });
    return typed ? [...outputs, ...sessionsOf(library, open)] : outputs;
  });
}

/** A session leads to its newest output. */
function sessionsOf(library: LibraryStore, open: (artifactId: string) => void): PaletteItem[] {
  const sessions = new Map<string, { newest: string; count: number }>();
  for (const { id, artifact } of library.sorted.slice(0, MAX_OUTPUTS)) {
    if (artifact.session === null) continue;
    const known = sessions.get(artifact.session);
    if (known) known.count += 1;
    else sessions.set(artifact.session, { newest: id, count: 1 });
  }
  return [...sessions].map(([name, { newest, count }]) => ({
    id: `session ${name}`,
    text: escapeLine(name),
    kind: 'session',
    detail: plural(count, 'output'),
    icon: 'group',
    run: () => open(newest),
  }));
}
