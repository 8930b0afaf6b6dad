/** Sections of made-up logs, by the tool that marks them. */
import { describe, expect, test } from 'vitest';
import { scanSections } from '../../../electron/reader/sections/scan.ts';
import {
  failingSection,
  type Section,
  SectionTree,
  withTyped,
} from '../../../electron/reader/sections/tree.ts';
import { summariseBytes } from '../../../electron/reader/summary/summarise.ts';
import { NO_FACTS } from '../../../shared/text/line-time.ts';

const ESC = '\x1b';

/** Reads the text in stretches that end before the given lines (from 1). */
function sectionsOf(text: string, cuts: readonly number[] = []): Section[] {
  const lines = text.split(/(?<=\n)/);
  const tree = new SectionTree();
  let [line, errors] = [0, 0];
  for (const [i, from] of [1, ...cuts].entries()) {
    const part = lines.slice(from - 1, ([1, ...cuts][i + 1] ?? lines.length + 1) - 1).join('');
    summariseBytes(Buffer.from(part), {
      look: (bytes, at, to, errorLines) => {
        tree.add(scanSections(bytes, at, to, errorLines, NO_FACTS), { line, errors });
        errors += errorLines.length;
      },
    });
    line += part.split('\n').length - (part.endsWith('\n') ? 1 : 0);
  }
  return tree.finish({ line, errors }, null).sections;
}

/** `lines status ms errors`, indented by level, then the title; `>` before the failing one. */
function table(text: string): string[] {
  const sections = sectionsOf(text);
  const failing = failingSection(sections, null);
  return sections.map((one) => {
    const facts = [
      one.status,
      one.ms === null ? null : `${one.ms}ms`,
      one.errors === 0 ? null : `E${one.errors}`,
    ];
    const told = facts.filter((fact) => fact !== null).map((fact) => ` ${fact}`);
    return `${one === failing ? '>' : ''}${'  '.repeat(one.level - 1)}${one.start}-${one.end}${told.join('')} ${one.title}`;
  });
}

const at = (second: number) => `2026-03-01T10:00:${String(second).padStart(2, '0')}.0000000Z `;
const gh = (job: string, step: string, ...said: readonly string[]) =>
  said.map((text) => `${job}\t${step}\t${text}`);

