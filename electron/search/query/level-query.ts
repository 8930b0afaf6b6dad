/** Builds the expression of a search by severity. It finds candidates; `judgeByLevel` decides about each. */
import { LEVEL_WORDS, type Level } from '../../../shared/text/level-words.ts';

/**
 * An expression, to be matched without regard to case, that finds at least all lines of these levels: their words,
 * numbers of level fields, names of errors, and the beginnings that level-starts.ts knows.
 */
export function levelCandidates(levels: readonly Level[]): string {
  const words = [...LEVEL_WORDS].filter(([, level]) => levels.includes(level)).map(([word]) => word);
  const least = words.filter((word) => !words.some((other) => other !== word && word.includes(other)));
  return [...least, ...(levels.includes('error') ? ERROR_WORDS : []), ...BEGINNINGS].join('|');
}

const ERROR_WORDS = ['exception', 'traceback', 'segmentation', 'dumped', '^not ok ', '\\*\\*\\*'];
const BEGINNINGS = [
  '(?:level|lvl|severity)\\w*\\W*\\d\\d',
  'priority\\W*\\d',
  '^[FEWIDV][\\d/ :]',
  '^<\\d+>',
  '^\\d\\d-\\d\\d ',
];
