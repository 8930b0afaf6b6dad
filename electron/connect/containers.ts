/** Refuses a configuration file that has another kind of value where an object or a list belongs. */
import { SpillwayError } from '../../shared/errors.ts';
import type { Client, ConfigFile } from './client.ts';
import { valueAt } from './edit/format.ts';

/** Throws `usage`, which names the file and the key. `root`: the file's content before any change. */
export function checkContainers({ path: file, settings }: ConfigFile, client: Client, root: unknown): void {
  for (const { path, isItem } of settings) {
    const objects = path.slice(1).map((_, index) => path.slice(0, index + 1));
    for (const container of objects) check(file, client, { root, path: container, wanted: 'an object' });
    if (isItem) check(file, client, { root, path, wanted: 'a list' });
  }
}

function check(
  file: string,
  client: Client,
  { root, path, wanted }: { root: unknown; path: readonly string[]; wanted: 'an object' | 'a list' },
): void {
  const found = valueAt(root, path);
  const kind = kindOf(found);
  if (found === undefined || kind === wanted) return;
  throw new SpillwayError(
    'usage',
    `${file} has ${kind} as ${path.join('.')}, where ${wanted} belongs`,
    `correct it, then connect ${client.id} again; nothing was changed`,
  );
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
