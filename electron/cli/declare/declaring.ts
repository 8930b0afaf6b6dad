/** Types for the declarations of commands. */
import type { SpillwayCommand } from '../command.ts';

export type Program = Pick<SpillwayCommand, 'command'>;
/** Takes the exit status of the command that was given, once it has one. */
export type Finish = (running: Promise<number>) => Promise<void>;
