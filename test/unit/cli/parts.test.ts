import { existsSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkBrowser, checkNode, checkTerminals } from '../../../electron/cli/commands/doctor-machine.ts';
import { browserCommand, leadingFile } from '../../../electron/cli/commands/serve.ts';
import { oneOf, wholeNumber } from '../../../electron/cli/declare/options.ts';
import { viewMode, withoutUnused } from '../../../shared/arguments/modes.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

test('a whole number is digits with an optional sign, within its bounds', () => {
  const parse = wholeNumber('--n', { min: -5, max: 10 });
  for (const [text, value] of [
    ['0', 0],
    ['10', 10],
    ['-5', -5],
    ['+7', 7],
    ['007', 7],
  ] as const)
    expect(parse(text)).toBe(value);
  for (const text of ['', ' ', '1.5', '1e1', '0x1', '11', '-6', '٣', '1_0', 'NaN', '9'.repeat(30)]) {
    expect(() => parse(text), text).toThrow(/--n cannot be .*whole number from -5 to 10/);
  }
});

test('a word must be exactly one of the allowed ones', () => {
  const parse = oneOf('--kind', 'kinds', ['cmd', 'file']);
  expect(parse('cmd')).toBe('cmd');
  expect(() => parse('Cmd')).toThrow(/did you mean cmd\? The kinds are cmd, file/);
  expect(() => parse('zebra')).toThrow(/"zebra": the kinds are cmd, file/);
});

const mode = (given: Parameters<typeof viewMode>[0]) => viewMode(given, (argument) => `--${argument}`);

test('the mode defaults to grep with a pattern, to range with a start or an end, else to head', () => {
  expect(mode({ mode: 'tail' })).toBe('tail');
  expect(mode({})).toBe('head');
  expect(mode({ start_line: 1 })).toBe('range');
  expect(mode({ end_line: 1 })).toBe('range');
  expect(mode({ pattern: 'x' })).toBe('grep');
  expect(mode({ mode: 'summary', max_shapes: 0, raw: false })).toBe('summary');
});

test('the command line refuses an argument that the mode does not use, in the user’s spelling', () => {
  expect(() => mode({ mode: 'tail', start_line: 1 })).toThrow('--start_line means nothing in mode tail');
  expect(() => mode({ max_shapes: 3 })).toThrow('--max_shapes means nothing in mode head');
  expect(() => mode({ mode: 'summary', raw: true })).toThrow(/use mode head or tail or range or grep/);
  expect(() => mode({ pattern: 'x', start_line: 1 })).toThrow('--start_line means nothing in mode grep');
  expect(() => mode({ mode: 'range', pattern: 'x' })).toThrow('--pattern means nothing in mode range');
  expect(() => mode({ context_lines: 0 })).toThrow('--context_lines means nothing in mode head');
});

test('other clients’ arguments that the mode does not use are dropped, and no others', () => {
  const all = {
    artifact_id: 'x',
    mode: 'tail',
    lines: 3,
    start_line: 0,
    pattern: 'y',
    fixed: true,
    raw: true,
    odd: 1,
  };
  expect(withoutUnused(all, 'tail')).toEqual({
    artifact_id: 'x',
    mode: 'tail',
    lines: 3,
    raw: true,
    odd: 1,
  });
  expect(withoutUnused(all, 'summary')).toEqual({ artifact_id: 'x', mode: 'tail', odd: 1 });
  expect(withoutUnused({ pattern: 'y', cursor: 'c', invert: true, lines: 3 }, 'grep')).toEqual({
    pattern: 'y',
    cursor: 'c',
    invert: true,
  });
});

test('the browser is opened without a shell reading the address', () => {
  const url = 'http://127.0.0.1:1/?token=a&b=c';
  expect(browserCommand(url, 'linux')).toEqual({ command: 'xdg-open', args: [url] });
  expect(browserCommand(url, 'darwin')).toEqual({ command: 'open', args: [url] });
  expect(browserCommand(url, 'win32').args.at(-1)).toBe('http://127.0.0.1:1/?token=a^&b=c');
});

test('where a browser gets a file, it is private, leads to the address, and is the only one', () => {
  const home = makeFolder();
  const url = 'http://127.0.0.1:1/?code=a';
  const first = leadingFile('http://127.0.0.1:1/?code=spent', home);
  const file = leadingFile(url, home);
  expect(readFileSync(file, 'utf8')).toContain(`content="0; url=${url}"`);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(existsSync(first)).toBe(false);
  removeFolder(home);
});

test('doctor tells whether Node.js is new enough, and why no browser can be opened', () => {
  for (const version of ['20.19.0', '20.20.2', '22.0.0', '26.1.0'])
    expect(checkNode(version).status, version).toBe('ok');
  for (const version of ['18.20.0', '20.18.9', '0.1.0'])
    expect(checkNode(version).status, version).toBe('fail');
  expect(checkBrowser({ PATH: '/nowhere' }, 'linux')).toMatchObject({
    status: 'warn',
    found: 'there is no display',
  });
  expect(checkBrowser({ PATH: '/nowhere', DISPLAY: ':0' }, 'linux')).toMatchObject({
    status: 'warn',
    found: expect.stringContaining('xdg-open'),
  });
  expect(checkBrowser({}, 'darwin').status).toBe('ok');
});

test('doctor warns about terminals without Perl', () => {
  expect(checkTerminals('linux', '/usr/bin/perl').status).toBe('ok');
  expect(checkTerminals('linux', null)).toMatchObject({
    status: 'warn',
    todo: 'install Perl, or use spillway run --no-pty',
  });
});
