/** Our Perl starts without the user's PERL variables, and passes them on to the command. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { findPerl, inPerl } from '../../../electron/recorder/command/perl.ts';

const perl = findPerl();

function seenBy(script: string, words: string[], env: NodeJS.ProcessEnv): Buffer {
  const started = inPerl(script, words, env);
  return execFileSync(perl!, started.args, { env: started.env });
}

test.runIf(perl)(
  'a Perl script sees the given environment, whichever variables were set aside for its start',
  () => {
    const env = {
      ...{ PERL5OPT: '-Mno_such', PERL: 'a\nb', PERL_: '=', PERL_BADLANG: '1', PERLé: 'é', PERL5LIB: '' },
      // Names that the wrapper itself sets variables aside under.
      ...{ _PERL: '1', __PERL: '2', ___PERL5OPT: '3', _PERL_BADLANG: '0', _: 'me', _perl: 'x', SUPERL: 'y' },
      LC_ALL: 'xx_YY.UTF-8',
    };
    const script = 'for (sort keys %ENV) { print "$_=$ENV{$_}\\0" }';
    const seen = seenBy(script, [], env).toString().split('\0').slice(0, -1);
    expect(new Set(seen)).toEqual(new Set(Object.entries(env).map(([name, value]) => `${name}=${value}`)));
  },
);

test.runIf(perl)('a Perl script’s arguments are not taken for options', () => {
  const words = ['-e', 'die', '--', '-w', ''];
  expect(seenBy('print join "|", @ARGV', words, {}).toString()).toBe(words.join('|'));
});
