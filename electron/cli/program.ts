/**
 * Declares the command line. `declare/` has each command's options and names the file that runs it. That file is
 * loaded only when the command runs, so help and errors are fast.
 */
import { SpillwayCommand } from './command.ts';
import * as examples from './declare/examples.ts';
import {
  declareCompletion,
  declareConnect,
  declareDoctor,
  declareMcp,
  declareOpen,
  declareProxy,
  declareServe,
} from './declare/host.ts';
import type { Finish } from './declare/options.ts';
import { declareCompare, declareInspect, declareList, declareRead } from './declare/read.ts';
import { declareCapture, declareRun, declareTerminal } from './declare/record.ts';
import { declareStorage } from './declare/storage.ts';
import type { Services } from './services.ts';

/**
 * Runs one command line; `args` are without `node` and the file. Resolves with the exit status. Throws
 * SpillwayError.
 */
export async function runProgram(args: readonly string[], services: Services): Promise<number> {
  let status = 0;
  const finish: Finish = async (running) => {
    status = await running;
  };
  await declareProgram(finish, services).run(args);
  return status;
}

/** Declares every command and option, in the order of `--help`. */
export function declareProgram(finish: Finish, services: Services): SpillwayCommand {
  const program = new SpillwayCommand('spillway')
    .description(
      'Keeps the whole output of commands and tools, and reads the part that matters: head, tail, matching lines, the cause of a failure.',
    )
    .version(services.version, '--version', 'print the version')
    .helpOption('--help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .enablePositionalOptions()
    .addNotes(examples.TOP);
  declareRun(program, finish, services);
  declareCapture(program, finish, services);
  declareInspect(program, finish);
  declareRead(program, finish);
  declareCompare(program, finish);
  declareList(program, finish);
  declareStorage(program, finish);
  declareTerminal(program, finish, services);
  declareOpen(program, finish, services);
  declareServe(program, finish, services);
  declareMcp(program, finish, services);
  declareProxy(program, finish, services);
  declareConnect(program, finish, services);
  declareCompletion(program, finish);
  declareDoctor(program, finish, services);
  return program as SpillwayCommand;
}
