/** Goose. Each long output overwrites a nameless temporary file, which is never deleted. */
import { onPaths } from '../facts/paths.ts';
import type { SourceKind } from '../source.ts';

export const goose: SourceKind = {
  name: 'goose',
  title: 'Goose',
  agent: 'goose',
  isDirectory: true,
  locate: ({ temporary }) => [temporary],
  describe: () => ({ label: 'Long output' }),
  includes: onPaths([/^\.tmp[0-9A-Za-z]{6}$/]),
};
