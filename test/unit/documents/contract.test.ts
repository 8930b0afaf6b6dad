/** Compares the tables of shared/CONTRACT.md with the declarations. A failure shows the rows to paste. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Tool } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { declareProgram } from '../../../electron/cli/program.ts';
import type { Services } from '../../../electron/cli/services.ts';
import { openingReplies } from '../../../electron/mcp/opening-replies.ts';
import type { Arguments } from '../../../shared/arguments/argument.ts';
import {
  ARTIFACT_ARGUMENTS,
  INSPECT_ARGUMENTS,
  READ_ARGUMENTS,
  STREAM_ARGUMENTS,
} from '../../../shared/arguments/views.ts';
import { SETTING_RULES } from '../../../shared/setting-rules.ts';
import { Settings } from '../../../shared/settings.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const contract = readFileSync(join(root, 'shared', 'CONTRACT.md'), 'utf8');

/** The rows, in Markdown, of the table whose head begins with these cells. */
function rows(...head: string[]): string[] {
  const lines = contract.slice(contract.indexOf(`\n| ${head.join(' | ')} |`) + 1).split('\n');
  return lines.slice(
    2,
    lines.findIndex((line) => !line.startsWith('|')),
  );
}

/** `column` makes the cell between the flag and the default. */
function rowsOf(table: Arguments, column: (name: string) => string): string[] {
  return Object.entries(table).map(([name, { flag, value, default: usual, help }]) => {
    const option = flag === null ? '--' : `\`--${flag}${value === undefined ? '' : ` ${value}`}\``;
    const cells = [...[`\`${name}\``, option], column(name), ...[usual ?? '', help.replaceAll('|', '\\|')]];
    return `| ${cells.join(' | ')} |`;
  });
}

describe('the contract', () => {
  it('has every argument of inspect, as it is declared', async () => {
    const declared = { ...ARTIFACT_ARGUMENTS, ...STREAM_ARGUMENTS, ...INSPECT_ARGUMENTS };
    const modesOf = (name: string) => (declared as Arguments)[name]!.modes?.join(', ') ?? 'all';
    expect(rows('argument', 'command line', 'modes')).toEqual(rowsOf(declared, modesOf));
    expect((await argumentsOf('inspect_output')).sort()).toEqual(Object.keys(declared).sort());
  });

  it('has every argument of read, as it is declared, and marks those of the tool', async () => {
    const { artifact_id } = ARTIFACT_ARGUMENTS;
    const declared = { artifact_id, ...STREAM_ARGUMENTS, ...READ_ARGUMENTS };
    const taken = await argumentsOf('read_command_output');
    const isTaken = (name: string) => (taken.includes(name) ? 'yes' : 'no');
    expect(rows('argument', 'command line', 'MCP')).toEqual(rowsOf(declared, isTaken));
    expect(Object.keys(declared)).toEqual(expect.arrayContaining(taken));
  });

  it('has every setting with its default and what it does, as the preferences show them', () => {
    const declared = Object.entries(SETTING_RULES).map(
      ([name, { default: usual, does }]) =>
        `| \`${name}\` | ${defaultInWords(usual)} | ${does.replaceAll('|', '\\|')} |`,
    );
    expect(rows('setting', 'default')).toEqual(declared);
    expect(Settings.parse({})).toEqual(
      Object.fromEntries(Object.entries(SETTING_RULES).map(([name, rule]) => [name, rule.default])),
    );
  });

  it('has every command with every option, as they are declared', () => {
    const written = Object.fromEntries(
      rows('command', 'does').flatMap((row) => {
        const cell = row.slice(2).split(/(?<!\\) \| /)[0]!;
        return [...cell.matchAll(/`([a-z]+)([^`]*)`/g)].map(([, name, rest]) => [name!, flagsIn(rest!)]);
      }),
    );
    const program = declareProgram(async () => {}, { version: '0' } as Services);
    // The views' arguments have tables of their own.
    const views = { ...STREAM_ARGUMENTS, ...INSPECT_ARGUMENTS, ...READ_ARGUMENTS };
    const ofViews = Object.values(views).map(({ flag }) => `--${flag}`);
    const declared = Object.fromEntries(
      program.commands.map((command) => {
        const flags = command
          .createHelp()
          .visibleOptions(command)
          .flatMap(({ long }) => long ?? []);
        const isView = ['inspect', 'read'].includes(command.name());
        const own = flags.filter((flag) => flag !== '--help' && !(isView && ofViews.includes(flag)));
        return [command.name(), own.sort()];
      }),
    );
    expect(written).toEqual(declared);
  });

  it('has the sections that comments name', () => {
    const sections = [...contract.matchAll(/^## (\d+)\./gm)].map(([, number]) => number);
    const cited = execFileSync(
      'git',
      ['grep', '-ohE', 'CONTRACT [0-9]+', '--', 'electron', 'shared', 'renderer', 'test'],
      {
        cwd: root,
        encoding: 'utf8',
      },
    );
    const numbers = new Set([...cited.matchAll(/CONTRACT (\d+)/g)].map(([, number]) => number));
    expect(numbers.size).toBeGreaterThan(3);
    expect([...numbers].filter((number) => !sections.includes(number))).toEqual([]);
  });
});

async function argumentsOf(tool: string): Promise<string[]> {
  const { tools } = (await openingReplies('0')).running.legacy.tools as { tools: Tool[] };
  return Object.keys(tools.find(({ name }) => name === tool)!.inputSchema.properties!);
}

function flagsIn(text: string): string[] {
  return [...text.matchAll(/--[a-z][a-z-]*/g)].map(([flag]) => flag).sort();
}

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

function defaultInWords(value: unknown): string {
  if (typeof value === 'number' && value >= GIB) return `${value / GIB} GiB`;
  if (typeof value === 'number' && value >= MIB) return `${value / MIB} MiB`;
  if (typeof value === 'number') return String(value);
  const json = typeof value === 'string' ? value : JSON.stringify(value);
  return `\`${json.replace(/"(\w+)":/g, '$1: ').replace(/,(?=\w)/g, ', ')}\``;
}
