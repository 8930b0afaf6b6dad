import { describe, expect, it } from 'vitest';
import { LEVELS } from '../../../shared/text/level-words.ts';
import { isErrorLevel, levelOf, levelOfCodes } from '../../../shared/text/levels.ts';
import fc from '../../fixtures/fast-check.ts';

const utf8 = new TextEncoder();

const telling: Record<string, string[]> = {
  fatal: [
    'FATAL something',
    '2026-01-13 10:30:00 CRITICAL disk',
    'fatal: not a git repository',
    'x.c:1:10: fatal error: y.h: No such file or directory',
    'panic: runtime error: index out of range',
    "thread 'main' panicked at src/main.rs:2:5:",
    '[ 12.3] Kernel panic - not syncing: VFS',
    '{"level":60,"msg":"x"}',
    '<2>critical condition',
    'F0113 10:30:00.000000 1 x.go:1] bye',
  ],
  error: [
    'ERROR',
    '[error] 1234#0: *1 open() failed',
    '[Tue Jan 13 10:30:00 2026] [core:error] [pid 1] x',
    '2026-01-13T10:30:00Z level=error msg="it broke"',
    '{"ts":1,"level":"error","msg":"x"}',
    '{"severity": "ERROR"}',
    '{"msg":"INFO: not this","level":50}',
    'lvl=eror msg=x',
    'E/ActivityManager( 123): ANR',
    '01-13 10:30:00.000  1234  5678 E Tag: msg',
    'E0113 10:30:00.123456   1 file.go:3] x',
    'file.c:3:5: error: expected ‘;’',
    'error[E0308]: mismatched types',
    'src/a.ts(3,5): error TS2304: Cannot find name',
    '  3:5  error  Unexpected console statement  no-console',
    'npm ERR! code ELIFECYCLE',
    'npm error code E404',
    "error Couldn't find a package.json",
    'FAIL src/x.test.ts',
    '--- FAIL: TestX (0.00s)',
    'FAILED tests/test_x.py::test_y - assert 1 == 2',
    'E   assert 1 == 2',
    'BUILD FAILED in 3s',
    'ERROR in ./src/index.js',
    'Traceback (most recent call last):',
    'TypeError: undefined is not a function',
    'Uncaught TypeError: x',
    'Caused by: java.io.IOException: broken pipe',
    'java.lang.NullPointerException',
    'KeyError',
    'Error [ERR_MODULE_NOT_FOUND]: Cannot find module',
    'AssertionError [ERR_ASSERTION]: x',
    'Exception in thread "main" x',
    'make[1]: *** [Makefile:12: all] Error 2',
    'make: *** No rule to make target',
    'Segmentation fault (core dumped)',
    'E: Unable to locate package x',
    'not ok 2 - adds',
    'collect2: error: ld returned 1 exit status',
    '<3>usb 1-1: device not accepting address',
    'ERROR:root:message',
    'PHP Parse error:  syntax error',
    'SEVERE: Servlet failed',
    'fail: Microsoft.AspNetCore[1]',
    '140:error:0A000086:SSL routines',
  ],
  warn: [
    'WARN  [main] x',
    'warning: unused variable',
    'npm WARN deprecated x',
    'npm warn deprecated x',
    'level=warning',
    '/x.py:3: UserWarning: deprecated',
    '(node:1) DeprecationWarning: Buffer()',
    '[WRN] x',
    'W: Failed to fetch',
    'W0113 10:30:00.1 x',
    'x.c:3:5: warning: unused variable [-Wunused-variable]',
    '{"@l":"x","level":"Warning"}',
  ],
  info: [
    'INFO: no ERROR found',
    '[12:00:00] [Server thread/INFO]: Done',
    '[2026-01-13 10:30:00,000: INFO/MainProcess] ready',
    '[INFO] BUILD FAILURE',
    'info: Microsoft.Hosting[14]',
    '<info>  [1736764200.1] device (eth0)',
    '10:30AM INF starting',
    '2026-01-13 10:30:00,123 - app - INFO - started',
    '{"level":30,"msg":"error: x"}',
    'time=x level=info msg="ERROR: x"',
    'info Visit https://x',
    'NOTICE: table exists',
  ],
  debug: ['DEBUG x', '[debug] x', 'dbug: x', 'D/Tag: x', 'level: debug', '<7>x y'],
  trace: ['TRACE x', 'trce: x', '[TRACE] y', 'V/Tag(1): x', '{"level":10}'],
};

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
];

describe('the severity of a line', () => {
  for (const [level, lines] of Object.entries(telling)) {
    it.each(lines)(`is ${level} in %j`, (text) => {
      expect(levelOf(text)).toBe(level);
    });
  }

  it.each(silent)('is not told by %j', (text) => {
    expect(levelOf(text)).toBeNull();
  });

  it('counts fatal and error lines as errors', () => {
    expect(LEVELS.filter(isErrorLevel)).toEqual(['fatal', 'error']);
    expect(isErrorLevel(null)).toBe(false);
  });

  it('is the same read from UTF-8 bytes', () => {
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
      { numRuns: 5000 },
    );
  });
});
