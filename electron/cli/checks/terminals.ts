/** Checks for pseudo-terminals, which `spillway terminal` and commands at a terminal need. */
import { toSpillwayError } from '../../../shared/errors.ts';
import { findPerl } from '../../recorder/command/perl.ts';
import { loadNativePty } from '../../recorder/terminal/load-pty.ts';
import { type Check, ok, warn } from './check.ts';

export function checkTerminals(platform: string = process.platform, perl = findPerl()): Check {
  try {
    if (platform !== 'win32') loadNativePty();
  } catch (error) {
    const { what, todo } = toSpillwayError(error);
    return warn('terminals', what, todo);
  }
  if (platform === 'win32') return ok('terminals', 'pseudo-terminals are available');
  if (perl !== null) return ok('terminals', `pseudo-terminals are available, with Perl (${perl})`);
  return warn(
    'terminals',
    'background processes end with their command on a terminal, and Ctrl-Z does nothing',
    'install Perl, or use spillway run --no-pty',
  );
}
