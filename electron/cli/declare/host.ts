/** Declares the commands open, serve, mcp, proxy, completion and doctor. */

import { Option } from 'commander';
import type { SpillwayCommand } from '../command.ts';
import { SHELLS, type Shell } from '../command.ts';
import type { ConnectCommandOptions } from '../commands/connect.ts';
import type { McpOptions } from '../commands/mcp.ts';
import type { ProxyCommandOptions } from '../commands/proxy.ts';
import type { ServeOptions } from '../commands/serve.ts';
import type { Services } from '../services.ts';
import * as examples from './examples.ts';
import { type Finish, oneOf, type Program, wholeNumber } from './options.ts';

export function declareOpen(program: Program, finish: Finish, services: Services): void {
  program
    .command('open')
    .summary('open an output in the inspector')
    .description(
      'Opens an output, a file or a folder in the running inspector. Starts one that serves the browser if none runs; it exits after ten minutes without a page or an agent.',
    )
    .argument('[ID|PATH]', 'an artifact id, a file or a folder')
    .option('--agents', 'let agents read it over MCP, until you remove it from the list in the window')
    .addNotes(examples.OPEN)
    .action((target: string | undefined, options: { agents?: boolean }) =>
      finish(import('../commands/open.ts').then(({ open }) => open(target, options, services))),
    );
}

export function declareServe(program: Program, finish: Finish, services: Services): void {
  program
    .command('serve')
    .summary('serve the inspector to the browser, and the MCP socket')
    .description('Serves the interface on 127.0.0.1 and the MCP socket until SIGTERM or Ctrl-C.')
    .argument('[PATH...]', 'files and folders to open')
    .option(
      '--port <N>',
      'port of the interface; 0: any free one (default: the same one each time, if it is free)',
      wholeNumber('--port', { min: 0, max: 65_535 }),
    )
    .option(
      '--mcp-http [PORT]',
      'also serve MCP over HTTP (default: any free port); the bearer token is in run/mcp-http.token in SPILLWAY_HOME',
      wholeNumber('--mcp-http', { min: 0, max: 65_535 }),
    )
    .option(
      '--agents',
      'let agents read the files and folders over MCP, until you remove them from the list in the window',
    )
    .option('--open', 'open the interface in the browser, also if it already runs')
    .addOption(untilUnused())
    .addNotes(examples.SERVE)
    .action((paths: string[], options: ServeOptions) =>
      finish(import('../commands/serve.ts').then(({ serve }) => serve(paths, options, services))),
    );
}

/** Used by `spillway open`: the server it starts has no user to end it. */
function untilUnused(): Option {
  return new Option('--until-unused <MS>').argParser(wholeNumber('--until-unused', { min: 1 })).hideHelp();
}

export function declareMcp(program: Program, finish: Finish, services: Services): void {
  program
    .command('mcp')
    .summary('serve MCP on standard input and output')
    .description('Serves MCP on standard input and output until the input ends.')
    .option('--session <S>', 'session of its captures (default: a new one for this connection)')
    .option('--ephemeral', 'remove its captures when the input ends')
    .option('--no-run', 'offer no tools that run or stop commands')
    .addNotes(examples.MCP)
    .action((options: McpOptions) =>
      finish(import('../commands/mcp.ts').then(({ mcp }) => mcp(options, services))),
    );
}

export function declareProxy(program: Program, finish: Finish, services: Services): void {
  program
    .command('proxy')
    .summary('start an MCP server and capture its long responses')
    .description(
      'Starts an MCP server and forwards its standard input and output. Captures long text responses: the client gets a preview and a tool that reads the rest. Exits with the status of the server.',
    )
    .argument('[SERVER...]', 'the command that starts the server, and its arguments, after --')
    .passThroughOptions()
    .option(
      '--threshold <CHARS>',
      'capture responses with more characters of text (default: setting inlineThresholdChars)',
      wholeNumber('--threshold', { min: 0 }),
    )
    .addNotes(examples.PROXY)
    .action((server: string[], options: ProxyCommandOptions) =>
      finish(import('../commands/proxy.ts').then(({ proxy }) => proxy(server, options, services))),
    );
}

export function declareCompletion(program: SpillwayCommand, finish: Finish): void {
  program
    .command('completion')
    .summary('print a completion script for a shell')
    .description('Prints a script that makes a shell complete commands, options, values and ids.')
    .argument('<SHELL>', SHELLS.join(', '), oneOf('the shell', 'shells', SHELLS))
    .addNotes(examples.COMPLETION)
    .action((shell: Shell) =>
      finish(import('../commands/completion.ts').then(({ completion }) => completion(shell, program))),
    );
  program.commands.at(-1)!.registeredArguments[0]!.argChoices = [...SHELLS];
}

export function declareDoctor(program: Program, finish: Finish, services: Services): void {
  program
    .command('doctor')
    .summary('check what works on this machine')
    .description(
      'Checks what Spillway needs on this machine and prints a line for each check. Exits with 1 when a check fails.',
    )
    .option('--json', 'print the checks as one JSON document')
    .action((options: { json?: boolean }) =>
      finish(import('../commands/doctor.ts').then(({ doctor }) => doctor(options, services))),
    );
}

// Declares connect.

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
