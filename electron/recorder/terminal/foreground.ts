/** Tells which of a terminal's jobs is in the foreground. */
import { closeSync, constants, openSync } from 'node:fs';
import { processStat } from '../../store/processes.ts';

/**
 * True when a terminal's keys reach us and our whole process group. A command then stays in our group, so that it
 * can read that terminal and gets the terminal's signals directly.
 */
export function isInForeground(): boolean {
  return hasTerminal() && isForegroundGroup();
}

/** Another job has it. One that nobody's jobs are controlled by, such as a console in a container, is everybody's. */
export function isInBackground(): boolean {
  return hasTerminal() && !isForegroundGroup();
}

/** One that controls our job. */
function hasTerminal(): boolean {
  if (process.platform === 'win32') return false;
  try {
    closeSync(openSync('/dev/tty', constants.O_RDONLY | constants.O_NOCTTY | constants.O_NONBLOCK));
    return true;
  } catch {
    return false;
  }
}

function isForegroundGroup(): boolean {
  const stat = processStat('self');
  return stat === null || stat.group === stat.foreground;
}
