/** Which line is named as the cause of a failure. */
import { describe, expect, test } from 'vitest';
import { explained, ourFailures } from '../../../fixtures/reader/failures.ts';

const work = (count: number) =>
  Array.from({ length: count }, (_, i) => `[${i}] processed record id=${i * 7}`);
const causeOf = (...text: string[]) => explained(Buffer.from(`${text.join('\n')}\n`)).cause?.text;

describe('the cause of an exception with causes', () => {
  const trace = (frames: number, before = '') =>
    [
      'org.acme.BeanException: Error creating bean with name',
      ...Array.from({ length: frames }, (_, i) => `\tat org.acme.beans.Factory.get${i}(Factory.java:${i})`),
      'Caused by: java.lang.IllegalStateException: Failed to load driver',
      '\tat org.acme.Db.init(Db.java:33)',
      '\t... 12 more',
      'Caused by: java.net.UnknownHostException: db.internal.acme',
      '\tat java.base/java.net.InetAddress.getAllByName(InetAddress.java:1519)',
      '\t... 20 more',
    ].map((line) => before + line);

  test.each([
    ['of a short trace', 2, ''],
    ['of a trace of 30 KB', 600, ''],
    ['of a service that is named before each line', 2, 'api-1  | '],
  ])('is the last one, %s', (_, frames, before) => {
    const text = [...work(500), ...trace(frames, before), ...work(5)];
    expect(causeOf(...text)).toBe(`${before}Caused by: java.net.UnknownHostException: db.internal.acme`);
  });

  test('is not that of another trace', () => {
    const [first, frame] = trace(1);
    const text = [...work(500), first!, frame!, 'started again', 'Caused by: java.lang.Error: later'];
    expect(causeOf(...text)).not.toContain('later');
  });
});

describe('the cause of a failed comparison', () => {
  test.each([
    [
      'Assertion with == failed',
      ['  1) counts orders (OrdersTest)', '     test/orders_test.exs:12'],
      ['     code:  assert count == 31', '     left:  30', '     right: 31'],
    ],
    [
      "error: hash mismatch in fixed-output derivation '/out/ab12-source.drv':",
      ['building source'],
      ['         specified: sha256-AAAAAAAAAAA=', '            got:    sha256-8v3r0f9J1u0='],
    ],
    [
      '[error] /src/Price.scala:45:31: type mismatch;',
      ['[info] compiling 40 sources'],
      ['[error]  found   : scala.math.BigDecimal', '[error]  required: Int'],
    ],
  ])('is what says that it failed, not one of its sides: %s', (cause, before, sides) => {
    expect(causeOf(...work(400), ...before, cause, ...sides, ...work(5))?.trim()).toBe(cause);
  });
});

describe('a warning before the error that ends the run', () => {
  const traceback = (error: string) => [
    'Traceback (most recent call last):',
    '  File "job.py", line 4, in <module>',
    '    run()',
    error,
  ];
  const ld = "/usr/bin/ld: obj/main.o: undefined reference to symbol 'dlopen@@GLIBC_2.2.5'";
  const diverged = 'RuntimeError: model diverged';
  const missing = 'error[E0425]: cannot find function `foo` in this scope';

  test.each([
    [
      'x.py:3: FutureWarning: The behavior of array concatenation is deprecated.',
      diverged,
      traceback(diverged),
    ],
    ["src/util.h:10:5: warning: 'old_api' is deprecated [-Wdeprecated-declarations]", ld, [ld]],
    ['warning: unused variable: `x`', missing, [missing, ' --> src/main.rs:3:5', '  |', '3 |     foo();']],
  ])('is not the cause: %s', (warning, cause, end) => {
    for (const before of [0, 500]) {
      for (const between of [0, 500]) {
        const text = [...work(before), warning, ...work(between), ...end];
        expect(causeOf(...text)).toContain(cause);
      }
    }
  });

  test.each(['f36-fop-font', 'x70-nextflow-sort'])(
    'is the cause where it is much likelier: %s',
    (recorded) => {
      const { bytes, cause } = ourFailures().find(({ id }) => id === recorded)!;
      expect(explained(bytes).cause?.text).toMatch(cause);
    },
  );
});

describe('the cause of a failed assertion', () => {
  const report = (...reasons: string[]) => [
    ...work(500),
    '=================================== FAILURES ===================================',
    '__________________________________ test_total __________________________________',
    '    def test_total():',
    '>       assert total() == 10',
    ...reasons,
    '',
    'tests/test_billing.py:14: AssertionError',
    '=========================== short test summary info ============================',
    '======================== 1 failed, 411 passed in 3.21s =========================',
  ];

  test('is its message rather than its source line', () => {
    const said = ['E       assert 7 == 10', 'E        +  where 7 = <function total at 0x7f>()'];
    expect(causeOf(...report(...said))).toBe(said[0]);
    expect(causeOf(...report(...said, '', 'total = <function total at 0x7f>'))).toBe(said[0]);
  });

  test('is its source line where it has no message', () => {
    expect(causeOf(...report())).toBe('tests/test_billing.py:14: AssertionError');
  });
});

