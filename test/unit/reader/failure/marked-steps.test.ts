/** Explains logs whose steps are marked: what other steps, echoed scripts and clean-ups say explains nothing. */
import { describe, expect, test } from 'vitest';
import { cutExplanation } from '../../../../electron/reader/failure/cut.ts';
import { explained } from '../../../fixtures/reader/failures.ts';

const time = (i: number) =>
  `2031-05-04T10:${String(Math.floor(i / 60) % 60).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}.1234567Z `;
const work = (count: number) =>
  Array.from({ length: count }, (_, i) => `fetched part ${i} of ${count} in ${(i * 7) % 90} ms`);

/** A log of three steps: one that went well, the one that failed, and the clean-up. */
function logOf(output: readonly string[], stamp = time): Buffer {
  const lines = [
    '##[group]Run actions/setup@v9',
    'with: depth 1',
    '##[endgroup]',
    ...work(60),
    'ERROR: cache service answered 503, fetching without it',
    '##[group]Run ./check.sh',
    'if ! ./tidy --check; then echo "ERROR: run ./tidy before you push"; exit 1; fi',
    'shell: /bin/bash -e {0}',
    '##[endgroup]',
    ...output,
    '##[error]Process completed with exit code 1.',
    'Post job cleanup.',
    'fatal: No such remote: mirror',
    'error: could not lock config file .git/config: Permission denied',
    ...work(40),
  ];
  return Buffer.from(`${lines.map((line, i) => stamp(i) + line).join('\n')}\n`);
}

const reason = 'ERROR: the lock file lists orbit 2.1, the manifest asks for orbit 3';

describe('the cause in a log with marked steps', () => {
  test.each([
    ['behind a time', time],
    ['behind a job, a step and a time', (i: number) => `build\tcheck\t${time(i)}`],
  ])('is in the step that failed: %s', (_, stamp) => {
    const { cause } = explained(logOf([...work(30), reason, ...work(3)], stamp));
    expect(cause?.text).toContain(reason);
  });

  test("is a harness's verdict rather than an error that a program handles", () => {
    const verdict = 'TEST-UNEXPECTED-FAIL | suite/sort.html | row 3 came before row 2';
    const handled = 'INFO - page: ReferenceError: helper is not defined';
    const { cause } = explained(logOf([...work(30), handled, ...work(30), verdict, ...work(300)]));
    expect(cause?.text).toContain(verdict);
  });
});

test.each([
  ['has failed for what an earlier one plainly left out where it printed nothing', [], true],
  ['has not failed for it where it printed something', work(80), false],
])('a step without an error %s', (_what, printed, isNamed) => {
  const skipped = 'Seeding of the test database skipped: no snapshot for this branch, falling back to main';
  const log = [
    '##[group]Run actions/setup@v9',
    '##[endgroup]',
    ...work(60),
    skipped,
    ...work(5),
    '##[group]Run ./check.sh',
    '##[endgroup]',
    ...printed,
    '##[error]Process completed with exit code 1.',
    'Post job cleanup.',
    ...work(20),
  ];
  const { cause } = explained(Buffer.from(`${log.map((line, i) => time(i) + line).join('\n')}\n`));
  expect(cause?.text.includes(skipped) ?? false).toBe(isNamed);
});

test.each([
  [
    'GitLab, with a time and a stream before each line',
    [
      'Running with gitlab-runner 31.1',
      'section_start:1764300006:get_sources\r\x1b[0KGetting source',
      'Skipping Git submodules setup',
      'section_end:1764300010:get_sources\r\x1b[0K',
      'section_start:1764300012:step_script\r\x1b[0KExecuting "step_script"',
    ],
    ['section_end:1764300212:step_script\r\x1b[0K', 'ERROR: Job failed: exit code 1'],
    (i: number) => time(i).replace(/ $/, i % 2 ? ' 00O ' : ' 01E '),
  ],
  [
    "Jenkins, with the job's post actions",
    ['Started by timer', '[Pipeline] { (Prepare)', 'warning: using default profile', '[Pipeline] { (Check)'],
    [
      '[Pipeline] }',
      '[Pipeline] { (Declarative: Post Actions)',
      'No test report files were found. Configuration error?',
      'ERROR: script returned exit code 1',
      'Finished: FAILURE',
    ],
    () => '',
  ],
])('the cause is in the step that failed: %s', (_, begin, end, stamp) => {
  const broken = 'relay.y:2: bad character class';
  const log = [...begin, ...work(3), broken, ...end].map((line, i) => stamp(i) + line);
  expect(explained(Buffer.from(`${log.join('\n')}\n`)).cause?.text).toContain(broken);
});

describe('the words with which a runner ends a job', () => {
  const broken = 'cp: cannot stat orbit.lock: No such file or directory';
  const told = 'level=error msg="thresholds of 2 checks were crossed"';
  const log = (begin: readonly string[], end: readonly string[]) =>
    explained(Buffer.from(`${[...begin, ...work(40), broken, ...work(40), told, ...end].join('\n')}\n`));

  test('mark nothing where no runner began: a command may print them', () => {
    const alone = log([], ['ERROR: Job failed: exit code 1']);
    expect(alone.isPlain).toBe(false);
    expect(log(['Running with gitlab-runner 31.1'], ['ERROR: Job failed: exit code 1']).isPlain).toBe(true);
  });

  test('mark the failure where they come first: what a runner says after them explains nothing', () => {
    const { cause } = log(
      ['Started by timer'],
      [
        'ERROR: script returned exit code 1',
        'ERROR: could not notify: mail host not found',
        'Finished: FAILURE',
      ],
    );
    expect(cause?.text).not.toContain('notify');
  });
});

test('every distinct line at error level of the failing step is in a preview of 4 KB', () => {
  const errors = [
    'alpha',
    'bravo',
    'carol',
    'delta',
    'eagle',
    'fjord',
    'grape',
    'house',
    'inlet',
    'jetty',
  ].map(
    (name, i) =>
      `ERROR: ${name} ${'needs asks lacks wants loses finds keeps gives takes makes'.split(' ')[i]} ${name}-lib, which ${name} cannot load`,
  );
  const output = errors.flatMap((error) => [...work(150), error]);
  const { parts } = cutExplanation(explained(logOf(output)), { bytes: 4096, lines: 1000 });
  const shown = parts.map(({ content }) => content).join('\n');
  expect(errors.filter((error) => !shown.includes(error))).toEqual([]);
});

test('a plain cause needs no more than part of the budget', () => {
  const explanation = explained(logOf([...work(900), reason]));
  expect(explanation.isPlain).toBe(true);
  const { bytes } = cutExplanation(explanation, { bytes: 4096, lines: 1000 });
  expect(bytes).toBeLessThan(4096 * 0.7);
});
