/** Checks that files may be removed from a home: no other user can write to it or replace it. */
import { lstatSync } from 'node:fs';
import { captureRoots, capturesFolder } from '../../store/format/places.ts';
import { homeProblem } from '../settings/home.ts';
import { openPathProblem } from '../settings/open-path.ts';

/** Returns the home; one that does not exist yet passes, too. Errors: `home`. */
export function privateHome(home: string): string {
  const open = openPathProblem(home);
  if (open) throw open;
  for (const path of [home, capturesFolder(home), ...captureRoots(home)]) {
    if (!lstatSync(path, { throwIfNoEntry: false })) continue;
    const problem = homeProblem(path);
    if (problem) throw problem;
  }
  return home;
}
