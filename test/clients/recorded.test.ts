/** Real clients with and without `connect --record`: their model sees the same, and Spillway has every command. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bytesOf, recordsIn } from '../fixtures/agent-shell.ts';
import { cliEntry } from '../fixtures/cli.ts';
import { makeFolder, removeFolder } from '../fixtures/folder.ts';
import { programOf, REAL_CLIENTS, type RealClient, runClient, writeConfigs } from './clients.ts';
import { startFakeModel } from './fake-model.ts';

const COMMANDS = [
  `echo "it's"; echo 'two  words' >&2; exit 3`,
  'true',
  'for i in 1 2 3 4 5; do echo o$i; echo e$i >&2; done',
  'cd /usr && pwd; echo piped | cat',
  'pwd; umask; ulimit -n; echo $SHLVL; env | grep -c BASH_ENV',
  'seq 1 3000',
  'kill -TERM $$',
  'kill -9 $$',
  'sleep 0.3; echo late',
  '(sleep 1; echo background) > /dev/null 2>&1 & echo started',
  "printf 'no end'",
  'cat; echo "read $?"',
  'no_such_command_here',
  "cat <<'END'\nlines\n\tof $text\nEND",
];

interface Person {
  folder: string;
  project: string;
  home: string;
}

async function withPerson<T>(use: (person: Person) => Promise<T>): Promise<T> {
  const root = makeFolder();
  const person = {
    folder: join(root, 'person'),
    project: join(root, 'project'),
    home: join(root, 'spillway'),
  };
  for (const path of [person.folder, person.project]) mkdirSync(path);
  try {
    return await use(person);
  } finally {
    removeFolder(root);
  }
}

function connect(client: RealClient, { folder, home }: Person, ...options: string[]): void {
  const env = { PATH: '/usr/bin:/bin', HOME: folder, SPILLWAY_HOME: home };
  const done = spawnSync(process.execPath, [cliEntry, 'connect', client.id, ...options], {
    env,
    encoding: 'utf8',
  });
  expect(done.stderr).toBe('');
}

async function results(
  client: RealClient,
  program: string,
  commands: readonly string[],
  prepare: (person: Person) => void,
  after: (person: Person) => void = () => {},
  configs: RealClient['configs'] = client.configs,
): Promise<string[]> {
  return withPerson(async (person) => {
    const model = await startFakeModel(commands, client.call);
    writeConfigs(person.folder, configs(model));
    prepare(person);
    const said = await runClient(program, client, model, person);
    await model.close();
    if (model.results.length < commands.length) throw new Error(`${client.command} stopped early: ${said}`);
    after(person);
    return model.results.map((result) => alike(client, result, person));
  });
}

/** Without what differs from run to run: folders, numbers of processes, times. */
function alike(client: RealClient, result: string, { project, folder }: Person): string {
  const text = result
    .replaceAll(project, 'PROJECT')
    .replaceAll(folder, 'PERSON')
    .replace(/\/tmp\/spw-\w+/g, 'ROOT')
    .replace(/tool_\w+/g, 'FILE')
    .replace(
      /Chunk ID: \w+|Wall time: [\d.]+ seconds|(?:PGID|PIDs): [\d, ]+|\b\d{3,7}(?= Killed| Terminated)/g,
      '-',
    )
    .replace(/line \d+: +\d+ (Killed|Terminated)/g, '$1');
  // On two pipes, what a command writes to both in turn comes in any order.
  return client.hasOneOutput || !text.includes('e5') ? text : text.split('\n').sort().join('\n');
}

describe.each(REAL_CLIENTS)('$id', (client) => {
  const program = programOf(client);

  test.skipIf(program === null)('its model sees the same, and every command is recorded', async () => {
    // opencode waits two minutes for a shell that died of a signal, recorded or not.
    const commands = COMMANDS.filter((command) => client.id !== 'opencode' || !command.startsWith('kill'));
    const bare = await results(client, program!, commands, () => {});
    const recorded = await results(
      client,
      program!,
      commands,
      (person) => connect(client, person, '--record'),
      ({ home, project }) => {
        const records = recordsIn(home);
        expect(records.map(({ command }) => command)).toEqual(commands);
        expect(records.every((record) => record.agent?.name === client.id)).toBe(true);
        expect(new Set(records.map((record) => record.session)).size).toBe(1);
        expect(records[0]).toMatchObject({ cwd: project, status: 'failed', exit_code: 3 });
        const killed = records.find(({ command }) => command === 'kill -TERM $');
        if (killed) expect(killed).toMatchObject({ status: 'failed', signal: 'SIGTERM' });
        expect(bytesOf(home, records[5]!).toString()).toContain('\n2999\n3000\n');
      },
    );
    expect(recorded).toEqual(bare);
  });

  test.skipIf(program === null)('a Spillway that is gone or broken changes nothing', async () => {
    const commands = COMMANDS.slice(0, 3);
    const bare = await results(client, program!, commands, () => {});
    const gone = await results(client, program!, commands, (person) => {
      connect(client, person, '--record');
      renameSync(person.home, `${person.home}-gone`);
    });
    expect(gone).toEqual(bare);
    const closed = await results(client, program!, commands, (person) => {
      connect(client, person, '--record');
      spawnSync('chmod', ['755', person.home]);
    });
    expect(closed).toEqual(bare);
  });

  test.skipIf(program === null || !client.deny)('what is denied stays denied', async () => {
    await results(
      client,
      program!,
      ['touch denied', 'echo allowed'],
      (person) => connect(client, person, '--record'),
      ({ home, project }) => {
        expect(existsSync(join(project, 'denied'))).toBe(false);
        expect(recordsIn(home).map(({ command }) => command)).toEqual(['echo allowed']);
      },
      client.deny!,
    );
  });
});
