/** Compares what `spillway seen` says of an agent's own shell with what the agent's model received. */
import { describe, expect, test } from 'vitest';
import type { Seen } from '../../shared/activity.ts';
import { recordsIn } from '../fixtures/agents/shell.ts';
import { SEED, SHELL_COMMANDS } from '../fixtures/sizes.ts';
import { realClients } from './clients.ts';
import { connect, type Person, results, spillway } from './driven.ts';

/** A client shortens what is old in a long conversation. */
const IN_A_SESSION = 20;

interface Printed {
  command: string;
  lines: string[];
}

/** Outputs of 1 to 100 KB, each fourth of a command that fails. */
function printed(count: number, random: () => number): Printed[] {
  return Array.from({ length: count }, (_, at) => {
    const filling = 'x'.repeat(10 + Math.floor(random() * 150));
    const amount = Math.ceil((1000 * 100 ** random()) / (filling.length + 8));
    const lines = Array.from(
      { length: amount },
      (_, line) => `L${String(line + 1).padStart(6, '0')}${filling}`,
    );
    return { command: `seq -f L%06.0f${filling} 1 ${amount}; exit ${at % 4 === 3 ? 3 : 0}`, lines };
  });
}

/** Numbers from 0 to 1, the same for the same seed. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Counts the lines of which `seen` says rightly whether they reached the model. */
function classedRight(person: Person, all: readonly Printed[], got: readonly string[]): number {
  const ids = new Map(recordsIn(person.home).map((record) => [record.command, record.artifact_id]));
  return all.reduce((sum, { command, lines }, at) => {
    const seen = JSON.parse(spillway(person, 'seen', ids.get(command)!, '--json')) as Seen;
    const ranges = seen.streams.flatMap(({ in_reply }) => in_reply);
    const isSaid = (line: number) => ranges.some(([from, to]) => line >= from && line <= to);
    return sum + lines.filter((text, index) => isSaid(index + 1) === got[at]!.includes(text)).length;
  }, 0);
}

describe.each(realClients().filter(({ client }) => !client.unrecorded))('$name', ({ client, program }) => {
  test.skipIf(program === null)(
    'lines that reached its model, and those that did not, are told apart',
    async () => {
      const random = numbersFrom(SEED);
      let right = 0;
      let total = 0;
      for (let left = SHELL_COMMANDS; left > 0; left -= IN_A_SESSION) {
        const all = printed(Math.min(left, IN_A_SESSION), random);
        const commands = all.map(({ command }) => command);
        await results(client, program!, commands, {
          prepare: (person) => connect(client, person, '--record'),
          after: (person, _, got) => {
            right += classedRight(person, all, got);
          },
        });
        total += all.reduce((sum, { lines }) => sum + lines.length, 0);
      }
      expect(right / total).toBeGreaterThanOrEqual(0.99);
    },
  );
});
