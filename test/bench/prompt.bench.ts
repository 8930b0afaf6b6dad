/** Measures how much later the prompt of a shell comes in `spillway terminal` than bare. */
import { existsSync } from 'node:fs';
import { cliEntry, makePlace } from '../fixtures/cli.ts';
import { Person } from '../fixtures/terminal/terminal.ts';
import { median } from './harness.ts';

const PAIRS = 15;
const LIMIT_MS = 150;
const PROMPT = '> ';

const shells = {
  bash: ['/bin/bash', '--norc', '--noprofile'],
  zsh: ['/bin/zsh', '-f'],
  fish: ['/usr/bin/fish', '--no-config', '-C', `function fish_prompt; printf '${PROMPT}'; end`],
};

const place = makePlace();
for (const [name, shell] of Object.entries(shells)) {
  if (!existsSync(shell[0]!)) {
    console.log(`${name}: not installed`);
    continue;
  }
  const bare: number[] = [];
  const later: number[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const alone = await promptMs(shell);
    bare.push(alone);
    later.push((await promptMs([cliEntry, 'terminal', '--quiet', '--', ...shell])) - alone);
  }
  console.log(
    `${name}: bare ${median(bare).toFixed(0)} ms, recorded ${median(later).toFixed(0)} ms later (at most ${LIMIT_MS})`,
  );
}
place.remove();

/** Milliseconds from the start of a command to its shell's prompt. */
async function promptMs(command: readonly string[]): Promise<number> {
  const started = performance.now();
  const person = new Person(place, { command, env: { PS1: PROMPT } });
  await person.sees(PROMPT);
  const took = performance.now() - started;
  person.enter('exit');
  await person.exited;
  return took;
}
