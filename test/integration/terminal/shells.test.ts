/** People's own bash and zsh settings neither notice the marks nor lose them. */
import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import { makePlace, type Place } from '../../fixtures/cli.ts';
import { Person, recording } from '../../fixtures/terminal/terminal.ts';

const hasZsh = spawnSync('zsh', ['-c', 'exit']).status === 0;
const bashSince = (version: number) =>
  spawnSync('bash', ['-c', `((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= ${version}))`]).status === 0;
const hasBash = bashSince(404);
const hasPromptLists = bashSince(501);

let place: Place;
let person: Person | null = null;

/** Resolves at the first prompt. */
async function sit(shell: 'bash' | 'zsh', lines: readonly string[]): Promise<Person> {
  const dotFiles = { [`.${shell}rc`]: `PS1='$ '\n${lines.join('\n')}\n` };
  person = new Person(place, { args: ['--', shell], dotFiles });
  await person.sees('$ ');
  return person;
}

async function leave(): Promise<void> {
  person?.enter('exit');
  await person?.exited;
}

/** Returns the text and status of the typed commands, oldest first. */
async function typed(): Promise<[string, number | null][]> {
  const host = await createHost({ home: place.home, watch: false, threads: 0 });
  try {
    const { artifact_id } = recording(place).record;
    const { commands } = await host.terminalCommands({ artifact_id });
    return commands.toReversed().map(({ command, exit_code }) => [command, exit_code]);
  } finally {
    await host.close();
  }
}

const count = (text: string, part: string) => text.split(part).length - 1;

beforeEach(() => {
  place = makePlace();
});
afterEach(() => {
  person?.end();
  person = null;
  place.remove();
});

