/** Roo Code, and editors' extensions made from it. A long command's output streams to a file of its task. */
import { join } from 'node:path';
import { type Agent, ANY, editorFolders, onPaths } from './agent.ts';
import { startedIn } from './facts/calls.ts';

export const roo: Agent = {
  id: 'roo',
  captures: {
    locate: (user) => editorFolders(user).map((folder) => join(folder, 'User', 'globalStorage')),
    includes: onPaths([/^[\w-]+\.[\w-]+$/, 'tasks', ANY, 'command-output', /^cmd-\d+\.txt$/]),
    describe: ({ names }) => ({
      session: names[2] ?? null,
      ...startedIn(/^cmd-(\d+)\.txt$/, names.at(-1)!),
    }),
  },
};
