import { describe, expect, it } from 'vitest';
import { LEVELS } from '../../../shared/text/level-words.ts';
import { isErrorLevel, levelOf, levelOfCodes } from '../../../shared/text/levels.ts';
import fc from '../../fixtures/fast-check.ts';
import { telling } from '../../fixtures/search/level-lines.ts';
import { cases } from '../../fixtures/sizes.ts';

const utf8 = new TextEncoder();

const silent = [
  '',
  'plain text',
  '0 errors, 0 warnings',
  '3 errors generated.',
  'no error',
  'no error: all is well',
  'No ERROR found',
  'Errors: 0',
  '# ERROR: 0',
  '# FAIL:  0',
  'tests: 3, FAILED: 0, skipped: 1',
  'error: null',
  '{ error: null, ok: 1 }',
  'error_handler.c',
  'gcc -c error.c -o error.o',
  'ErrorCode = 3',
  'LOG_ERROR',
  'an error occurred',
  'see /var/log/ERROR for more',
  'open ERROR.md',
  'node --debug x.js',
  'curl --log-level=debug',
  'DEBUG=app:* npm start',
  'std::error::Error',
  'except ValueError:',
  '	at com.foo.ErrorHandler.handle(ErrorHandler.java:12)',
  'battery level=50',
  'zoom level: 30',
  'water_level=info',
  '{"priority":3}',
  '{"PRIORITY":50}',
  'make PRIORITY=3',
  'PRIORITY=3 make',
  'information about several levels of detail',
  'ok 1 - adds',
  'make: Entering directory',
  'E/tag without colon',
  'main.c: In function',
  'the information is traced and verbose',
  'E = mc2',
  '12-13 is a range',
  '<html>',
  'éerror: x',
  'pick [E] or [W]here',
  '(DEFUN MERGE-BASKET (X ERROR)',
  'a[E] x',
  '[E]x',
  '12:30 E 5',
  '2026-03-01 10:00:00 errors were found',
  '2026-03-01 10:00:00 fail safe mode',
  '2026-03-01 10:00:00 alert sent',
  '2026-03-01 10:00:00 Er 11',
  'user.error is undefined',
  'Mar  1 10:00:00 host my.error x',
  '[warning',
  '{"level":3,"x":1}',
];

describe('the severity of a line', () => {
  for (const [level, lines] of Object.entries(telling)) {
    it.each(lines)(`is ${level} in %j`, (text) => {
      expect(levelOf(text)).toBe(level);
    });
  }

  it.each(silent)('is unknown in %j', (text) => {
    expect(levelOf(text)).toBeNull();
  });

  it('is read from any field, however many others come before', () => {
    const fields: [string, string | null][] = [
      ['{"level":"info","a":1}', 'info'],
      ['{"level":"information","a":1}', 'info'],
      ['{"level":"infos","a":1}', null],
      ['{"level":"warn","a":1}', 'warn'],
      ['{"level":50,"a":1}', 'error'],
      ['{"level":500,"a":1}', null],
      ['{"level": "debug","a":1}', 'debug'],
      [' level=trace a', 'trace'],
      [' lvl=fatal a', 'fatal'],
      [' lvl=fatality a', null],
      ['-level=fatal a', null],
      ['{"severity":"ERROR","a":1}', 'error'],
      ['{"PRIORITY":"3","a":1}', 'error'],
      ['{"PRIORITY":"30","a":1}', null],
      ['{"levelname":"WARNING","a":1}', 'warn'],
    ];
    for (const [line, level] of [...fields, ...fields.toReversed(), ...fields])
      expect([line, levelOf(line)]).toEqual([line, level]);
  });

  it('counts fatal and error lines as errors', () => {
    expect(LEVELS.filter(isErrorLevel)).toEqual(['fatal', 'error']);
    expect(isErrorLevel(null)).toBe(false);
  });

  it('is the same when it is read from UTF-8 bytes', () => {
    const words = fc.constantFrom(
      ...[
        'error',
        'ERROR',
        'Error',
        'warn',
        'INFO',
        'level',
        '"level"',
        'lvl',
        'panic',
        'Traceback',
        'make',
        'npm',
      ],
      ...[
        ':',
        '=',
        ' ',
        '  ',
        '[',
        ']',
        '"',
        "'",
        '<',
        '>',
        '/',
        '-',
        '_',
        '.',
        '0',
        '7',
        '***',
        '{',
        '}',
        '\t',
      ],
      ...[
        'é',
        '漢',
        '😀',
        'a',
        'Exception',
        'FAIL',
        'core dumped',
        '01-13 10:30:00.000 1 2 E x',
        'E/',
        'W: ',
        '50',
      ],
    );
    const line = fc.oneof(
      fc.array(words, { maxLength: 12 }).map((all) => all.join('')),
      fc.constantFrom(...Object.values(telling).flat(), ...silent),
    );
    fc.assert(
      fc.property(line, fc.string({ maxLength: 3 }), (text, margin) => {
        const before = utf8.encode(margin);
        const bytes = utf8.encode(`${margin}${text}${margin}`);
        const end = bytes.length - before.length;
        expect(levelOfCodes(bytes, before.length, end)).toBe(levelOf(text));
      }),
      { numRuns: cases(5000) },
    );
  });
});
