/** A person stops commands that other processes record: `spillway run`, an agent over MCP. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import { isProcessAlive } from '../../../electron/store/format/owner.ts';
import { startCli } from '../../fixtures/cli.ts';
import { type ServedMcp, serveMcp } from '../../fixtures/mcp/served.ts';
import { until } from '../../fixtures/until.ts';

let served: ServedMcp;
/** Another process's view, as it were: a host that records nothing itself. */
let host: Host;

beforeAll(async () => {
  served = await serveMcp();
  host = await createHost({ home: served.place.home, watch: false, threads: 0 });
});
afterAll(async () => {
  await host.close();
  await served.close();
});

const running = async (label: string) =>
  (await host.list({ status: 'running' })).outputs.find((each) => each.args?.join(' ').includes(label));

async function text(id: string): Promise<string> {
  return (await host.inspect({ artifact_id: id, mode: 'head', stream: 'stdout' })).content;
}

/** Runs `sh -c script` by the command line; resolves once it printed `pids`. */
async function run(label: string, script: string) {
  const args = ['run', '--no-pty', '--quiet', '--', 'sh', '-c', `: ${label}; ${script}`];
  const child = startCli(args, served.place);
  const exit = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const artifact = await until(() => running(label));
  const printed = await until(async () => /pids (\d+) (\d+)/.exec(await text(artifact.artifact_id)));
  return { id: artifact.artifact_id, exit, pids: [Number(printed[1]), Number(printed[2])] };
}

describe('stopping a command of `spillway run`', () => {
  it('ends it with its children, and its record says that it was cancelled', async () => {
    const { id, exit, pids } = await run('one', 'sleep 60 & echo pids $$ $!; wait');
    expect(await host.stopPlan({ artifact_id: id })).toEqual({ refused: null, processes: 2 });
    expect(await host.stopCommand({ artifact_id: id })).toEqual({
      status: 'cancelled',
      exit_code: null,
      signal: 'SIGTERM',
      killed: false,
      left: 0,
    });
    expect(await exit).toBe(143);
    expect(pids.filter(isProcessAlive)).toEqual([]);
    expect(await host.stopPlan({ artifact_id: id })).toMatchObject({ refused: 'it has ended already' });
    await expect(host.stopCommand({ artifact_id: id })).rejects.toThrow('it has ended already');
  });

  it('kills what goes on after SIGTERM, and records that it was cancelled', async () => {
    const { id, pids } = await run(
      'two',
      `trap '' TERM; sh -c 'trap "" TERM; sleep 60' & echo pids $$ $!; sleep 60`,
    );
    const result = await host.stopCommand({ artifact_id: id });
    expect(result).toMatchObject({ status: 'cancelled', signal: 'SIGKILL', killed: true, left: 0 });
    expect(pids.filter(isProcessAlive)).toEqual([]);
  });
});

describe('stopping a command that an agent runs', () => {
  it('ends the command alone, not the process that records it', async () => {
    const started = await served.commands.start({
      command: 'echo begun; sleep 60 & wait',
      args: [],
      session: 'agent',
      timeout: null,
    });
    const id = started.artifactId!;
    await until(async () => (await text(id)).includes('begun'));
    expect((await host.stopPlan({ artifact_id: id })).refused).toBeNull();
    expect(await host.stopCommand({ artifact_id: id })).toMatchObject({
      ...{ status: 'cancelled', signal: 'SIGTERM', killed: false, left: 0 },
    });
    expect(await started.result).toMatchObject({ status: 'cancelled', signal: 'SIGTERM' });
    expect(readdirSync(join(served.place.home, 'run/stopping'))).toEqual([]);
  });

  it('says that it was cancelled when it had to be killed, and that it failed when something else ended it', async () => {
    const start = (command: string) =>
      served.commands.start({ command, args: [], session: 'agent', timeout: null });
    const stubborn = await start(`trap '' TERM; echo begun; sleep 60`);
    await until(async () => (await text(stubborn.artifactId!)).includes('begun'));
    expect(await host.stopCommand({ artifact_id: stubborn.artifactId! })).toMatchObject({
      status: 'cancelled',
      killed: true,
    });
    const other = await start('kill -TERM $$');
    expect((await other.result).status).toBe('failed');
  });
});

it('refuses what is no command, and an id that is not known', async () => {
  await expect(host.stopPlan({ artifact_id: 'cmd-x-2026-01-13T10-30-00-abc123' })).rejects.toThrow(
    'there is no capture',
  );
});
