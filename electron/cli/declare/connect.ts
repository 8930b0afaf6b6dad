/** Declares connect. */
import type { ConnectCommandOptions } from '../commands/connect.ts';
import type { Services } from '../services.ts';
import type { Finish, Program } from './declaring.ts';
import * as examples from './examples.ts';

export function declareConnect(program: Program, finish: Finish, services: Services): void {
  program
    .command('connect')
    .summary('add Spillway to an agent, or remove it')
    .description(
      'Adds Spillway to the configuration of agents: as an MCP server and, with --record, as the recorder of their shell commands. Without arguments: lists the agents found here and their state.',
    )
    .argument('[CLIENT...]', 'agents, named as `spillway connect` lists them')
    .option(
      '--record [preview]',
      'record the shell commands of the agent; with =preview, replace long output by a preview',
    )
    .option(
      '--proxy <SERVER>',
      'put an MCP server that the agent has behind `spillway proxy`; with --remove, take it out again',
      (name: string, before: string[] = []) => [...before, name],
    )
    .option('--print', 'only show the change')
    .option('--remove', 'remove Spillway and restore what was there before')
    .option('--json', 'print one JSON document')
    .addNotes(examples.CONNECT)
    .action((clients: string[], options: ConnectCommandOptions) =>
      finish(
        import('../commands/connect.ts').then(({ connectClients }) =>
          connectClients(clients, options, services),
        ),
      ),
    );
}
