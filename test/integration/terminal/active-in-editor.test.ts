/** The terminal that get_terminal_output means without an id, when an editor says which of its terminals is active. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { DEAD } from '../../fixtures/library/stored-captures.ts';
import { place, setUpPeople, sit, withHost } from '../../fixtures/set-up/typed-commands.ts';
import { recordings } from '../../fixtures/terminal/terminal.ts';

setUpPeople();

const EARLIER = new Date(Date.now() - 3_600_000).toISOString();
const LATER = new Date(Date.now() + 3_600_000).toISOString();

/** A running terminal, whose last output is its name. */
async function terminal(name: string) {
  const person = sit('/bin/sh', { args: ['--name', name, '--', '/bin/sh'] });
  await person.runs(':', name);
  return {
    prints: (word: string) => person.runs(':', word),
    leave: async () => {
      person.enter('exit');
      await person.exited;
    },
  };
}

/** Writes down a window as the extension does. `names`: labels of its terminals. */
function editorHas(
  names: readonly string[],
  { active, ...facts }: { active: string | null; owner?: number; changed_at?: string; window?: string },
): void {
  const folder = join(place.home, 'run', 'terminals');
  const pidOf = (name: string) =>
    recordings(place).find(({ record }) => record.label === name)!.record.recorder!.pid;
  const { window = 'one', owner = process.pid, changed_at = LATER } = facts;
  const terminals = names.map((name) => ({ pid: pidOf(name) }));
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `${window}.json`),
    JSON.stringify({
      ...{ owner, workspace: 'shop', changed_at, terminals },
      active: active === null ? null : pidOf(active),
    }),
  );
}

const shown = () =>
  withHost(async (host) => {
    const { name, content } = await host.terminalOutput({});
    return { name, has: (word: string) => content.includes(word) };
  });
const nameShown = async () => (await shown()).name;

describe('without an id, with a terminal that was left and one that printed last', () => {
  let left: Awaited<ReturnType<typeof terminal>>;
  let last: typeof left;
  beforeEach(async () => {
    left = await terminal('left');
    last = await terminal('last');
  });

  it('the active one of an editor comes first, though another of its window printed later', async () => {
    expect(await nameShown()).toBe('last');
    editorHas(['left', 'last'], { active: 'left', changed_at: EARLIER });
    const { name, has } = await shown();
    expect(name).toBe('left');
    expect([has('left'), has('last')]).toEqual([true, false]);
    editorHas(['left', 'last'], { active: 'last', changed_at: EARLIER });
    await left.prints('more');
    expect(await nameShown()).toBe('last');
  });

  it('one outside of editors comes first once it printed after the editor was used', async () => {
    editorHas(['left'], { active: 'left', changed_at: EARLIER });
    expect(await nameShown()).toBe('last');
    editorHas(['left'], { active: 'left', changed_at: LATER });
    expect(await nameShown()).toBe('left');
  });

  it('the window used last says which', async () => {
    for (const [window, other] of [
      ['one', 'two'],
      ['two', 'one'],
    ] as const) {
      editorHas(['left'], { active: 'left', window, changed_at: LATER });
      editorHas(['last'], { active: 'last', window: other, changed_at: EARLIER });
      expect(await nameShown()).toBe('left');
    }
  });

  it('an editor that has ended, has no active terminal, or wrote nonsense says nothing', async () => {
    editorHas(['left', 'last'], { active: 'left', owner: DEAD.pid });
    expect(await nameShown()).toBe('last');
    writeFileSync(join(place.home, 'run', 'terminals', 'one.json'), '{"owner":1,"active":');
    expect(await nameShown()).toBe('last');
    editorHas(['left'], { active: null });
    await left.leave();
    await last.prints('more');
    expect(await nameShown()).toBe('last');
  });
});
