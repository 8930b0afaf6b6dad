/**
 * Measures what it costs to record a command whose output an agent reads through two pipes, or two sockets as Node gives its
 * children: what is printed is passed on in order. Beside the bare command, and `tee` on both streams. In processor time of all
 * processes but the reader, as clocks say little on a machine that does other things.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installShell } from '../../electron/agent-shell/install.ts';
import { spillwayShellPath } from '../../electron/agents/client.ts';
import { type Figure, folder, MIB, median, realText, report, warm } from './harness.ts';

const ROUNDS = 5;
const home = mkdtempSync(join(folder, 'forwarding-home-'));
installShell(
  { home, command: [process.execPath, join(process.cwd(), 'dist/node/cli.js')] },
  'opencode',
  'record',
  '/bin/bash',
);
const text = realText(64 * MIB);
warm(text);

/** Runs `shell -c COMMAND` and reads both its outputs as they come; prints the milliseconds of its processes. */
const MEASURE = `
  my ($kind, $copies, $shell, $command) = @ARGV;
  sub connected { $kind eq 'pipe' ? pipe $_[0], $_[1] : socketpair $_[0], $_[1], 1, 1, 0 }
  my (@from, @to);
  for my $at (0, 1) {
    connected($from[$at], $to[$at]);
    next unless $copies;
    connected(my $in, my $out);
    unless (fork) {
      open STDIN, '<&', $in; open STDOUT, '>&', $to[$at]; close $_ for $in, $out, @to;
      exec 'tee', "$copies.$at";
    }
    close $in; close $to[$at]; $to[$at] = $out;
  }
  unless (fork) { open STDOUT, '>&', $to[0]; open STDERR, '>&', $to[1]; close $_ for @to; exec $shell, '-c', $command }
  close $_ for @to;
  my %open = map { (fileno $_, $_) } @from;
  while (%open) {
    my $ready = ''; vec($ready, $_, 1) = 1 for keys %open;
    select $ready, undef, undef, undef;
    for (grep { vec $ready, $_, 1 } keys %open) { sysread $open{$_}, my $bytes, 65536 or delete $open{$_} }
  }
  1 while wait > 0;
  my @times = times;
  print 1000 * ($times[2] + $times[3]);`;

const WAYS = {
  bare: ['', '/bin/bash'],
  tee: [join(home, 'copy'), '/bin/bash'],
  recorded: ['', spillwayShellPath(home)],
} as const;
type Way = keyof typeof WAYS;

interface Case {
  name: string;
  command: string;
  /** The most that recording may cost beyond `tee`, in milliseconds. */
  limit: number;
}
const CASES: Case[] = [
  { name: 'nothing', command: 'true', limit: 20 },
  { name: '64 MiB', command: `cat ${text}`, limit: 900 },
  { name: '64 MiB on both streams at once', command: `cat ${text} & cat ${text} >&2; wait`, limit: 1500 },
  {
    name: '40,000 lines, on one stream and the other in turn',
    command: 'for ((i = 0; i < 20000; i++)); do echo line $i of a build; echo warning $i >&2; done',
    limit: 400,
  },
  {
    name: '200,000 lines, each written by itself',
    command: String.raw`perl -e '$line = ("x" x 79) . "\n"; syswrite STDOUT, $line for 1 .. 200_000'`,
    limit: 900,
  },
];

function measured(kind: string, way: Way, command: string): number {
  const { stdout } = spawnSync('perl', ['-e', MEASURE, kind, ...WAYS[way], command], { encoding: 'utf8' });
  for (const made of ['captures', 'copy.0', 'copy.1'])
    rmSync(join(home, made), { recursive: true, force: true });
  return Number(stdout);
}

const figures: Figure[] = [];
const raw: Record<string, number[]> = {};
for (const kind of ['pipe', 'socket'])
  for (const { name, command, limit } of CASES) {
    const times: Record<Way, number[]> = { bare: [], tee: [], recorded: [] };
    for (let round = 0; round < ROUNDS; round += 1)
      for (const way of Object.keys(WAYS) as Way[]) times[way].push(measured(kind, way, command));
    for (const [way, all] of Object.entries(times)) {
      raw[`${kind} ${name} ${way}`] = all;
      figures.push({ what: `two ${kind}s, ${name}: ${way}`, value: median(all), unit: 'ms' });
    }
    const over = median(times.recorded) - median(times.tee);
    figures.push({ what: `two ${kind}s, ${name}: recorded over tee`, value: over, unit: 'ms', limit });
  }
rmSync(home, { recursive: true });
report('forwarding', figures, raw);
