/** Real clients' own rules, time-outs and background commands: the same with `connect --record` as without. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recordsIn } from '../fixtures/agents/shell.ts';
import { realClients } from './clients.ts';
import { connect, type Person, results } from './driven.ts';

describe.each(realClients().filter(({ client }) => !client.unrecorded))('$name', ({ client, program }) => {
  const { rules, timed, background } = client;
  const recorded = (after: (person: Person) => void) => ({
    prepare: (person: Person) => connect(client, person, '--record'),
    after,
  });

  test.skipIf(program === null)(
    'what is denied stays denied, and what is allowed needs no question',
    async () => {
      const commands = ['echo allowed', 'touch denied'];
      const bare = await results(client, program!, commands, { rules });
      const same = await results(client, program!, commands, {
        ...recorded(({ home, project }) => {
          expect(existsSync(join(project, 'denied'))).toBe(false);
          expect(recordsIn(home).map(({ command }) => command)).toEqual(['echo allowed']);
        }),
        rules,
      });
      expect(same[0]).toContain('allowed');
      expect(same).toEqual(bare);
    },
  );

  test.skipIf(program === null || !timed)(
    'a time-out ends the command as it would have, and is recorded',
    async () => {
      const commands = [timed!('echo begun; sleep 7; touch late'), 'echo next'];
      const bare = await results(client, program!, commands);
      const same = await results(
        client,
        program!,
        commands,
        recorded(({ home }) => {
          const [first] = recordsIn(home);
          expect(first).toMatchObject({ command: 'echo begun; sleep 7; touch late' });
        }),
      );
      expect(same).toEqual(bare);
    },
  );

  test.skipIf(program === null || !background)(
    'a command in the background is answered as soon, and is recorded',
    async () => {
      const commands = [background!('echo begun; sleep 2; echo late'), 'echo next', 'sleep 3; echo waited'];
      const bare = await results(client, program!, commands);
      const same = await results(
        client,
        program!,
        commands,
        recorded(({ home }) => {
          const record = recordsIn(home).find(({ command }) => command?.includes('begun'));
          expect(record).toMatchObject({ command: 'echo begun; sleep 2; echo late' });
        }),
      );
      expect(same).toEqual(bare);
    },
  );
});
