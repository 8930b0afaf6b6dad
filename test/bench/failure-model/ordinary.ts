/** Makes ordinary failures, as the recorded ones are harder than most: an error at the end explains them. */
import type { FailureCase } from '../../fixtures/reader/failures.ts';

/** The line that explains a failure, without colours. */
function messageOf({ bytes, cause }: FailureCase): string {
  const shown = bytes.toString('utf8').replace(/\x1b\[[0-9;]*m/g, '');
  return shown.split('\n').find((line) => cause.test(line)) ?? '';
}

/** Work that goes well, and a message at the end. */
export function plain(one: FailureCase, turn: number): FailureCase {
  const message = messageOf(one);
  const work = Array.from({ length: [200, 2000, 9000][turn % 3]! }, (_, i) => {
    const name = ((i * 7919) % 100_003).toString(36);
    return turn % 2 === 0
      ? `[worker ${i % 5}] ${['stored', 'read', 'sent'][(i * 7) % 3]} block ${name} (${(i * 31) % 997} bytes), queue not empty`
      : `2026-03-01 08:0${i % 7}:${i % 60} INFO request ${i} of session ${name} served in ${(i * 31) % 97} ms, cache hit`;
  });
  return { ...one, bytes: Buffer.from(`${[...work, message, 'exit status 1'].join('\n')}\n`) };
}

/** Words that tell that a failure was made good. */
const MADE_GOOD = [
  'recovered',
  'request succeeded',
  'connection restored',
  'reconnected',
  'ok on attempt 2',
  'healthy again',
];

/** Services that write objects, one a line: an error that was made good, later another one that ends the run. */
export function recovering(one: FailureCase, others: readonly FailureCase[], turn: number): FailureCase {
  const services = ['api', 'ledger', 'mailer', 'stock'];
  const log = (i: number, level: string, service: number, msg: string, more: object = {}) => {
    const time = new Date(1.77e12 + i * 391).toISOString();
    return turn % 2 === 0
      ? JSON.stringify({ time, level, service: services[service % 4], msg, ...more })
      : JSON.stringify({
          ts: 1.77e9 + i,
          lvl: level.toUpperCase(),
          logger: `com.acme.${services[service % 4]}`,
          message: msg,
          ...more,
        });
  };
  const decoy = messageOf(others[(turn * 7 + 3) % others.length]!);
  const lines: string[] = [];
  const work = [300, 1200, 4000][turn % 3]!;
  for (let i = 0; i < work; i++) {
    lines.push(
      log(i, 'info', i, ['batch stored', 'request done', 'item kept'][i % 3]!, { id: `r${i}`, ms: i % 83 }),
    );
    if (i % 997 !== (work >> (1 + (turn % 2))) % 997) continue;
    lines.push(log(i, turn % 4 === 0 ? 'warn' : 'error', turn, decoy, { id: `q${i}`, attempt: 1 }));
    lines.push(log(i, 'info', turn, MADE_GOOD[turn % MADE_GOOD.length]!, { id: `q${i}`, attempt: 2 }));
  }
  lines.push(log(work, 'error', turn + 1, messageOf(one), { id: 'x1' }));
  lines.push(
    log(work + 1, 'info', turn + 1, 'stopping', { code: 1 }),
    log(work + 2, 'info', turn, 'stopping', { code: 0 }),
  );
  return { ...one, bytes: Buffer.from(`${lines.join('\n')}\n`) };
}

/** Warnings that tools print all day, and nobody acts on. */
const WARNINGS = [
  ['/usr/lib/python3/dist-packages/tools/load.py:12: UserWarning: pkg_resources is deprecated as an API'],
  ['lib/shapes.py:88: DeprecationWarning: invalid escape sequence \\d', '  pattern = re.compile("\\d+")'],
  [
    'stats.py:3: FutureWarning: The default value of numeric_only will change; silence this warning',
    '  df.mean()',
  ],
  [
    "src/list.c: In function 'free_list':",
    "src/list.c:41:9: warning: unused variable 'next' [-Wunused-variable]",
    '   41 |     int next;',
    '      |         ^~~~',
  ],
  ["src/io.h:10:5: warning: 'open_old' is deprecated [-Wdeprecated-declarations]"],
  ['src/sum.c:55:21: warning: comparison of integer expressions of different signedness [-Wsign-compare]'],
  [
    'warning: unused variable: `total`',
    ' --> src/main.rs:2:9',
    '  |',
    '2 |     let total = 5;',
    '  |         ^^^^^',
  ],
  ["WARNING: Running pip as the 'root' user can result in broken permissions and conflicting behaviour"],
  ['npm WARN deprecated har-validator@5.1.5: this library is no longer supported'],
  ['(node:4711) [DEP0040] DeprecationWarning: The `punycode` module is deprecated.'],
  [
    'WARNING: An illegal reflective access operation has occurred',
    'WARNING: All illegal access operations will be denied',
  ],
  ['warning: LF will be replaced by CRLF in docs/index.md.'],
  ['[WARNING] The artifact commons:commons has been relocated'],
  [
    'CMake Deprecation Warning at CMakeLists.txt:1 (cmake_minimum_required):',
    '  Compatibility with CMake < 3.5 will be removed.',
  ],
];

/** A warning that has nothing to do with it, and an error at the end of much work or little. */
export function warned(one: FailureCase, turn: number): FailureCase {
  const warning = WARNINGS[turn % WARNINGS.length]!;
  const count = [4, 40, 500, 3000][turn % 4]!;
  const work = Array.from({ length: count }, (_, i) => {
    const name = ((i * 7919) % 100_003).toString(36);
    return turn % 3 === 0
      ? `[${i + 1}/${count}] CC obj/${name}.o`
      : turn % 3 === 1
        ? `processing record ${i} of ${name}`
        : `Collecting package-${name} (${i % 90} kB)`;
  });
  work.splice([0, count >> 1, count][turn % 3]!, 0, ...warning);
  return { ...one, bytes: Buffer.from(`${[...work, messageOf(one), 'exit status 1'].join('\n')}\n`) };
}
