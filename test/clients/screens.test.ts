/** Real clients on their screens, in a pseudo-terminal: what they run is recorded, or said not to be and why. */
import { mkdirSync, readdirSync, readlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openPty } from '../../electron/recorder/terminal/pty.ts';
import { recordsIn } from '../fixtures/agents/shell.ts';
import { environment, type RealClient, realClients, writeConfigs } from './clients.ts';
import { columns, connect, type Person, stateOf, withPerson } from './driven.ts';
import { startFakeModel } from './fake-model.ts';

const COMMANDS = ['echo one', 'echo two; exit 3'];
const KEY_MS = 3000;
/** Longer than opencode's screen takes to start on a busy machine. */
const SCREEN_MS = 240_000;

describe.each(realClients())('$name', ({ name, client, program }) => {
  const { screen } = client;

  test.skipIf(program === null || !screen)(
    'a command of its screen is recorded, or said not to be',
    async ({ task }) => {
      const held = columns(task, name, 'screen');
      await withPerson(async (person) => {
        await runOnScreen(client, program!, person);
        const records = recordsIn(person.home).map(({ command }) => command);
        const last = stateOf(client, person).last_session;
        if (client.id === 'gemini') {
          const missing = COMMANDS.map((command) => ({ command, why: 'it had a terminal' }));
          expect(last).toEqual({ commands: 2, recorded: 0, missing });
          expect(records).toEqual([]);
          held('screen', 'said');
          return;
        }
        expect(records).toEqual(COMMANDS);
        expect(last).toEqual({ commands: 2, recorded: 2, missing: [] });
        held('screen');
      });
    },
  );
});

async function runOnScreen(client: RealClient, program: string, person: Person): Promise<void> {
  const { folder, project } = person;
  const { args, configs, enter } = client.screen!;
  const model = await startFakeModel(COMMANDS, client.call);
  mkdirSync(project, { recursive: true });
  writeConfigs(folder, { ...client.configs(model), ...configs?.(project) });
  connect(client, person, '--record');
  const pty = openPty({
    ...{ file: program, args, cwd: project, size: { columns: 120, rows: 40 } },
    env: environment(client, model, folder, person.env),
    onData: () => {},
  });
  const typing = setInterval(() => enter && model.results.length === 0 && pty.write('\r'), KEY_MS);
  try {
    // The answer to the last result comes when its transcript has it.
    const slow = { timeout: SCREEN_MS, interval: 500 };
    await expect.poll(() => model.results.length, slow).toBe(COMMANDS.length);
    await expect.poll(() => stateOf(client, person).last_session?.commands, slow).toBe(COMMANDS.length);
  } finally {
    clearInterval(typing);
    pty.kill('SIGKILL');
    await pty.exited;
    await model.close();
    endProgramsOf(folder);
  }
}

/** Codex installs a server of its own in the person's folder, which stays. */
function endProgramsOf(folder: string): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readlinkSync(`/proc/${pid}/exe`).startsWith(`${folder}/`)) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended, or is another user's.
    }
  }
}
