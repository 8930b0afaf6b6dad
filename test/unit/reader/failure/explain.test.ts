/** Chooses the lines of a failed command's output that explain it. */
import { describe, expect, test } from 'vitest';
import { cutExplanation } from '../../../../electron/reader/failure/cut.ts';
import { explainStored, explainStreams } from '../../../../electron/reader/failure/explain.ts';
import type { Explanation } from '../../../../electron/reader/failure/explanation.ts';
import { FailureScanner } from '../../../../electron/reader/failure/scan/scanner.ts';
import { explained, ourFailures, shows, textOf } from '../../../fixtures/reader/failures.ts';
import { BETWEEN_DOCUMENTS, isOnTurn, RECORDED_FAILURES } from '../../../fixtures/sizes.ts';

const lines = (count: number, make: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => make(i));
const bytesOf = (text: readonly string[]) => Buffer.from(`${text.join('\n')}\n`);
const regular = (i: number) =>
  `2026-03-01 08:00:${String(i % 60).padStart(2, '0')} INFO request ${i} served in ${(i * 7) % 90} ms`;

/** Puts a line among regular ones, with an end that gives no reason. */
function withCause(cause: string, end = ['check failed', 'exit status 1']): Buffer {
  const text = lines(600, regular);
  text[300] = cause;
  return bytesOf([...text, ...end]);
}

function shown(bytes: Buffer, budget = 1024): string[] {
  return cutExplanation(explained(bytes), { bytes: budget, lines: 500 }).parts.flatMap((part) =>
    part.content.split('\n'),
  );
}

/** Each is explained once for all tests of this file. */
const recorded = ourFailures().map((failure) => {
  let explanation: Explanation | undefined;
  return {
    ...failure,
    explained: () => {
      explanation ??= explained(failure.bytes);
      return explanation;
    },
  };
});

/** Failures that this run explains: the weights are fitted to them. */
const tried = recorded.filter(({ aside }, i) => !aside && isOnTurn(i, RECORDED_FAILURES));

test('a short line between two that are chosen joins them, as two parts would cost more', () => {
  const apart = recorded.slice(0, 20).map(({ bytes, explained }) => {
    const all = bytes.toString('utf8').split('\n');
    const { parts } = cutExplanation(explained(), { bytes: 4096, lines: 500 });
    return parts.filter(({ end_line }, i) => {
      const between = all[end_line]?.trim() ?? '';
      return parts[i + 1]?.start_line === end_line + 2 && between !== '' && between.length < 60;
    }).length;
  });
  // The budget may end between a line and the one that joins it.
  expect(Math.max(...apart)).toBeLessThanOrEqual(1);
});

