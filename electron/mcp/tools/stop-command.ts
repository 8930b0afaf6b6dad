/** `stop_command`: ends a command that runs, with everything it started. */
import * as z from 'zod';
import { ArtifactId, Status } from '../../../shared/artifact.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { Host } from '../../host/host.ts';
import { parseArguments } from '../arguments.ts';
import { artifactOf } from '../artifact-of.ts';
import type { OwnCommands } from '../commands/own-commands.ts';
import { facts, jsonSchema, type Tool } from './tool.ts';

const Arguments = z.strictObject({
  artifact_id: z.string().describe('The command, by the artifact_id that run_command gave.'),
});

const Stopped = z.object({
  artifact_id: ArtifactId,
  /** False when it had ended by itself before, and had left nothing behind. */
  stopped: z.boolean(),
  status: Status,
  exit_code: z.number().nullable(),
  signal: z.string().nullable(),
  duration_ms: z.number().nullable(),
});

export function stopCommand(host: Host, commands: OwnCommands): Tool {
  return {
    definition: {
      name: 'stop_command',
      title: 'Stop a running command',
      description:
        'Use this to end a command that still runs (started with `background`, or that you no longer need): it and every process it started are told to end, and killed after two seconds. ' +
        'What it printed stays captured. The reply says how it ended; one that had ended before is told as it was, and what it left behind in the background is ended, too.',
      inputSchema: jsonSchema(Arguments, 'input'),
      outputSchema: jsonSchema(Stopped, 'output'),
      annotations: {
        title: 'Stop a running command',
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    call: async (args, options) => {
      const { artifact_id } = parseArguments('stop_command', Arguments, args);
      const running = commands.find(artifact_id);
      if (running !== undefined) {
        const { status, signal, head } = await running.stop();
        // It may have ended by itself in this very moment.
        const hadLeft = await commands.endLeft(artifact_id);
        const { exit_code, duration_ms } = head;
        return facts({
          artifact_id,
          stopped: status === 'cancelled' || hadLeft,
          status,
          exit_code,
          signal,
          duration_ms,
        });
      }
      const hadLeft = await commands.endLeft(artifact_id);
      const { kind, status, exit_code, signal, duration_ms } = await artifactOf(host, artifact_id, options);
      if (kind !== 'cmd')
        throw new SpillwayError('usage', `${artifact_id} is no command`, 'only commands can be stopped');
      if (status === 'running') {
        throw new SpillwayError(
          'unsupported',
          'another process runs this command',
          'end it where it was started: this server stops only what was run through it',
        );
      }
      return facts({ artifact_id, stopped: hadLeft, status, exit_code, signal, duration_ms });
    },
  };
}
