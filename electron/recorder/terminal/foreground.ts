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

/**
 * Whether another job has the terminal. A terminal without job control, such as a container's console, is in everyone's
 * foreground.
 */
export function isInBackground(): boolean {
  return hasTerminal() && !isForegroundGroup();
}

/** Whether a terminal controls our job. */
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
