/** The first lines of the built command: a Perl program that starts Node (electron/app/launcher.pl). */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './targets.mjs';

const PERL = '/usr/bin/perl';

/** Returns the first lines of the command. */
export function launcher() {
  if (process.platform === 'win32' || !existsSync(PERL)) return '#!/usr/bin/env node\n';
  const script = readFileSync(join(root, 'electron', 'app', 'launcher.pl'), 'utf8');
  const [first = ''] = script.split('\n', 1);
  const rest = script.slice(first.length).replace('NODE_OF_THE_BUILD', () => process.execPath);
  return interpreter(first) + rest;
}

/**
 * Returns as much of the first line as works here: BusyBox's `env` has no -S, and some Perls have no -t.
 *
 * @param {string} whole
 */
function interpreter(whole) {
  const [, words = ''] = /^#!\/usr\/bin\/env (.*)$/.exec(whole) ?? [];
  // The system passes the words as one argument; only Linux does.
  if (process.platform === 'linux' && prints('/usr/bin/env', [words], '-1 0 given')) return whole;
  return prints(PERL, ['-t'], '-1 given ') ? `#!${PERL} -t` : `#!${PERL}`;
}

/** @param {string} file @param {string[]} args @param {string} expected */
function prints(file, args, expected) {
  const script = `no warnings; print join ' ', \${^TAINT}, @ENV{'PERL_BADLANG', 'SPILLWAY_BADLANG'}`;
  const env = { ...process.env, PERL_BADLANG: 'given' };
  return spawnSync(file, [...args, '-e', script], { env }).stdout?.toString() === expected;
}
