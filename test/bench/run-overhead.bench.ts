/**
 * Measures processor time and memory of `spillway run` for a short command, beside `node -e 0` and the bare
 * command.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { folder, median } from './harness.ts';

const ROUNDS = 7;
const RUNS_A_ROUND = 5;
const TARGET_TIMES_NODE = 1.4;
const TARGET_MB = 45;

const home = mkdtempSync(join(folder, 'run-home-'));
const cli = join(process.cwd(), 'dist/node/cli.js');
const node = 'node -e 0';
const run = 'spillway run -- true';
const ways: Record<string, string[]> = {
  true: ['/bin/true'],
  [node]: [process.execPath, '-e', '0'],
  [run]: [cli, 'run', '--quiet', '--', '/bin/true'],
  'node cli.js run -- true': [process.execPath, cli, 'run', '--quiet', '--', '/bin/true'],
};

/** Prints milliseconds of processor time of one run. */
const MEASURE = `
  my ($n, @c) = @ARGV; my @t = times;
  for (1 .. $n) { my $p = fork; unless ($p) { open STDOUT, '>', '/dev/null'; exec @c } waitpid $p, 0 }
  my @u = times; printf "%.3f", ($u[2] + $u[3] - $t[2] - $t[3]) * 1000 / $n`;

const env = { ...process.env, SPILLWAY_HOME: home };
const times = Object.fromEntries(Object.keys(ways).map((name) => [name, [] as number[]]));
for (let round = 0; round < ROUNDS; round += 1)
  for (const [name, command] of Object.entries(ways)) {
    const { stdout } = spawnSync('perl', ['-e', MEASURE, '--', String(RUNS_A_ROUND), ...command], {
      env,
      encoding: 'utf8',
    });
    times[name]!.push(Number(stdout));
  }
for (const [name, command] of Object.entries(ways)) {
  const { stderr } = spawnSync('/usr/bin/time', ['-f', '%M', ...command], { env, encoding: 'utf8' });
  const memory = (Number(stderr.trim().split('\n').at(-1)) / 1024).toFixed(1);
  const cpu = median(times[name]!);
  console.log(
    `${name.padEnd(26)} ${cpu.toFixed(1)} ms of processor (${(cpu / median(times[node]!)).toFixed(2)} times ${node}), ${memory} MB`,
  );
}
const ratio = median(times[run]!) / median(times[node]!);
console.log(`aim: at most ${TARGET_TIMES_NODE} times, ${TARGET_MB} MB; reached: ${ratio.toFixed(2)} times`);
rmSync(home, { recursive: true, force: true });
