/** `stop_command`: ends a command that runs, with everything it started. */
import * as z from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';
import type { Host } from '../../host/host.ts';
import { parseArguments } from '../arguments.ts';
import { artifactOf } from '../artifact-of.ts';
import type { AgentCommands } from '../commands/agent-commands.ts';
import { factsReply } from '../reply.ts';
import { definition, type Tool } from './tool.ts';

const Arguments = z.strictObject({
  artifact_id: z.string().describe('the command, by the id that run_command gave'),
});

export function stopCommand(host: Host, commands: AgentCommands): Tool {
  return {
    definition: definition({
      name: 'stop_command',
      title: 'Stop a running command',
      description:
        'Use this to stop a running command and every process it started: sends SIGTERM, then SIGKILL after two seconds. ' +
        'What it printed stays captured.',
      input: Arguments,
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: false,
      },
    }),
    call: async (args, options) => {
      const { artifact_id } = parseArguments('stop_command', Arguments, args);
      const running = commands.find(artifact_id);
      if (running !== undefined) {
        const { status, signal, head } = await running.stop();
        // The command may just have ended by itself.
        const hadBackground = await commands.endBackground(artifact_id);
        const { exit_code, duration_ms } = head;
        return factsReply({
          artifact_id,
          stopped: status === 'cancelled' || hadBackground,
          status,
          exit_code,
          signal,
          duration_ms,
        });
      }
      const hadBackground = await commands.endBackground(artifact_id);
      const { kind, status, exit_code, signal, duration_ms } = await artifactOf(host, artifact_id, options);
      if (kind !== 'cmd')
        throw new SpillwayError('usage', `${artifact_id} is not a command`, 'only commands can be stopped');
      if (status === 'running') {
        throw new SpillwayError(
          'unsupported',
          'another process runs this command',
          'end it where it was started: this server stops only what was run through it',
        );
      }
      return factsReply({ artifact_id, stopped: hadBackground, status, exit_code, signal, duration_ms });
    },
  };
}
