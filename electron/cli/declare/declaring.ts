/** Types for the declarations of commands. */
import type { SpillwayCommand } from '../command.ts';

export type Program = Pick<SpillwayCommand, 'command'>;
/** Receives the exit status of the command that ran. */
export type Finish = (running: Promise<number>) => Promise<void>;
