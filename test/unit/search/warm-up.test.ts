import { describe, expect, it } from 'vitest';
import { compileMatcher } from '../../../electron/search/query/matcher.ts';
import { warmUp } from '../../../electron/search/warm-up.ts';
import { createWorkspace } from '../../../electron/search/workspace.ts';

describe('warming up', () => {
  it('takes several short steps and leaves searches as they are', () => {
    const workspace = createWorkspace();
    expect([...warmUp(workspace)].length).toBeGreaterThan(1);
    const end = workspace.source.write('one warm line\nanother\n');
    const query = { pattern: 'warm', case_sensitive: true, fixed: false, invert: false };
    const block = {
      ...{ start: 0, end, newlines: 2, plain: true, unended: false, part: null },
      line: { offset: 0, end },
    };
    const lines = compileMatcher(workspace, query, false).match(
      block,
      () => {
        throw new Error('not needed');
      },
      () => {},
    );
    expect([...lines]).toEqual([0]);
  });
});