const LOGS: Record<string, { log: readonly string[]; sections: readonly string[] }> = {
  'a raw log of GitHub Actions': {
    log: [
      `\ufeff${at(0)}Current runner version: '2.330.0'`,
      `${at(0)}##[group]Operating System`,
      `${at(0)}Ubuntu`,
      `${at(1)}##[endgroup]`,
      `${at(2)}##[group]Run actions/checkout@v4`,
      `${at(2)}with:`,
      `${at(2)}##[endgroup]`,
      `${at(3)}##[group]Fetching the repository`,
      `${at(3)}git fetch`,
      `${at(6)}##[endgroup]`,
      `${at(7)}##[group]Run npm test`,
      `${at(7)}${ESC}[36;1mnpm test${ESC}[0m`,
      `${at(7)}##[endgroup]`,
      `${at(8)}Error: expected 4`,
      `${at(9)}##[error]Process completed with exit code 1.`,
      `${at(10)}Post job cleanup.`,
      `${at(11)}Cleaning up orphan processes`,
    ],
    sections: [
      '1-4 ok 2000ms Set up job',
      '  2-4 1000ms Operating System',
      '5-10 ok 5000ms Run actions/checkout@v4',
      '  8-10 3000ms Fetching the repository',
      '>11-15 failed 3000ms E2 Run npm test',
      '16-16 ok 1000ms Post job cleanup',
      '17-17 ok Complete job',
    ],
  },
  'the job and the step before each line, as gh prints them': {
    log: [
      ...gh('build (20)', 'Set up job', `\ufeff${at(0)}Current runner version: '2.330.0'`),
      ...gh(
        'build (20)',
        'Install',
        `${at(1)}##[group]Run npm ci`,
        `${at(1)}##[endgroup]`,
        `${at(4)}added 9 packages`,
      ),
      ...gh(
        'build (20)',
        'Test',
        `${at(5)}FAIL src/a.test.js`,
        `${at(6)}##[error]Process completed with exit code 1.`,
      ),
      ...gh('build (20)', 'Post Install', `${at(7)}Post job cleanup.`),
      ...gh(
        'lint',
        'UNKNOWN STEP',
        // It ran beside the other.
        `${at(2)}##[group]Run npm run lint`,
        `${at(2)}##[endgroup]`,
        `${at(3)}clean`,
      ),
    ],
    sections: [
      '1-7 failed 7000ms E2 build (20)',
      '  1-1 ok 1000ms Set up job',
      '  2-4 ok 4000ms Install',
      '    2-3 0ms Run npm ci',
      '  5-6 failed 2000ms E2 Test',
      '>    5-6 failed 2000ms E2 src/a.test.js',
      '  7-7 0ms Post Install',
      '8-10 lint',
      '  8-10 Run npm run lint',
    ],
  },
  'groups of a workflow that runs elsewhere': {
    log: ['::group::Build', 'cc main.c', '::endgroup::', 'done', '::group::Test', 'ok'],
    sections: ['1-3 Build', '5-6 Test'],
  },
  'a log of GitLab, with the times of its marks': {
    log: [
      `${ESC}[0KRunning with gitlab-runner 18.4.0${ESC}[0;m`,
      `section_start:1770000000:prepare_script\r${ESC}[0K${ESC}[0K${ESC}[36;1mPreparing environment${ESC}[0;m`,
      'Running on runner',
      `section_end:1770000003:prepare_script\r${ESC}[0Ksection_start:1770000003:step_script\r${ESC}[0K${ESC}[36;1mExecuting "step_script" stage${ESC}[0;m`,
      `${ESC}[32;1m$ make test${ESC}[0;m`,
      `section_start:1770000004:unit[collapsed=true]\r${ESC}[0KUnit tests`,
      '1 passed',
      `section_end:1770000009:unit\r${ESC}[0K`,
      'error: no rule',
      `section_end:1770000010:step_script\r${ESC}[0Ksection_start:1770000010:cleanup_file_variables\r${ESC}[0KCleaning up`,
      `section_end:1770000011:cleanup_file_variables\r${ESC}[0K`,
      `${ESC}[31;1mERROR: Job failed: exit code 2${ESC}[0;m`,
    ],
    sections: [
      '2-3 ok 3000ms Preparing environment',
      '>4-9 failed 7000ms E1 Executing "step_script" stage',
      '  5-5 make test',
      '  6-8 ok 5000ms Unit tests',
      '10-11 ok 1000ms Cleaning up',
    ],
  },
  'stages of Jenkins, whose marks have no time': {
    log: [
      '[Pipeline] { (Checkout)',
      '[Pipeline] checkout',
      `[${at(1).trimEnd()}] git fetch`,
      `[${at(4).trimEnd()}] git checkout`,
      '[Pipeline] }',
      '[Pipeline] { (Nothing)',
      '[Pipeline] }',
      '[Pipeline] { (Build)',
      `[${at(5).trimEnd()}] + make`,
      '[Pipeline] }',
    ],
    sections: ['1-5 ok 3000ms Checkout', '6-7 ok Nothing', '8-10 ok 0ms Build', '  9-9 0ms make'],
  },
  'stages of Jenkins, between blocks without a name': {
    log: [
      'Started by user Ann',
      '[Pipeline] node',
      '[Pipeline] {',
      '[Pipeline] stage',
      '[Pipeline] { (Build)',
      '[Pipeline] sh',
      '+ make all',
      'cc main.c',
      '[Pipeline] }',
      '[Pipeline] // stage',
      '[Pipeline] stage',
      `${ESC}[8mha:////4AAAA${ESC}[0m[Pipeline] { (Test)`,
      '+ make test',
      'make: *** [Makefile:3: test] Error 1',
      '[Pipeline] }',
      '[Pipeline] stage',
      '[Pipeline] { (Deploy)',
      'Stage "Deploy" skipped due to earlier failure(s)',
      '[Pipeline] }',
      '[Pipeline] }',
      'ERROR: script returned exit code 2',
      'Finished: FAILURE',
    ],
    sections: [
      '5-9 ok Build',
      '  7-8 make all',
      '>12-15 failed E1 Test',
      '  13-14 E1 make test',
      '17-19 Deploy',
    ],
  },
  'headings of Buildkite': {
    log: ['~~~ Preparing', 'ok', '--- :hammer: Build', 'cc', '+++ :test_tube: Test', 'not ok 1', '^^^ +++'],
    sections: ['1-2 Preparing', '3-4 :hammer: Build', '5-7 E1 :test_tube: Test'],
  },
  'steps of Azure Pipelines': {
    log: [
      `${at(0)}##[section]Starting: Build`,
      `${at(1)}##[section]Starting: Restore`,
      `${at(3)}##[section]Finishing: Restore`,
      `${at(3)}##[section]Starting: Test`,
      `${at(4)}##[error]Bash exited with code '1'.`,
      `${at(5)}##[section]Finishing: Test`,
      `${at(6)}##[section]Finishing: Build`,
    ],
    sections: ['1-7 ok 6000ms E1 Build', '  2-3 ok 2000ms Restore', '>  4-6 failed 2000ms E1 Test'],
  },
  'folds of Travis, with their times': {
    log: [
      `travis_fold:start:install.1\r${ESC}[0Ktravis_time:start:0a5\r${ESC}[0K$ npm ci`,
      'added 9 packages',
      `travis_time:end:0a5:start=1581904871848844805,finish=1581904873848844805,duration=2000000000,event=install\r${ESC}[0Ktravis_fold:end:install.1\r${ESC}[0K`,
      `travis_time:start:0b5\r${ESC}[0K$ npm test`,
      '1 failing',
      `travis_time:end:0b5:start=1,finish=2,duration=1500000000,event=script\r${ESC}[0K`,
      'The command "npm test" exited with 1.',
    ],
    sections: ['1-3 $ npm ci', '>4-7 failed 1500ms npm test'],
  },
  'directories of make': {
    log: [
      "make[1]: Entering directory '/src/lib'",
      'cc a.c',
      "make[2]: Entering directory '/src/lib/sub'",
      'make[2]: *** [Makefile:2: b.o] Error 1',
      "make[2]: Leaving directory '/src/lib/sub'",
      'make[1]: *** [Makefile:9: sub] Error 2',
      "make[1]: Leaving directory '/src/lib'",
    ],
    sections: ['1-7 failed E2 /src/lib', '>  3-5 failed E1 /src/lib/sub'],
  },
  'scripts of npm': {
    log: [
      '> app@1.0.0 lint',
      '> eslint .',
      '',
      '> app@1.0.0 build',
      '> vite build',
      'npm error code ELIFECYCLE',
    ],
    sections: ['1-3 app@1.0.0 lint', '>4-6 failed E1 app@1.0.0 build'],
  },
  'a session of pytest': {
    log: [
      '============================= test session starts ==============================',
      'collected 2 items',
      '=================================== FAILURES ===================================',
      '___________________________________ test_sum ___________________________________',
      'E   assert 3 == 4',
      '=========================== short test summary info ============================',
      'FAILED test_a.py::test_sum - assert 3 == 4',
      '========================= 1 failed, 1 passed in 0.12s ==========================',
      'done',
    ],
    sections: [
      '1-8 failed 120ms E2 test session starts',
      '  3-5 failed E1 FAILURES',
      '>    4-5 failed E1 test_sum',
      '  6-7 E1 short test summary info',
    ],
  },
  'suites of Jest': {
    log: ['PASS src/a.test.js (5.25 s)', 'FAIL src/b.test.js', '  ● adds', 'Tests: 1 failed, 3 passed'],
    sections: ['1-1 ok 5250ms src/a.test.js', '>2-4 failed E1 src/b.test.js'],
  },
  'suites of cargo': {
    log: [
      `${ESC}[1m${ESC}[32m     Running${ESC}[0m unittests src/lib.rs (target/debug/deps/a-1)`,
      'test result: ok. 2 passed; 0 failed; 0 ignored; finished in 0.02s',
      '   Doc-tests a',
      'test result: FAILED. 0 passed; 1 failed; 0 ignored; finished in 1.50s',
    ],
    sections: ['1-2 ok 20ms unittests src/lib.rs', '>3-4 failed 1500ms E1 Doc-tests a'],
  },
  'tests of go, with and without -v': {
    log: [
      '=== RUN   TestA',
      '=== RUN   TestA/one',
      '    a_test.go:9: want 3',
      '--- FAIL: TestA (0.05s)',
      '    --- FAIL: TestA/one (0.01s)',
      'FAIL',
      'FAIL\texample.com/a\t0.061s',
      '--- FAIL: TestB (0.00s)',
      '    b_test.go:4: no',
      'FAIL\texample.com/b\t0.010s',
    ],
    sections: ['1-5 failed 50ms E2 TestA', '  2-5 failed 10ms E2 TestA/one', '>8-9 failed 0ms E1 TestB'],
  },
  'traced commands, but not changes and added packages': {
    log: ['+ npm ci', 'added 3', '+ left-pad@1.3.0', '@@ -1,2 +1,2 @@', '-a', '+ b', ' c', '+ make', 'cc'],
    sections: ['1-7 npm ci', '8-9 make'],
  },
  'a change is no heading': { log: ['--- a/x.c', '+++ b/x.c', '@@ -1 +1 @@', '+ x'], sections: [] },
  'steps of BuildKit and of docker build': {
    log: [
      '#7 [2/3] RUN npm ci',
      '#7 1.2 added 9',
      '#7 DONE 2.1s',
      '#8 [3/3] RUN make',
      '#8 ERROR: process "/bin/sh -c make" did not complete successfully: exit code: 2',
      'Step 1/2 : FROM alpine',
      'Step 2/2 : RUN true',
    ],
    sections: [
      '1-3 ok 2100ms [2/3] RUN npm ci',
      '>4-5 failed E1 [3/3] RUN make',
      '6-6 Step 1/2 : FROM alpine',
      '7-7 Step 2/2 : RUN true',
    ],
  },
  'phases of a Taskcluster task': {
    log: [
      '[taskcluster 2026-01-13 10:00:00.000Z] Task ID: a',
      '[setup 2026-01-13T10:00:01.000Z] run-task started',
      '[task 2026-01-13T10:00:02.000Z] 10:00:02     INFO - [mozharness: 2026-01-13 10:00:02.0Z] Running install step.',
      '[task 2026-01-13T10:00:03.000Z] 10:00:03     INFO - [mozharness: 2026-01-13 10:00:03.0Z] Finished install step (success)',
      '[task 2026-01-13T10:00:05.000Z] done',
      '[taskcluster 2026-01-13 10:00:06.000Z] Unsuccessful task run with exit code: 1 completed in 6 seconds',
    ],
    sections: [
      '1-1 1000ms taskcluster',
      '2-2 1000ms setup',
      '>3-5 failed 4000ms task',
      '  3-4 ok 1000ms install',
      '6-6 taskcluster',
    ],
  },
  'Maven in colours, which ends before its result': {
    log: [
      '[\x1b[1;34mINFO\x1b[m] \x1b[1m----------< \x1b[0;36morg.acme:app\x1b[0;1m >----------\x1b[m',
      '[\x1b[1;34mINFO\x1b[m] \x1b[1m--- \x1b[0;32mclean:2.5:clean\x1b[m \x1b[1m(default)\x1b[m @ \x1b[36mapp\x1b[0;1m ---\x1b[m',
      '+++ /src/main/java/A.java',
      '[\x1b[1;34mINFO\x1b[m] \x1b[1;32mBUILD SUCCESS\x1b[m',
      '[\x1b[1;34mINFO\x1b[m] Finished at: 2026-03-01T10:00:00Z',
    ],
    sections: ['1-3 org.acme:app', '  2-3 clean:2.5:clean (default) @ app'],
  },
  'modules and plugins of Maven, tasks of Gradle and Ansible': {
    log: [
      '[INFO] --------------------< org.acme:app >--------------------',
      '[INFO] --- surefire:3.2:test (default-test) @ app ---',
      '[ERROR] Failed to execute goal surefire:test',
      '> Task :compileJava UP-TO-DATE',
      '> Task :test FAILED',
      'PLAY [web] *****',
      'TASK [Install] *****',
      'fatal: [a]: FAILED! => {}',
    ],
    sections: [
      '1-5 E2 org.acme:app',
      '  2-3 failed E1 surefire:3.2:test (default-test) @ app',
      '  4-4 ok :compileJava',
      '  5-5 failed E1 :test',
      '6-8 E1 web',
      '>  7-8 failed E1 Install',
    ],
  },
};

