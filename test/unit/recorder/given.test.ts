import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { asGiven, type Given, type Words } from '../../../electron/recorder/command/given-bytes.ts';
import { atTheirNumbers, descriptorsGiven } from '../../../electron/recorder/command/leader.ts';
import { isWithin } from '../../../electron/recorder/streams/recorded-stream.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const words = (args: string[], env: NodeJS.ProcessEnv = {}): Words => ({
  ...{ path: '/bin/echo', name: 'echo', args, env },
});
const given = (theirs: Partial<Given>) => () => ({ words: [], variables: [], ...theirs });
const PERL = '/usr/bin/perl';

describe('a command with the raw bytes of its arguments', () => {
  test('stays unchanged, without a lookup, when decoding lost nothing', () => {
    const command = words(['a', 'é', '\u{1f642}'], { A: 'ü' });
    const never = () => {
      throw new Error('looked up');
    };
    expect(asGiven(command, PERL, never)).toBe(command);
  });

  test('stays unchanged without a Perl, or when the raw bytes are unknown', () => {
    const command = words(['\uFFFD']);
    expect(asGiven(command, null, given({ words: [bytes('\xe9')] }))).toBe(command);
    expect(asGiven(command, PERL, () => null)).toBe(command);
  });

  test('stays unchanged when its arguments are not the last ones that we were given', () => {
    const command = words(['a', '\uFFFD']);
    for (const others of [['b', '\xe9'], ['\xe9', 'a'], ['\xe9'], ['a', '\xe9', 'z']]) {
      expect(asGiven(command, PERL, given({ words: others.map(bytes) })), others.join()).toBe(command);
    }
  });

  test('takes the raw arguments from the end, even if two decode alike', () => {
    const command = words(['\uFFFD', 'a', '\uFFFD']);
    const { path, args } = asGiven(
      command,
      PERL,
      given({ words: ['node', 'run', '\xe9', 'a', '\xe8'].map(bytes) }),
    );
    expect(path).toBe(PERL);
    expect(args.slice(-5)).toEqual(['w/bin/echo', 'wecho', 'xe9', 'wa', 'xe8']);
  });

  test('takes the raw value of a variable only while its value is unchanged', () => {
    const came = given({ variables: [bytes('A=\xe9'), bytes('B=\xe9'), bytes('C=c')] });
    const { args } = asGiven(words([], { A: '\uFFFD', B: 'changed', C: 'c' }), PERL, came);
    expect(args.filter((arg) => arg.startsWith('v'))).toEqual([`v${bytes('A=\xe9').toString('hex')}`]);
    const changed = words([], { A: 'changed', B: '\uFFFD\uFFFD' });
    expect(asGiven(changed, PERL, came)).toBe(changed);
  });

  test.each(['a word', 'a variable', 'a variable for a Perl', 'what is UTF-8, beside it'])(
    'stays unchanged, and still starts, when Perl’s command line would be too long for %s',
    (what) => {
      const made = (size: number) => {
        const [long, plain] = [`${'a'.repeat(size - 1)}\xe9`, 'a'.repeat(size)];
        const lossy = `${'a'.repeat(size - 1)}\uFFFD`;
        if (what === 'a word') return { command: words([lossy]), real: { words: [bytes(long)] } };
        if (what === 'a variable')
          return { command: words([], { A: lossy }), real: { variables: [bytes(`A=${long}`)] } };
        if (what === 'a variable for a Perl')
          return { command: words(['\uFFFD'], { PERLX: plain }), real: { words: [bytes('\xe9')] } };
        return { command: words(['\uFFFD', plain]), real: { words: [bytes('\xe9'), bytes(plain)] } };
      };
      const sizes = {
        ...{ 'a word': 65_535, 'a variable': 65_533, 'a variable for a Perl': 131_064 },
        'what is UTF-8, beside it': 131_070,
      };
      const most = sizes[what as keyof typeof sizes];
      const start = (size: number) => {
        const { command, real } = made(size);
        const started = asGiven(command, PERL, given(real));
        // This throws if the command line is too long for the system.
        execFileSync(started.path, started.args, { env: started.env });
        return started === command;
      };
      expect([start(most), start(most + 1)]).toEqual([false, true]);
    },
  );

  test('starts with raw arguments that a shell or Perl would interpret', () => {
    const args = ['-c', 'printf "<%s>" "$0" "$@" "$A" "$PERL5OPT"', '$(touch pwned)', '\uFFFD', '-e'];
    const env = { A: '\uFFFD', PERL5OPT: '-Mno_such' };
    const real = given({
      words: [...args.slice(0, 3).map(bytes), bytes('\xe9'), bytes('-e')],
      variables: [bytes('A=\xe9')],
    });
    const started = asGiven({ path: '/bin/sh', name: 'sh', args, env }, PERL, real);
    expect(started.env).not.toHaveProperty('PERL5OPT');
    expect(execFileSync(started.path, started.args, { env: started.env }).toString('latin1')).toBe(
      '<$(touch pwned)><\xe9><-e><\xe9><-Mno_such>',
    );
  });
});