describe('output that does not speak of a failure', () => {
  const rows = (make: (i: number) => string) => Array.from({ length: 3000 }, (_, i) => make(i + 1));
  const bytes = (i: number) => `${(i * 40503).toString(16).padStart(6, '0').slice(-6).replace(/../g, '$& ')}`;

  test.each([
    ['numbers', rows(String).slice(0, 1000)],
    [
      'a listing of machine code',
      rows((i) => `  ${i.toString(16)}:\t${bytes(i)}       \tmov    $0x${i},%eax`),
    ],
    ['a hex dump', rows((i) => `${i.toString(8).padStart(7, '0')} ${bytes(i)} ${bytes(i * 7)}`)],
  ])('has no cause: %s', (_, text) => {
    expect(causeOf(...text)).toBeUndefined();
  });

  test('has an odd number as its cause where the end mentions the failure', () => {
    const text = rows((i) => `sensor ${i} at ${i === 1700 ? 91204 : 20 + (i % 9)}`);
    expect(causeOf(...text, 'plant stopped by its guard')).toBe(text[1699]);
  });
});

describe('a script that fails without a word', () => {
  const rounds = Array.from({ length: 100 }, (_, i) => [`+ echo 'step ${i}'`, `+ x=${i * 2}`]).flat();
  const trace = ['+ set -e', ...rounds, '+ cp a b'];

  test.each([
    ['a traced command', [...trace, '+ grep -q something /etc/hostname']],
    ['a test', [...trace, "+ '[' -f /opt/app/license.key ']'"]],
    ['an explicit exit', [...trace, '+ exit 3']],
    ['a closing heading', ['one', 'two', '===== 5 passed in 0.1s =====']],
    ['what npm prints before a script', ['', '> shop@1.0.0 test', '> node test.js', '', 'ran 4 suites']],
    ['one of many parts', Array.from({ length: 40 }, (_, i) => `packed part ${i}`)],
  ])('has no cause: %s', (_, text) => {
    expect(causeOf(...text)).toBeUndefined();
  });

  test('has the line that reports a failure as its cause', () => {
    const error = 'cp: cannot create regular file b: Permission denied';
    expect(causeOf(...trace, error, '+ grep -q something /etc/hostname')).toBe(error);
  });
});

describe('a cause is a whole statement', () => {
  test.each([
    [
      'a wrapped sentence',
      [
        'CMake Error at CMakeLists.txt:4 (find_package):',
        '  By not providing "FindFoo.cmake" in CMAKE_MODULE_PATH this project has',
        '  asked CMake to find a package configuration file provided by "Foo", but',
        '  CMake did not find one.',
      ],
      /this project has asked CMake .* provided by "Foo", but CMake did not find one\.$/,
    ],
    [
      'what differs',
      [
        '# Subtest: adds',
        '  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:',
        '',
        '  1 !== 2',
        '',
      ],
      /strictly equal: 1 !== 2$/,
    ],
    [
      'both sides of a diff',
      [
        '✖ adds up (1.2ms)',
        '  AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal:',
        '  + actual - expected ... Lines skipped',
        '  ',
        '    {',
        "      currency: 'EUR',",
        '  +   total: 3',
        '  -   total: 4',
      ],
      /strictly deep-equal: \+ total: 3 - total: 4$/,
    ],
    [
      'the test, where much differs',
      [
        '✖ keeps order (1.2ms)',
        '  AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal:',
        '  + actual - expected',
        '  ',
        '    [',
        '  +   2',
      ],
      /^✖ keeps order .*strictly deep-equal:$/,
    ],
    [
      'no other line',
      ['cc -c liba.a', 'ld: cannot find -lnowhere: No such file or directory', 'collect2: ended'],
      /directory$/,
    ],
  ])('with %s', (_, text, cause) => {
    expect(causeOf(...text)).toMatch(cause);
  });
});

test('a line that announces others is not the cause', () => {
  const vite = [
    'error during build:',
    'Build failed with 1 error:',
    '',
    '"draw" is not exported by "chart.js".',
  ];
  expect(causeOf('transforming...', ...vite)).toBe(vite.at(-1));
  const less = 'NameError: variable @brnad is undefined in main.less on line 2:';
  expect(causeOf(less, '1 @import "vars";', '2 .a { color: @brnad; }')).toBe(less);
});

test('the cause in a report is its first line, not a detail', () => {
  const report = [
    '    def test_total():',
    '>       assert total([1, 2]) == 4',
    'E       assert 3 == 4',
    'E        +  where 3 = total([1, 2])',
  ];
  const head = [
    'collected 1 item',
    '',
    'test_a.py::test_total FAILED',
    '',
    '==== FAILURES ====',
    '____ test_total ____',
  ];
  const text = [...head, ...report, '', 'test_a.py:2: AssertionError', '==== 1 failed in 0.05s ===='];
  expect(causeOf(...text)).toBe('E       assert 3 == 4');
});

test('where to find help is no cause', () => {
  const goal = '[ERROR] Failed to execute goal compile on project app: Compilation failure';
  const help = [
    '[ERROR] -> [Help 1]',
    '[ERROR] Re-run Maven using the -X switch to enable full debug logging.',
  ];
  const more =
    '[ERROR] For more information about the errors and possible solutions, please read the following articles:';
  const link = '[ERROR] [Help 1] http://wiki.example.org/MOJO/MojoFailureException';
  expect(causeOf('[INFO] Scanning for projects...', goal, ...help, more, link)).toBe(goal);
});