describe.skipIf(!hasBash)('a bash', () => {
  it('that ends at errors ends at its own alone', async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: for bash.
    const bash = await sit('bash', ["PROMPT_COMMAND='after=$?.${PIPESTATUS[*]}'"]);
    await bash.does('set -e');
    await bash.does('false && true');
    await bash.runs('echo "[$after]"', 'ALIVE');
    expect(bash.shown).toContain('[1.1]\r\n');
    await bash.does('true | (exit 4) | false && true');
    await bash.runs('echo "[$after]"', 'STILL');
    expect(bash.shown).toContain('[1.0 4 1]\r\n');
    bash.enter('(exit 3)');
    expect((await bash.exited).exitCode).toBe(3);
    expect((await typed()).map(([, status]) => status)).toEqual([0, 1, 0, 1, 0, 3]);
  });

  it.each(['set +E', 'set -E'])('that traps errors is told of its own alone (%s)', async (option) => {
    const bash = await sit('bash', ["trap 'echo E''RRTRAP' ERR", option, "PROMPT_COMMAND=': mine'"]);
    await bash.does('false');
    expect(count(bash.shown, 'ERRTRAP')).toBe(1);
    await bash.does('false && true');
    await bash.does('true | false | false && true');
    await bash.does('! true | false');
    expect(count(bash.shown, 'ERRTRAP')).toBe(1);
    await leave();
  });

  it.each([
    ['!', 'true | false', '<0 0>'],
    ['set -o pipefail;', 'false | true', '<1 1 0>'],
  ])('finds the status of "%s %s" in its prompt', async (before, pipeline, found) => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: for bash.
    const bash = await sit('bash', ['PROMPT_COMMAND=\'echo "<$? ${PIPESTATUS[*]}>"\'']);
    const from = bash.shown.length;
    await bash.does(`${before} ${pipeline}`);
    // For `!`, only the end: no other command can leave such statuses after it.
    expect(bash.shown.slice(from)).toContain(found);
    await leave();
  });

  it.skipIf(!hasPromptLists)('that reads its startup files again goes on being marked', async () => {
    const bash = await sit('bash', ['PROMPT_COMMAND=\'echo "[after $?]"\'']);
    await bash.does('. ~/.bashrc; (exit 7)');
    await bash.does('echo b; false');
    await bash.does('nosuch-command');
    await bash.does('true');
    expect(bash.shown).toMatch(/\[after 7\](.|\s)*\[after 1\](.|\s)*\[after 127\](.|\s)*\[after 0\]/);
    await leave();
    expect(await typed()).toEqual([
      ['. ~/.bashrc; (exit 7)', 7],
      ['echo b; false', 1],
      ['nosuch-command', 127],
      ['true', 0],
      ['exit', 0],
    ]);
  });

  it.skipIf(!hasPromptLists)('whose prompt commands are taken away says so, and goes on', async () => {
    const bash = await sit('bash', []);
    await bash.does('PROMPT_COMMAND=(: :); false');
    await bash.does('(exit 5)');
    await bash.does('unset PROMPT_COMMAND');
    await bash.does('(exit 6)');
    await leave();
    expect(await typed()).toEqual([
      ['PROMPT_COMMAND=(: :); false', null],
      ['(exit 5)', 5],
      ['unset PROMPT_COMMAND', null],
      ['(exit 6)', 6],
      ['exit', 6],
    ]);
  });

  it('has the lines of a command as lines where its history counts anew', async () => {
    const history = 'history -a; history -c; history -r';
    const bash = await sit('bash', [`PROMPT_COMMAND='${history}'`, 'HISTCONTROL=ignoreboth', "PS2='> '"]);
    await bash.does('true');
    for (const line of [' for i in 1 2; do', 'echo "number $i"; done; false']) bash.enter(line);
    await bash.sees(/number 2\r\n(.|\n|\r)*\$ /);
    await bash.does('echo twice');
    const from = bash.shown.length;
    bash.enter('!!');
    await bash.sees(/twice\r\n(.|\n|\r)*twice\r\n(.|\n|\r)*\$ /, from);
    await leave();
    expect(await typed()).toEqual([
      ['true', 0],
      [' for i in 1 2; do\necho "number $i"; done; false', 1],
      ['echo twice', 0],
      ['echo twice', 0],
      ['exit', 0],
    ]);
  });

  it('leaves nothing of it to other shells', async () => {
    const bash = await sit('bash', ["export PS1='mine$ '", "export PROMPT_COMMAND=': mine'"]);
    await bash.runs('env | grep -c -e "^PROMPT_COMMAND=.*spillway" -e Spillway=', 'COUNTED');
    expect(bash.shown).toMatch(/\r0\r\nCOUNTED/);
    await bash.does('bash --norc');
    await bash.runs('false; echo "<$?>"', 'FIRST');
    await bash.does('true');
    await bash.runs('echo "[$?]"', 'NESTED');
    expect(bash.shown).toContain('[0]\r\n');
    await bash.does('exit');
    await bash.does('sh');
    await bash.runs('true', 'PLAIN');
    const inSh = bash.shown.slice(bash.shown.lastIndexOf('true; echo'));
    expect(inSh).toMatch(/PLAIN\r\nmine\$ $/);
    await bash.does('exit');
    await leave();
  });
});

describe.skipIf(!hasZsh)('a zsh', () => {
  it('whose .zshrc assigns its hooks is marked', async () => {
    const zsh = await sit('zsh', ['my() { : mine; }', 'precmd_functions=(my)']);
    await zsh.does('(exit 4)');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: for zsh.
    await zsh.runs('echo "[$precmd_functions] [${+PERIOD}$periodic_functions]"');
    expect(zsh.shown).toContain('[__spillway_prompt my] [0]\r\n');
    await leave();
    expect((await typed())[0]).toEqual(['(exit 4)', 4]);
  });

  it('that does something periodically goes on with it', async () => {
    const zsh = await sit('zsh', ['PERIOD=3000', 'periodic() { : mine; }']);
    await zsh.does('(exit 4)');
    await zsh.runs('echo "[$PERIOD] [$periodic_functions]"');
    expect(zsh.shown).toContain('[3000] []\r\n');
    await leave();
    expect((await typed())[0]).toEqual(['(exit 4)', 4]);
  });

  it('that reads its startup files again goes on being marked', async () => {
    const zsh = await sit('zsh', ['my() { : mine; }', 'precmd_functions=(my)']);
    await zsh.does('. ~/.zshrc; false');
    await zsh.does('(exit 5)');
    await zsh.does('(exit 6)');
    await leave();
    expect(await typed()).toEqual([
      ['. ~/.zshrc; false', null],
      ['(exit 5)', 5],
      ['(exit 6)', 6],
      ['exit', 6],
    ]);
  });
});
