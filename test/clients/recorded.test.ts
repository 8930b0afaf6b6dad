/** Real clients with and without `connect --record`: their model sees the same, and Spillway has every command. */
import { spawnSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bytesOf, recordsIn } from '../fixtures/agents/shell.ts';
import { programOf, REAL_CLIENTS } from './clients.ts';
import { connect, lastSessionOf, results } from './driven.ts';

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

describe.each(REAL_CLIENTS)('$id', (client) => {
  const program = programOf(client);

  test.skipIf(program === null)('its model sees the same, and every command is recorded', async () => {
    const commands = COMMANDS.filter((command) => !client.avoid?.test(command));
    const bare = await results(client, program!, commands);
    const recorded = await results(client, program!, commands, {
      prepare: (person) => connect(client, person, '--record'),
      after: ({ folder, home, project }) => {
        const records = recordsIn(home);
        expect(records.map(({ command }) => command)).toEqual(commands);
        expect(records.every((record) => record.agent?.name === client.id)).toBe(true);
        expect(new Set(records.map((record) => record.session)).size).toBe(1);
        expect(records[0]).toMatchObject({ cwd: project, status: 'failed', exit_code: 3 });
        const killed = records.find(({ command }) => command === 'kill -TERM $');
        if (killed) expect(killed).toMatchObject({ status: 'failed', signal: 'SIGTERM' });
        expect(bytesOf(home, records[5]!).toString()).toContain('\n2999\n3000\n');
        // Its own transcript tells of the same commands.
        const count = commands.length;
        expect(lastSessionOf(client.id, folder, home)).toEqual({
          commands: count,
          recorded: count,
          missing: [],
        });
      },
    });
    expect(recorded).toEqual(bare);
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
    expect(gone).toEqual(bare);
    const closed = await results(client, program!, commands, {
      prepare: (person) => {
        connect(client, person, '--record');
        spawnSync('chmod', ['755', person.home]);
      },
    });
    expect(closed).toEqual(bare);
  });
});
