/** Runs a search's code before the first search, which would otherwise wait until it is loaded and compiled. */
import { compileMatcher } from './query/matcher.ts';
import type { Workspace } from './workspace.ts';

const PATTERNS = ['warm', 'w\\w+m\\s\\d', '\\p{L}+ing$'];
const LINE = 'Warming: 1 line of \x1b[1mtext\x1b[0m, wärm 2\n';
const LINES = 1000;
const ROUNDS = 4;

/** Searches a short text, each time it goes on for another expression. */
export function* warmUp(workspace: Workspace): Generator<void> {
  for (const pattern of PATTERNS) {
    const end = workspace.source.write(LINE.repeat(LINES));
    const block = {
      ...{ start: 0, end, newlines: LINES, plain: false, unended: false, part: null },
      line: { offset: 0, end },
    };
    const query = { pattern, case_sensitive: false, fixed: false, invert: false };
    const search = compileMatcher(workspace, query, false);
    const noLongLine = () => {
      throw new RangeError('no line is longer than the block');
    };
    for (let round = 0; round < ROUNDS; round += 1) search.match(block, noLongLine, () => {});
    yield;
  }
}
