/** Goose. Each long output overwrites a nameless temporary file, which is never deleted. */
import { type Agent, onPaths } from './agent.ts';

export const goose: Agent = {
  id: 'goose',
  captures: {
    locate: ({ temporary }) => [temporary],
    describe: () => ({ label: 'Long output' }),
    includes: onPaths([/^\.tmp[0-9A-Za-z]{6}$/]),
  },
};
