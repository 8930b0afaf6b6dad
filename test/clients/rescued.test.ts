/** `rescue` keeps output that a real Claude Code deletes, each under the command that failed. */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Artifact } from '../../shared/artifact.ts';
import { cliEntry } from '../fixtures/cli.ts';
import { realClients, runClient, writeConfigs } from './clients.ts';
import { type Person, spillway, withPerson } from './driven.ts';
import { startFakeModel } from './fake-model.ts';

/** It runs commands of one turn one after another unless all of them only read. */
const TURN = ['one', 'two', 'three', 'four'].map(
  (name, at) => `sleep 1; touch ${name}; echo ${name}; exit ${at}`,
);

describe.each(realClients().filter(({ client }) => client.id === 'claude-code'))(
  '$name',
  ({ client, program }) => {
    test.skipIf(program === null)('each failed command of one turn keeps its own output', async () => {
      await withPerson(async (person) => {
        const folder = join(person.folder, 'temporary');
        mkdirSync(folder);
        const env = { CLAUDE_CODE_TMPDIR: folder };
        const model = await startFakeModel([TURN], client.call);
        writeConfigs(person.folder, client.configs(model));
        spillway(person, 'sources', client.id, '--rescue', 'failed');
        const end = await serve(person, env);
        try {
          await runClient(program!, client, model, { ...person, env });
          expect(model.results).toHaveLength(TURN.length);
          await expect
            .poll(() => kept(person), { timeout: 30_000, interval: 500 })
            .toEqual(TURN.slice(1).map((command, at) => [command, at + 1]));
        } finally {
          await end();
          await model.close();
        }
      });
    });
  },
);

/** Commands and statuses of what was kept, in order. */
function kept(person: Person): unknown[] {
  const { outputs } = JSON.parse(spillway(person, 'list', '--json')) as { outputs: Artifact[] };
  return outputs
    .filter(({ kind }) => kind !== 'file')
    .map(({ command, exit_code }) => [command, exit_code])
    .sort((one, other) => Number(one[1]) - Number(other[1]));
}

/** Starts Spillway's server; returns what ends it. */
async function serve({ folder, home }: Person, env: NodeJS.ProcessEnv): Promise<() => Promise<unknown>> {
  const child = spawn(process.execPath, [cliEntry, 'serve', '--port', '0'], {
    env: { PATH: '/usr/bin:/bin', HOME: folder, SPILLWAY_HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return () => {
    child.kill('SIGTERM');
    return ended;
  };
}
