/** Goose. Each long output overwrites a nameless temporary file, which is never deleted. */

import { onPaths } from '../facts/paths.ts';
import { agentFolder, type SourceKind } from '../source.ts';

export const goose: SourceKind = {
  ...agentFolder('goose'),
  locate: ({ temporary }) => [temporary],
  describe: () => ({ label: 'Long output' }),
  includes: onPaths([/^\.tmp[0-9A-Za-z]{6}$/]),
};
