/** Registers the kinds of sources. To add one: write its file beside this one, and list it here. */
import { directory } from './directory.ts';
import { singleFile } from './single-file.ts';
import type { SourceKind } from './source.ts';

export const sourceKinds: readonly SourceKind[] = [directory, singleFile];

/** Returns the kind of that name, as it stands in config.json. */
export function sourceKindNamed(name: string): SourceKind | undefined {
  return sourceKinds.find((kind) => kind.name === name);
}