describe('the cause of a failure', () => {
  test.each([
    ['a compiler error', 'src/a.c:12:3: error: ‘zslx’ undeclared'],
    ['a Unix message', "sed: can't read conf/upstream.tmpl: No such file or directory"],
    ['an exception', "KeyError: 'tz_offset'"],
    ['a German message', 'm41.c:2:27: Fehler: »struct k« hat kein Element namens »umsatz«'],
    ['a Japanese message', 'ld: 関数 `main` 内: `fehlt_hier` に対する定義されていない参照です'],
  ])('is %s', (_, cause) => {
    expect(explained(withCause(cause)).cause).toMatchObject({ line_number: 301, text: cause });
  });

  test.each([
    ['something skipped', 'skipping policies/gateway-auth.yaml: owner is root'],
    ['a value unlike all others', '2026-03-01 08:00:01 INFO request 300 served in 61044 ms'],
    ['a line unlike all others', 'signing key loaded kid=2025-12'],
    ['two things that disagree', 'ttl after renew = 30s, want 1m0s'],
  ])('without a word for errors is among the first lines: %s', (_, cause) => {
    expect(shown(withCause(cause))).toContain(cause);
  });

  test('without a word for errors is among the first lines: a version unlike those of other services', () => {
    const services = ['gateway', 'ledger', 'stock', 'mail', 'search'];
    const time = (i: number) => `2026-05-11T09:${String(i % 60).padStart(2, '0')}:00Z`;
    const started = services.map(
      (name) => `${time(0)} [${name}] INFO  speaks wire protocol ${name === 'stock' ? 8 : 9}`,
    );
    const work = lines(900, (i) => {
      const name = services[(i * 7) % 5];
      if (i % 60 === 7) return `${time(i)} [${name}] ERROR could not reach peer ${i % 9}; reached on retry`;
      if (i % 45 === 3) return `${time(i)} [${name}] WARN  request ${i} took ${1000 + i} ms`;
      return `${time(i)} [${name}] INFO  stored block ${(i * 7919) % 9999} in ${(i * 31) % 90} ms`;
    });
    const seen = shown(bytesOf([...started, ...work, 'probe: not green']));
    expect(seen).toContain(started[2]);
  });

  test('without a word for errors is among the first lines: the one service that loaded nothing', () => {
    const services = ['gateway', 'ledger', 'stock', 'mail'];
    const started = services.map(
      (name, i) => `${name} | settings: ${name === 'mail' ? 0 : 11 + i} from .env`,
    );
    const work = lines(700, (i) => `${services[(i * 7) % 4]} | stored block ${i} in ${(i * 31) % 90} ms`);
    for (let i = 40; i < 700; i += 60) work[i] = `stock | WARN block ${i} came ${i} ms late`;
    expect(shown(bytesOf([...started, ...work, 'probe: not green']), 512)).toContain(started[3]);
  });

  test('is an earlier line rather than a consequence that the last lines report', () => {
    const text = lines(600, regular);
    text[60] = 'skipping policies/gateway-auth.yaml: owner is root';
    const bytes = bytesOf([...text, 'probe: route not protected', 'suite: incomplete']);
    expect(explained(bytes).cause?.line_number).toBe(61);
  });

  test('is not an error that a service reports again and again and recovers from', () => {
    const text = lines(900, (i) => (i % 50 === 9 ? `ERROR peer ${i} timed out` : regular(i)));
    text[501] = 'signing key of tenant 17 has expired';
    expect(explained(bytesOf(text)).cause?.text).toBe(text[501]);
  });

  test('without a word for errors is among the first lines: the one file from another folder', () => {
    const text = lines(200, (i) => `opening ${i % 5 === 1 ? '/usr/lib' : '/srv/app/lib'}/part${i}.so`);
    text[120] = 'opening /opt/legacy/part120.so';
    expect(shown(bytesOf([...text, ...lines(200, regular), 'ratio too low']), 512)).toContain(text[120]);
  });

  test('is found by a name that the end mentions', () => {
    const text = lines(900, (i) => `loaded module mod_${i}.so from cache ${i % 7}`);
    text[411] = 'loaded module billing_core.so from cache 3';
    expect(shown(bytesOf([...text, 'billing_core.so gave 3 of 5 answers']))).toContain(text[411]);
  });

  test('is mostly shown between two documents that mention errors', { timeout: 240_000 }, () => {
    const word = (i: number) => (i * 7919).toString(26).replace(/\d/g, (d) => 'qrstuvwxyz'[Number(d)]!);
    const page = lines(900, (i) => {
      const [a, b] = [word(i + 40), word(i * 3 + 900)];
      return [
        `    An Invalid${a}Error, where ${b} cannot be ${a}`,
        `    ${a} error: no such ${b}`,
        `    fatal ${b}: ${a}`,
      ][i % 3]!;
    });
    const document = bytesOf(page);
    const failures = recorded
      .filter(({ aside, id }) => !aside && /^[hr]/.test(id))
      .filter((_, i) => i % BETWEEN_DOCUMENTS === 1 % BETWEEN_DOCUMENTS);
    const shownBeside = failures.filter(({ bytes, cause }) =>
      shows(explained(Buffer.concat([document, bytes, document])), cause, 2048),
    );
    expect(shownBeside.length / failures.length).toBeGreaterThan(0.82);
  });

  test('is not a line that says how often nothing failed', () => {
    const text = lines(500, (i) => `suite ${i}: 0 errors, no failures`);
    text[250] = 'suite 250: connection refused by db';
    expect(explained(bytesOf(text)).cause?.text).toBe(text[250]);
  });

  test.each([
    [
      'a count of what failed',
      'FAILED: 3 of 412 checks',
      "cp: cannot stat 'seed.sql': No such file or directory",
    ],
    ['a mark without a reason', 'Result: FAIL', 'session token is invalid: kid 17 unknown'],
    [
      'good news that names an error',
      '17/90 test: error_path_is_fatal ...   Passed    0.02 sec',
      'unknown unit: kb',
    ],
    [
      'an error made on purpose',
      'ERROR: write conflict injected, attempt 2 ok',
      'port 8081 is already in use',
    ],
  ])('is a reason rather than %s', (_, other, reason) => {
    const text = lines(600, regular);
    text[200] = reason;
    text[500] = other;
    expect(explained(bytesOf(text)).cause?.text).toBe(reason);
  });

  test('is the message after a line that announces it', () => {
    const announced = ["thread 'main' panicked at src/lib.rs:9:90:", 'rounding must be half-even'];
    const text = [...lines(300, regular), ...announced, ...lines(50, regular)];
    expect(explained(bytesOf(text)).cause).toMatchObject({ line_number: 302, text: announced[1] });
  });

  test('is the one error at the end of a long log of success', () => {
    const work = lines(
      5000,
      (i) => `2026-03-01 08:00:0${i % 9} INFO session ${(i * 7919).toString(36)} served, cache hit, ${i} ms`,
    );
    const end = ['error: cannot open /etc/orders.conf: no such file', 'exit 2'];
    expect(explained(bytesOf([...work, ...end])).cause?.text).toBe(end[0]);
  });

  test('is on the stream that says it better', () => {
    const streams = [
      bytesOf(lines(400, regular)),
      bytesOf(['make: *** [Makefile:3: all] Error 2', 'a.c:1:1: error: unknown type name']),
    ];
    const scanned = streams.map((bytes, i) => {
      const scanner = new FailureScanner();
      scanner.push(bytes);
      scanner.finish();
      return { name: i === 0 ? 'stdout' : 'stderr', scanner, text: textOf(bytes) };
    });
    const { cause, explanations } = explainStreams(scanned);
    expect(cause).toMatchObject({ stream: 'stderr', line_number: 2 });
    expect([...explanations.keys()]).toEqual(['stdout', 'stderr']);
  });
});

