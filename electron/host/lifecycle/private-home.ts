/** A home in which something may be removed: nobody else can write to it. */
import { lstatSync } from 'node:fs';
import { capturesFolder } from '../../store/format/names.ts';
import { homeProblem } from '../settings/home.ts';

/** The home itself, for which the same goes if it is not there yet. Errors: `home`. */
export function privateHome(home: string): string {
  for (const path of [home, capturesFolder(home)]) {
    if (!lstatSync(path, { throwIfNoEntry: false })) break;
    const problem = homeProblem(path);
    if (problem) throw problem;
  }
  return home;
}
