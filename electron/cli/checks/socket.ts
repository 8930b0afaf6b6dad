/** Checks which process listens on the socket for agents. */
import { join } from 'node:path';
import { SpillwayError } from '../../../shared/errors.ts';
import { connectPrivately, socketHolder } from '../../host/socket/private-socket.ts';
import { type Check, fail, ok } from './check.ts';

export async function checkSocket(home: string): Promise<Check> {
  const runDir = join(home, 'run');
  try {
    const socket = await connectPrivately(runDir, 'mcp');
    if (socket === null)
      return ok('socket', 'no inspector runs: nothing listens for agents on the MCP socket');
    socket.destroy();
    const pid = await socketHolder(runDir, 'mcp');
    return ok('socket', `process ${pid ?? 'unknown'} answers agents on the MCP socket`);
  } catch (error) {
    if (error instanceof SpillwayError) return fail('socket', error.what, error.todo);
    return fail(
      'socket',
      `the MCP socket cannot be reached (${String(error)})`,
      'end the inspector and start it again',
    );
  }
}
