/** Declares the commands open, serve, mcp, proxy, completion and doctor. */

import { Option } from 'commander';
import type { SpillwayCommand } from '../command.ts';
import { SHELLS, type Shell } from '../completion.ts';
import * as examples from '../examples.ts';
import type { McpOptions } from '../mcp.ts';
import { oneOf, wholeNumber } from '../options.ts';
import type { ProxyOptions } from '../proxy.ts';
import type { ServeOptions } from '../serve.ts';
import type { Services } from '../services.ts';
import type { Finish, Program } from './declaring.ts';

export function declareOpen(program: Program, finish: Finish, services: Services): void {
  program
    .command('open')
    .summary('open an output in the inspector')
    .description(
      'Opens an output, a file or a directory in the running inspector, or starts one that serves the browser. An inspector started like this ends once no page and no agent used it for ten minutes.',
    )
    .argument('[ID|PATH]', 'an artifact id, a file or a directory')
    .addHelpText('after', examples.OPEN)
    .action((target: string | undefined) =>
      finish(import('../open.ts').then(({ open }) => open(target, services))),
    );
}

export function declareServe(program: Program, finish: Finish, services: Services): void {
  program
    .command('serve')
    .summary('serve the inspector to the browser, and the MCP socket, without a window')
    .description('Serves the interface on 127.0.0.1 and the MCP socket until it is ended (SIGTERM, Ctrl-C).')
    .argument('[PATH...]', 'files and directories to open')
    .option(
      '--port <N>',
      'port of the interface (any free one)',
      wholeNumber('--port', { min: 0, max: 65_535 }),
    )
    .option(
      '--mcp-http [PORT]',
      'serve MCP over HTTP, too (any free port); its bearer token is in run/mcp-http.token of the home',
      wholeNumber('--mcp-http', { min: 0, max: 65_535 }),
    )
    .option('--open', 'open the interface in the browser; where one is running, that one')
    .addOption(untilUnused())
    .addHelpText('after', examples.SERVE)
    .action((paths: string[], options: ServeOptions) =>
      finish(import('../serve.ts').then(({ serve }) => serve(paths, options, services))),
    );
}

/** Used by `spillway open`: the server it starts has no user to end it. */
function untilUnused(): Option {
  return new Option('--until-unused <MS>').argParser(wholeNumber('--until-unused', { min: 1 })).hideHelp();
}

export function declareMcp(program: Program, finish: Finish, services: Services): void {
  program
    .command('mcp')
    .summary('an MCP server on standard input and output')
    .description(
      'Serves MCP to the client that starts it, on standard input and output, until the input ends.',
    )
    .option('--session <S>', 'the session its captures belong to (one made for this connection)')
    .option('--ephemeral', 'its captures go when the input ends')
    .option('--no-run', 'offer no tools that run or stop commands')
    .addHelpText('after', examples.MCP)
    .action((options: McpOptions) => finish(import('../mcp.ts').then(({ mcp }) => mcp(options, services))));
}

export function declareProxy(program: Program, finish: Finish, services: Services): void {
  program
    .command('proxy')
    .summary('an MCP server with its long responses captured')
    .description(
      'Starts an MCP server and passes everything between it and its client, on standard input and output. Long text responses are captured: the client gets a preview, and a tool that reads the rest. Ends as the server ends.',
    )
    .argument('[SERVER...]', 'the command that starts the server, and its arguments, after --')
    .passThroughOptions()
    .option(
      '--threshold <CHARS>',
      'capture responses with more characters of text (inlineThresholdChars)',
      wholeNumber('--threshold', { min: 0 }),
    )
    .addHelpText('after', examples.PROXY)
    .action((server: string[], options: ProxyOptions) =>
      finish(import('../proxy.ts').then(({ proxy }) => proxy(server, options, services))),
    );
}

export function declareCompletion(program: SpillwayCommand, finish: Finish): void {
  program
    .command('completion')
    .summary('print a completion script for a shell')
    .description('Prints a script that completes commands, options, their values and ids in a shell.')
    .argument('<SHELL>', SHELLS.join(', '), oneOf('the shell', 'shells', SHELLS))
    .addHelpText('after', examples.COMPLETION)
    .action((shell: Shell) =>
      finish(import('../completion.ts').then(({ completion }) => completion(shell, program))),
    );
  program.commands.at(-1)!.registeredArguments[0]!.argChoices = [...SHELLS];
}

export function declareDoctor(program: Program, finish: Finish, services: Services): void {
  program
    .command('doctor')
    .summary('say what works here and what does not')
    .description(
      'Checks what Spillway needs on this machine, one line each. Ends with 1 when something fails.',
    )
    .option('--json', 'print the checks as one JSON document')
    .action((options: { json?: boolean }) =>
      finish(import('../doctor.ts').then(({ doctor }) => doctor(options, services))),
    );
}