describe('a range of a text', () => {
  test('is explained by its own lines, with the numbers they have in the text', () => {
    const text = lines(400, regular);
    text[50] = 'fatal: not in the range';
    text[250] = 'error: in the range';
    const bytes = bytesOf(text);
    const from = bytes.indexOf(text[200]!);
    const to = bytes.indexOf(text[300]!);
    const explanation = explainStored(textOf(bytes), { from, to, firstLine: 201 });
    expect(explanation.cause).toMatchObject({ line_number: 251, text: 'error: in the range' });
    expect(explanation.totalLines).toBe(100);
    const numbers = explanation.ranked.map((line) => line.number);
    expect(Math.min(...numbers)).toBeGreaterThan(200);
    expect(Math.max(...numbers)).toBeLessThan(301);
    for (const line of explanation.ranked) expect(text[line.number - 1]).toBe(line.text);
  });
});

test('twice the budget keeps all lines of the smaller preview', { timeout: 240_000 }, () => {
  let stay = 0;
  let all = 0;
  for (const { explained } of tried) {
    const explanation = explained();
    const at = (budget: number) =>
      new Set(
        cutExplanation(explanation, { bytes: budget, lines: 1000 }).parts.flatMap(
          ({ start_line, end_line }) => lines(end_line - start_line + 1, (i) => String(start_line + i)),
        ),
      );
    const [small, large] = [at(2048), at(4096)];
    all += small.size;
    for (const line of small) if (large.has(line)) stay += 1;
  }
  expect(stay / all).toBeGreaterThan(0.95);
});

test('the recorded failures show their cause in 4 KB', { timeout: 240_000 }, () => {
  const missed = tried.filter(({ explained, cause }) => !shows(explained(), cause, 4096));
  // A setting among hundreds; words in the middle of long lines of a trace;
  // a warning among many like it; those that the model gives no chance, behind the 60 % at which a preview stops.
  const known = `h17-pytest-timezone h24-dns h42-awk-sum h43-empty-file r26-old-directory
    k28-shared-data-dir v07-sha1-cert v30-worker-version v38-json-schema v56-mtu v71-tls12
    v92-make-k-target w01-cmake-trace w08-ansible-vvv w13-node-http-debug w17-many-strong-decoys
    q03-strace-enoent-limits q09-make-p-environment q17-sqlite-ignore q76-strace-timezone
    z44-php-ini y16-spamassassin-score y30-etcd-quota y33-knot-serial y35-snmpd-token
    y37-dovecot-limit y43-squid-splay y46-stunnel-verify y60-snakemake-old y64-java-encoding
    y72-gcc-q g08-jq-number f11-varnish j43-maven-encoding j85-game-slow-tick j88-spark-dropped
    j62-ld-debug-all j68-pg-timezone j86-fx-old-rate j82-uvm-fifo-depth x07-ldd-nightly
    x08-strace-gw x10-class-load x14-npm-override x19-postgres-ja x20-postgres-settings
    x29-pip-wheelhouse x45-cmake-trace x49-node-resolve x59-gradle-schema ka04-meson-fastmath
    ka06-gc-sections ka29-yosys-ff-memory ka42-gradle-no-source ka45-cabal-aeson-flag
    ka46-actions-restore-key kc11-dig-stale-secondary kc16-php-no-ini kc21-glpk-unit-coef
    kc24-gnuplot-ndf kc27-sqlite-typeof kc28-latex-shadow-sty kb04-pgbouncer-temp kb12-ldap-dirsync
    kb17-ssh-rollout`.split(/\s+/);
  expect(missed.map(({ id }) => id)).toEqual(known.filter((id) => tried.some((one) => one.id === id)));
});

test('a hundred errors that differ only in their words leave room for other lines', () => {
  const { explained, cause } = recorded.find(({ id }) => id === 'w06-pytest-caplog')!;
  expect(shows(explained(), cause, 2048)).toBe(true);
});

test('of many lines alike, a few are shown', () => {
  const passed = lines(300, (i) => `  ✓ cart item ${i} adds up (${(i * 7919) % 97} ms)`);
  passed.push('  ✗ coupon: expected 81 but got 81.5');
  const parts = shown(bytesOf(passed), 4096);
  expect(parts).toContain('  ✗ coupon: expected 81 but got 81.5');
  expect(parts.length).toBeLessThan(16);
});
