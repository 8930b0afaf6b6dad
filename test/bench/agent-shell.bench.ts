/**
 * Measures the cost of recording an agent's command, in processor time and wall time: through BASH_ENV, as Claude
 * Code runs it, through `spillway-shell`, and bare; beside tokenjuice, and rtk where it is on the PATH. `node -e 0`
 * shows the least that a wrapper in Node would cost.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installBashEntry, installShell } from '../../electron/agent-shell/install.ts';
import { bashEntryPath, spillwayShellPath } from '../../electron/agents/client.ts';
import { installedCommand } from '../clients/installed.ts';
import { folder, median, print } from './harness.ts';

const ROUNDS = 5;
const RUNS_A_ROUND = 20;
/** Recording a command may cost this much more than running it bare. */
const MOST_PROCESSOR_MS = 10;
const MOST_CLOCK_MS = 25;

const home = mkdtempSync(join(folder, 'agent-home-'));
const recorder = { home, command: [process.execPath, join(process.cwd(), 'dist/node/cli.js')] } as const;
installBashEntry(recorder, 'claude-code', 'record');
installShell(recorder, 'opencode', 'record', '/bin/bash');
const envelope = `source /nonexistent 2>/dev/null || true && eval 'true' < /dev/null && pwd -P >| ${home}/cwd`;
const bashEnv = { BASH_ENV: bashEntryPath(home, 'claude-code'), SHLVL: '2' };

const ways: Record<string, { command: string[]; env?: Record<string, string> }> = {
  'bash, bare': { command: ['/bin/bash', '-c', envelope] },
  'bash, recorded': { command: ['/bin/bash', '-c', envelope], env: bashEnv },
  'spillway-shell': { command: [spillwayShellPath(home), '-c', envelope] },
  'node -e 0': { command: [process.execPath, '-e', '0'] },
};
const tokenjuice = installedCommand('tokenjuice', 'tokenjuice');
if (tokenjuice !== null)
  ways['tokenjuice wrap'] = { command: [tokenjuice, 'wrap', '--', '/bin/bash', '-c', envelope] };

// On npm and Debian, packages named rtk are other programs.
const hasRtk = spawnSync('rtk', ['proxy', 'true']).status === 0;
if (hasRtk) ways['rtk proxy'] = { command: ['rtk', 'proxy', '/bin/bash', '-c', envelope] };

/** Runs the command into one file as Claude Code does; returns its mean milliseconds of processor and wall time. */
const MEASURE = `
  use Time::HiRes 'time'; my ($n, @c) = @ARGV; my @t = times; my $w = time;
  for (1 .. $n) { my $p = fork; unless ($p) { open STDIN, '<', '/dev/null'; open STDOUT, '>>', '/dev/shm/spw-bench'; open STDERR, '>&', STDOUT; exec @c } waitpid $p, 0 }
  my @u = times; printf "%.3f %.3f", ($u[2] + $u[3] - $t[2] - $t[3]) * 1000 / $n, (time - $w) * 1000 / $n`;

const figures = Object.fromEntries(
  Object.keys(ways).map((name) => [name, { cpu: [] as number[], wall: [] as number[] }]),
);
for (let round = 0; round < ROUNDS; round += 1)
  for (const [name, { command, env }] of Object.entries(ways)) {
    const { stdout } = spawnSync('perl', ['-e', MEASURE, '--', String(RUNS_A_ROUND), ...command], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    });
    const [cpu, wall] = stdout.split(' ').map(Number);
    figures[name]!.cpu.push(cpu!);
    figures[name]!.wall.push(wall!);
  }
const bare = { cpu: median(figures['bash, bare']!.cpu), wall: median(figures['bash, bare']!.wall) };
print(
  Object.entries(figures).flatMap(([name, { cpu, wall }]) => {
    const isOurs = name.endsWith(', recorded') || name === 'spillway-shell';
    return [
      {
        ...{ what: `${name}: processor over bare`, value: median(cpu) - bare.cpu, unit: 'ms' },
        ...(isOurs ? { limit: MOST_PROCESSOR_MS } : {}),
      },
      {
        ...{ what: `${name}: clock over bare`, value: median(wall) - bare.wall, unit: 'ms' },
        ...(isOurs ? { limit: MOST_CLOCK_MS } : {}),
      },
    ];
  }),
);
if (tokenjuice === null) console.log('tokenjuice: not measured, npm could not install it');
if (!hasRtk) console.log('rtk: not measured, there is none on the PATH; its authors say 7 ms');
rmSync(home, { recursive: true, force: true });
