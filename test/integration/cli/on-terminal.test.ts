/** The command line on a terminal: colours, width, completion. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cliEntry, makePlace, type Place, runCli } from '../../fixtures/cli.ts';
import { atTerminal } from '../../fixtures/terminal/at-terminal.ts';

let place: Place;

beforeAll(async () => {
  place = makePlace();
  writeFileSync(join(place.files, 'app.log'), 'one\na bad \x1b[7merror\x1b[0m here\nthree\n');
  await runCli(['run', '--quiet', '--', 'sh', '-c', `exit 3 # ${'a long line '.repeat(20)}`], place);
});
afterAll(() => place.remove());

/** Returns its output on a terminal of 80 columns. */
async function shown(args: string[], env: NodeJS.ProcessEnv = {}, at = place): Promise<string> {
  const screen = atTerminal(at, [process.execPath, cliEntry, ...args], { NO_COLOR: '', ...env });
  await screen.pty.exited;
  return screen.seen().replaceAll('\r\n', '\n');
}

describe('colours', () => {
  test('mark line numbers and matches of grep', async () => {
    const text = await shown(['inspect', 'app.log', '--pattern', 'error', '--context', '0']);
    expect(text).toBe('\x1b[32m2\x1b[0m\x1b[2m:\x1b[0ma bad \x1b[1;31merror\x1b[0m here\n');
  });

  test('mark statuses in list and doctor', async () => {
    expect(await shown(['list', '--kind', 'cmd'])).toContain('\x1b[31mfailed (3)\x1b[0m');
    expect(await shown(['doctor'])).toContain('\x1b[32mok\x1b[0m');
  });

  test.each([
    ['NO_COLOR', { NO_COLOR: '1' }],
    ['a terminal without colours', { TERM: 'dumb' }],
  ])('are off with %s', async (_, env) => {
    for (const args of [['list'], ['doctor'], ['inspect', 'app.log', '--pattern', 'error']])
      expect(await shown(args, env)).not.toContain('\x1b[');
  });

  test('are off in a pipe', async () => {
    for (const args of [['list'], ['doctor'], ['inspect', 'app.log', '--pattern', 'error']])
      expect((await runCli(args, place)).stdout).not.toContain('\x1b[');
  });
});

test('list shows the cause of a failure under it, cut to the width around the reason', async () => {
  const script = `echo 'error: ${'ledger, '.repeat(20)}rates.csv: no such file' >&2; exit 1`;
  const own = makePlace();
  await runCli(['run', '--quiet', '--', 'sh', '-c', script], own);
  const lines = stripVTControlCharacters(await shown(['list'], {}, own)).split('\n');
  own.remove();
  const at = lines.findIndex((line) => line.includes('failed (1)'));
  expect(lines[at + 1]).toMatch(/^ {2}error: ledger, .*….*no such file$/);
  expect(lines[at + 1]!.length).toBeLessThanOrEqual(80);
});

test('list and doctor keep to the width of the terminal', async () => {
  for (const args of [['list'], ['doctor']]) {
    const lines = stripVTControlCharacters(await shown(args)).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    // There is room for the last part of an id alone.
    if (args[0] === 'list') {
      expect(lines[0]).toMatch(/^ID +STATUS +SIZE +LINES +AGE +COMMAND$/);
      expect(lines.find((line) => line.includes('failed (3)'))).toMatch(/^[0-9a-f]{6} /);
    }
  }
});

describe('completion', () => {
  const complete = (...words: string[]) => {
    const script = `spillway() { '${process.execPath}' '${cliEntry}' "$@"; }
      eval "$(spillway completion bash)"
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _spillway; echo "\${COMPREPLY[*]}"`;
    return execFileSync('bash', ['-c', script, 'bash', 'spillway', ...words], {
      cwd: place.files,
      env: { ...process.env, SPILLWAY_HOME: place.home },
      encoding: 'utf8',
    }).trim();
  };

  test('in bash gives commands, options, their values, ids and files', () => {
    expect(complete('insp')).toBe('inspect');
    expect(complete('inspect', '--max-m')).toBe('--max-matches');
    expect(complete('inspect', '--mode', 's')).toBe('summary');
    expect(complete('inspect', 'last')).toBe('last last-failed');
    expect(complete('inspect', 'cmd-')).toMatch(/^cmd-sh-\S+$/);
    expect(complete('inspect', 'app')).toBe('app.log');
    expect(complete('completion', 'f')).toBe('fish');
    expect(complete('connect', 'claude-c', 'gem')).toBe('gemini');
    expect(complete('sources', 'goo')).toBe('goose');
    expect(complete('help', 'insp')).toBe('inspect');
    expect(complete('hel')).toBe('help');
  });

  test('offers only sources that `spillway sources` accepts', async () => {
    const offered = complete('sources', '').split(' ');
    expect(offered).toContain('goose');
    const { status, stderr } = await runCli(['sources', ...offered, '--off'], place);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test.each(['bash', 'zsh', 'fish'])('for %s knows every command and option', async (shell) => {
    const { stdout } = await runCli(['completion', shell], place);
    const help = (await runCli(['--help'], place)).stdout;
    const commands = [...help.matchAll(/^ {2}([a-z]+) .{2,}/gm)].map(([, name]) => name!);
    expect(commands).toContain('completion');
    for (const command of commands.filter((name) => name !== 'help')) expect(stdout).toContain(command);
    for (const option of ['max-bytes', 'case-sensitive', 'older-than', 'mcp-http'])
      expect(stdout).toContain(option);
  });

  test('for another shell names those it has', async () => {
    const { status, stderr } = await runCli(['completion', 'tcsh'], place);
    expect(status).toBe(2);
    expect(stderr).toMatch(/the shells are bash, zsh, fish\n$/);
  });
});