describe('the sections of', () => {
  for (const [name, { log, sections }] of Object.entries(LOGS))
    test(name, () => expect(table(`${log.join('\n')}\n`)).toEqual(sections));
});

test('the section around a known cause is the failing one', () => {
  const sections = sectionsOf(LOGS['stages of Jenkins, between blocks without a name']!.log.join('\n'));
  expect(failingSection(sections, 8)?.title).toBe('make all');
});

/** Mulberry32. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

test('without steps, an error is of the group before it, also behind its end', () => {
  const log = [
    ...['##[group]Compile', 'cc', '##[endgroup]', '##[group]Test', 'FAIL', '##[endgroup]'],
    ...['##[error]Process completed with exit code 1.', '##[group]Report', 'sent', '##[endgroup]'],
    ...['::group::Lint', 'eslint', '::endgroup::', '::error file=a.js,line=1::x is not used'],
    ...['::group::Clean', 'rm', '::endgroup::'],
  ];
  const sections = ['1-3 Compile', '4-6 failed E1 Test', '8-10 Report', '>11-13 failed Lint', '15-17 Clean'];
  expect(table(`${log.join('\n')}\n`)).toEqual(sections);
});

test("branches of Jenkins's, whose lines are mixed, are one section", () => {
  const opened = ['{ (Checks)', 'parallel', '{ (Branch: Lint)', '{ (Branch: Test)', '{ (Lint)', '{ (Test)'];
  const rest = ['}', '}', '}', '}', '// parallel', '}', '{ (Deploy)', '}'];
  const log = [...opened, 'npm', ...rest].map((one) => (one === 'npm' ? '+ npm test' : `[Pipeline] ${one}`));
  expect(table(`${log.join('\n')}\n`)).toEqual([
    ...['1-13 ok Checks', '  2-12 ok parallel: Lint, Test', '    7-7 npm test', '14-15 ok Deploy'],
  ]);
});

test('packages, received values and underlines are no commands', () => {
  const log = ['+ make', '+ numpy==1.26.4', '- Expected', '+ Received', '+ 1', '+ }",', '~~~ ~~~~~'];
  const more = ['+ ./x.sh', '[INFO] [clean:clean {execution: default-clean}]', '##[group]Post Run a@v4'];
  expect(table(`${[...log, ...more].join('\n')}\n`)).toEqual([
    ...['1-7 make', '8-9 ./x.sh', '  9-9 clean:clean {execution: default-clean}', '10-10 Post Run a@v4'],
  ]);
});

test('of more sections than are kept, those that failed and steps begin where they are, and none has the lines of others', () => {
  const passed = (n: number) => Array.from({ length: n }, (_, i) => `PASS src/a${i}.test.js`);
  const log = [
    '##[group]Run npm test',
    '##[endgroup]',
    ...passed(9000),
    'FAIL src/b.test.js',
    '  x',
    ...passed(9),
  ];
  const more = ['##[error]Process completed with exit code 1.', '##[group]Run next', 'x'];
  const sections = sectionsOf(`${[...log, ...more].join('\n')}\n`);
  const told = sections.filter(({ title, start, end }) => !title.includes('/a') || start !== end);
  expect(told.map(({ title, start, end, status }) => [title, start, end, status])).toEqual([
    ['Run npm test', 1, 9014, 'failed'],
    ['src/b.test.js', 9003, 9004, 'failed'],
    ['Run next', 9015, 9016, null],
  ]);
});

const POOL = Object.values(LOGS).flatMap(({ log }) => log);

function expectNested(sections: readonly Section[], lines: number): void {
  const open: Section[] = [];
  const wrong = sections.filter((one) => {
    while (open.length > 0 && open.at(-1)!.end < one.start) open.pop();
    const isWithin = one.start >= 1 && one.start <= one.end && one.end <= lines;
    const isNested = open.every(({ end }) => one.end <= end) && one.level === open.length + 1;
    open.push(one);
    return !isWithin || !isNested;
  });
  expect(wrong).toEqual([]);
}

test('of any lines, sections are nested or apart, within the text, and the same however it is cut', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const next = random(seed);
    const lines = Array.from({ length: 80 }, () => POOL[Math.floor(next() * POOL.length)]!);
    const text = `${lines.join('\n')}\n`;
    const whole = sectionsOf(text);
    expectNested(whole, lines.length);
    const cuts = [20, 41, 63].map((line) => line + Math.floor(next() * 10));
    // A heading of GitLab's may stand in the next line, which another stretch holds.
    expect(sectionsOf(text, cuts).map(({ start, end }) => [start, end])).toEqual(
      whole.map(({ start, end }) => [start, end]),
    );
  }
});

test('lines that differ in digits alone from one that is no mark are skipped, and no mark with them', () => {
  const at = (i: number) => `2026-03-01T10:00:${10 + (i % 50)}.123Z `;
  const prefixes: ((i: number) => string)[] = [
    at,
    (i) => `job ${Math.floor(i / 150) % 3}\tstep ${Math.floor(i / 75) % 2}\t${at(i)}`,
    (i) => (i < 100 ? '' : `[${['task', 'taskcluster'][Math.floor(i / 90) % 2]} ${at(i).trimEnd()}] `),
  ];
  const texts = prefixes.flatMap((prefix) => [
    Array.from({ length: 600 }, (_, i) => `${prefix(i)}compile file${i % 97}.c`),
    // A change's lines are no commands, whatever stood in the lines before.
    Array.from({ length: 600 }, (_, i) =>
      [`@@ -1 +1,2 @@`, '  1', '+ 1 x', '  1', `+ run ${i}`][i % 5]!.replace(/^/, prefix(i)),
    ),
    Array.from({ length: 600 }, (_, i) =>
      i % 75 === 30 ? `${prefix(i)}$ make ${i}` : `${prefix(i)}${ESC}[${i % 9}m$ x${i % 3}`,
    ),
  ]);
  for (const lines of texts) {
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    const scan = (...table: [null?]) => scanSections(bytes, 0, bytes.length, [], NO_FACTS, ...table);
    const plain = scan(null);
    // Twice, as the table outlives a text.
    expect(scan()).toEqual(plain);
    expect(scan()).toEqual(plain);
  }
});

test('of 30,000 sections, the outer and the failed ones are kept', () => {
  const tree = new SectionTree();
  const mark = (title: string, rank: 'step' | 'command', more = {}) =>
    ({ does: 'open', tool: 'shell', rank, title, ...more }) as const;
  for (let stretch = 0; stretch < 15; stretch++) {
    const events = Array.from({ length: 2000 }, (_, i) => ({
      ...{ line: i + 1, errors: 0, errorsWith: 0, time: null },
      mark:
        i % 100 === 0
          ? mark(`step ${stretch}.${i}`, 'step')
          : mark('command', 'command', i === 777 ? { status: 'failed' } : {}),
    }));
    tree.add({ events, left: 0 }, { line: stretch * 2000, errors: 0 });
  }
  const { sections, forgotten } = tree.finish({ line: 30_000, errors: 0 }, null);
  expect(sections.length).toBeLessThanOrEqual(20_000);
  expect(sections.length + forgotten).toBe(30_000);
  expect(sections.filter(({ level }) => level === 1).length).toBe(300);
  expect(sections.filter(({ status }) => status === 'failed').length).toBe(15);
  expectNested(sections, 30_000);
});

test('typed commands hold what their output marks', () => {
  const inner = sectionsOf('$ \n+ make\ncc\n+ make test\nerror: x\nlast\n$ \n');
  const typed = {
    title: 'sh build.sh',
    start_line: 2,
    end_line: 5,
    status: 'failed',
    duration_ms: 9,
  } as const;
  const sections = withTyped(inner, [typed], [5]);
  expect(sections.map(({ title, level, start, end, errors }) => [title, level, start, end, errors])).toEqual([
    ['sh build.sh', 1, 2, 5, 1],
    ['make', 2, 2, 3, 0],
    ['make test', 2, 4, 5, 1],
  ]);
  expectNested(sections, 7);
});