describe('inherited descriptors', () => {
  const given = (...links: (string | null)[]) => {
    const all = new Map(links.flatMap((link, index) => (link === null ? [] : [[index + 3, link] as const])));
    return descriptorsGiven(all, all);
  };
  const [QUEUE, PIPE] = ['anon_inode:[eventpoll]', 'pipe:[1]'];

  test('include those before the first one of ours', () => {
    expect(given('/a', PIPE, QUEUE)).toEqual([3, 4]);
    expect(given(PIPE, PIPE, QUEUE)).toEqual([3, 4]);
    expect(given('/dev/null', '/dev/tty', QUEUE)).toEqual([3, 4]);
    expect(given(QUEUE)).toEqual([]);
  });

  test('include those that Node opens otherwise, or not at all, wherever they are', () => {
    const counter = 'anon_inode:[eventfd]';
    expect(given(counter, QUEUE, counter)).toEqual([3]);
    expect(given(QUEUE, '/dev/null for writing', '/dev/null', 'anon_inode:[pidfd]')).toEqual([4, 6]);
    const many = Array.from({ length: 20 }, (_, index) => `/${index}`);
    expect(given(...many, QUEUE, '/dev/null')).toEqual(many.map((_, index) => index + 3));
  });

  test('include those after a gap that cannot be ours', () => {
    expect(given(QUEUE, 'pipe:[2]', 'pipe:[2]', '/lock', QUEUE)).toEqual([6]);
    expect(given('/a', null, 'socket:[7]')).toEqual([3, 5]);
    expect(given(QUEUE, PIPE, '/dev/null', '/dev/pts/3', '/dev/tty')).toEqual([4]);
  });

  test('include those that lead to the same file as a standard stream', () => {
    const links = new Map([
      [1, PIPE],
      [3, QUEUE],
      [5, PIPE],
      [6, PIPE],
      [7, 'pipe:[2]'],
      [18, 'pipe:[2]'],
    ] as const);
    expect(descriptorsGiven(links, links)).toEqual([5, 6]);
  });

  test('exclude numbers at which we opened another file since', () => {
    const start = new Map([
      [3, '/a'],
      [9, '/lock'],
    ] as const);
    expect(
      descriptorsGiven(
        start,
        new Map([
          [3, '/a'],
          [9, '/ours'],
          [10, '/ours'],
        ] as const),
      ),
    ).toEqual([3]);
  });

  test('keep their numbers in a child, with nothing between them', () => {
    expect(atTheirNumbers([3, 6])).toEqual([3, 'ignore', 'ignore', 6]);
    expect(atTheirNumbers([])).toEqual([]);
  });
});

describe('the inline budget in characters', () => {
  const within = (text: string, chars: number, encoding: BufferEncoding = 'utf8') => {
    const all = Buffer.from(text, encoding);
    return isWithin({ chars, lines: 100 }, all, all.length, 1);
  };

  test.each([['a', 'é', '漢', '\u{1f642}']].flat())('counts %s as one, whatever its bytes', (character) => {
    expect(within(character.repeat(50), 50)).toBe(true);
    expect(within(character.repeat(51), 50)).toBe(false);
  });

  test('counts the characters of UTF-16, byte order mark included', () => {
    expect(within(`\uFEFF${'漢'.repeat(49)}`, 50, 'utf16le')).toBe(true);
    expect(within(`\uFEFF${'漢'.repeat(50)}`, 50, 'utf16le')).toBe(false);
    expect(within(`\uFEFF${'a'.repeat(50)}`, 50, 'utf16le')).toBe(false);
  });
});
