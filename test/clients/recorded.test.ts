/** Real clients with and without `connect --record`: their model sees the same, and Spillway has every command. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Artifact } from '../../shared/artifact.ts';
import { bytesOf, recordsIn } from '../fixtures/agents/shell.ts';
import { realClients } from './clients.ts';
import { columns, connect, expectSame, type Person, results, spillway, stateOf } from './driven.ts';

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

describe.each(realClients())('$name', ({ name, client, program }) => {
  test.skipIf(program === null)(
    'its model sees the same, and every command is recorded, or said not to be',
    async ({ task }) => {
      const held = columns(task, name, 'connect', 'list', 'record', 'bytes', 'status', 'sources', 'remove');
      const commands = COMMANDS.filter((command) => !client.avoid?.test(command));
      const bare = await results(client, program!, commands);
      const recorded = await results(client, program!, commands, {
        prepare: (person) => connect(client, person, '--record'),
        after: (person, tools) => {
          Object.assign(task.meta, { tools: [...tools] });
          held('connect');
          const records = recordsIn(person.home);
          const state = stateOf(client, person);
          if (client.unrecorded) {
            expect(records).toEqual([]);
            expect(state).toMatchObject({ state: 'connected', record: null, last_session: null });
            expect(state.not_recordable).toMatch(/^its? /);
            held('record', `no: ${state.not_recordable}`);
          } else {
            expect(records.map(({ command }) => command)).toEqual(commands);
            expect(records.every((record) => record.agent?.name === client.id)).toBe(true);
            expect(new Set(records.map((record) => record.session)).size).toBe(1);
            held('record', state.record_limit?.includes('does not know') ? 'unknown envelope' : 'yes');
            expect(records[0]).toMatchObject({ cwd: person.project, status: 'failed', exit_code: 3 });
            const killed = records.find(({ command }) => command === 'kill -TERM $$');
            if (killed) expect(killed).toMatchObject({ status: 'failed', signal: 'SIGTERM' });
            expect(bytesOf(person.home, records[5]!).toString()).toContain('\n2999\n3000\n');
            // Its own transcript tells of the same commands.
            const last_session = { commands: commands.length, recorded: commands.length, missing: [] };
            expect(state).toMatchObject({ state: 'connected', record: 'record', last_session });
          }
          held('list');
          const isListed = spillway(person, 'sources', '--json').includes(`"name":"${client.id}"`);
          expect(isListed).toBe(client.unlisted === undefined);
          held('sources', client.unlisted);
          spillway(person, 'connect', client.id, '--remove');
          for (const path of readdirSync(person.folder, { recursive: true, encoding: 'utf8' }))
            if (/(?:settings|config|opencode|\.claude)\.(?:json|toml)$|\.env$/.test(path))
              expect(readFileSync(join(person.folder, path), 'utf8'), path).not.toMatch(
                /spillway.*bin|BASH_ENV|mcpServers/,
              );
          held('remove');
        },
      });
      expectSame(client, recorded, bare);
      held('bytes');
      held('status');
    },
  );

  test.skipIf(program === null)('both streams reach its model in order as often', async ({ task }) => {
    const held = columns(task, name, 'order');
    // Commands that are not recorded are as bare.
    const times = client.unrecorded ? 6 : 60;
    const commands = Array.from({ length: times }, (_, i) => `echo ${i}a; echo ${i}b >&2; echo ${i}c`);
    const inOrder = (seen: readonly string[]) =>
      seen.filter((text) => /a(?:\\n|\n)\d+b(?:\\n|\n)\d+c/.test(text)).length;
    const bare = inOrder(await results(client, program!, commands));
    const options = { prepare: (person: Person) => connect(client, person, '--record') };
    const recorded = inOrder(await results(client, program!, commands, options));
    // Chance moves a few of them where it reads two pipes.
    expect(recorded).toBeGreaterThanOrEqual(client.hasOneOutput ? bare : bare - 4);
    held('order', `${bare}→${recorded} of ${times}`);
  });

  test.skipIf(program === null)('a Spillway that is gone or broken changes nothing', async () => {
    const commands = COMMANDS.slice(0, 3);
    const bare = await results(client, program!, commands);
    const gone = await results(client, program!, commands, {
      prepare: (person) => {
        connect(client, person, '--record');
        renameSync(person.home, `${person.home}-gone`);
      },
    });
    expectSame(client, gone, bare);
    const closed = await results(client, program!, commands, {
      prepare: (person) => {
        connect(client, person, '--record');
        spawnSync('chmod', ['755', person.home]);
      },
    });
    expectSame(client, closed, bare);
  });
});

const codex = realClients().filter(({ client }) => client.id === 'codex');

describe.each(codex)('$name', ({ client, program }) => {
  const inUsr = { tool: 'exec_command', arguments: { cmd: 'pwd; exit 2', workdir: '/usr' } };

  test.skipIf(program === null).each([
    ['without its snapshot of the shell', '[features]\nshell_snapshot = false\n', ''],
    ['before that is there', '', 'sleep 4\n'],
  ])('its login shells are recorded %s', async (_, more, bashrc) => {
    const configs: typeof client.configs = (model) => ({
      '.codex/config.toml': `${client.configs(model)['.codex/config.toml']}${more}`,
      ...{ '.bashrc': bashrc, '.profile': bashrc === '' ? '' : '. ~/.bashrc\n' },
    });
    const rules = { ...client, configs };
    const bare = await results(client, program!, ['echo one', inUsr], { rules });
    const recorded = await results(client, program!, ['echo one', inUsr], {
      rules,
      prepare: (person) => connect(client, person, '--record'),
      after: ({ home, project }) =>
        expect(recordsIn(home)).toMatchObject([
          { command: 'echo one', cwd: project, exit_code: 0 },
          { command: 'pwd; exit 2', cwd: '/usr', exit_code: 2 },
        ]),
    });
    expectSame(client, recorded, bare);
  });

  test.skipIf(program === null)('why a command in another shell is not recorded is said', async () => {
    const inSh = { tool: 'exec_command', arguments: { cmd: 'echo other', shell: '/bin/sh' } };
    await results(client, program!, [inSh], {
      prepare: (person) => connect(client, person, '--record'),
      after: (person) =>
        expect(stateOf(client, person).last_session).toEqual({
          ...{ commands: 1, recorded: 0 },
          missing: [{ command: 'echo other', why: 'it ran in sh, not in bash' }],
        }),
    });
  });
});

const qwen = realClients().filter(({ client }) => client.id === 'qwen');

test.skipIf(qwen[0]?.program == null)(
  'what Qwen Code keeps of a command has its folder and project',
  async () => {
    const [{ client, program }] = qwen as [(typeof qwen)[0]];
    await results(client, program!, ['seq 1 30000'], {
      after: (person) => {
        const { outputs } = JSON.parse(spillway(person, 'list', '--json')) as { outputs: Artifact[] };
        const kept = outputs.filter(({ agent }) => agent?.name === 'qwen');
        expect(kept).toMatchObject([
          { command: 'seq 1 30000', cwd: person.project, agent: { project: person.project } },
        ]);
      },
    });
  },
);
