/** Declares connect. */
import type { ConnectOptions } from '../connect.ts';
import * as examples from '../examples.ts';
import type { Services } from '../services.ts';
import type { Finish, Program } from './declaring.ts';

export function declareConnect(program: Program, finish: Finish, services: Services): void {
  program
    .command('connect')
    .summary('add Spillway to an agent, or take it out')
    .description(
      'Adds Spillway to the configuration of agents, as an MCP server and, with --record, in the path of their shell commands. Alone: says which agents are here and how they stand.',
    )
    .argument('[CLIENT...]', 'agents, by the names that `spillway connect` lists')
    .option(
      '--record [preview]',
      'record the commands it runs; with =preview, long output reaches it as a preview',
    )
    .option('--print', 'show the change, and make none')
    .option('--remove', 'take Spillway out: what was there before is there again')
    .option('--json', 'print one JSON document')
    .addHelpText('after', examples.CONNECT)
    .action((clients: string[], options: ConnectOptions) =>
      finish(
        import('../connect.ts').then(({ connectClients }) => connectClients(clients, options, services)),
      ),
    );
}
