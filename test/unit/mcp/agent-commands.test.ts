/** Commands of an agent that leaves while they start. */
import { expect, test } from 'vitest';
import { AgentCommands } from '../../../electron/mcp/commands/agent-commands.ts';
import {
  type AgentRun,
  type CommandRequest,
  type Commands,
  RecentRuns,
} from '../../../electron/mcp/commands/commands.ts';
import { until } from '../../fixtures/until.ts';

const REQUEST: CommandRequest = { command: 'sleep 300', args: [], session: 's', timeout: null };

/** Starts runs when `go` is called, and counts those that were stopped. */
function slowCommands() {
  const seen = { started: 0, stopped: 0, go: () => {} };
  const gate = new Promise<void>((resolve) => {
    seen.go = resolve;
  });
  const start = async () => {
    seen.started += 1;
    await gate;
    let end = () => {};
    const result = new Promise<never>((_, reject) => {
      end = () => reject(new Error('stopped'));
    });
    const stop = () => {
      seen.stopped += 1;
      end();
      return result;
    };
    return { artifactId: 'cmd-x', session: 's', result, stop } as unknown as AgentRun;
  };
  const commands = { start, recent: new RecentRuns(), keyOf: () => 'key' } as unknown as Commands;
  return { seen, agent: new AgentCommands(commands, async () => true) };
}

test.each(['background', 'awaited'])(
  'a command that starts while its agent leaves is stopped: %s',
  async (how) => {
    const { seen, agent } = slowCommands();
    const started =
      how === 'background'
        ? agent.start(REQUEST)
        : agent.startOrJoin(REQUEST, 0, new AbortController().signal);
    await until(() => seen.started === 1);
    await agent.close();
    seen.go();
    await expect(started).rejects.toThrow();
    expect(seen.stopped).toBe(1);
  },
);

test('a command is not started for an agent that has left', async () => {
  const { seen, agent } = slowCommands();
  await agent.close();
  await expect(agent.start(REQUEST)).rejects.toThrow('the connection has ended');
  expect(seen.started).toBe(0);
});

test('an equal run is joined where its time-out is the same, whatever began after it', async () => {
  const { seen, agent } = slowCommands();
  seen.go();
  const joins = async (timeout: number | null) => {
    const { run, ...more } = await agent.startOrJoin(
      { ...REQUEST, timeout },
      60,
      new AbortController().signal,
    );
    run?.result.catch(() => {});
    return 'cached' in more && more.cached;
  };
  expect([await joins(1000), await joins(1000), await joins(20_000), await joins(1000)]).toEqual([
    false,
    true,
    false,
    true,
  ]);
});
