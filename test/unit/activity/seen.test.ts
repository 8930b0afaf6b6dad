import { appendFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reportOf } from '../../../electron/cli/commands/seen.ts';
import { ActivityLog, activityPage, readActivity } from '../../../electron/host/activity.ts';
import { readsIn } from '../../../electron/mcp/agent.ts';
import { type ActivityEntry, mergedLines, type Read, seenOf } from '../../../shared/activity.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { makePlace, type Place } from '../../fixtures/cli.ts';

const ID = 'cmd-make-2026-01-13T10-30-00-abc123';

function entry(reads: Partial<Read>[], more: Partial<ActivityEntry> = {}): ActivityEntry {
  return {
    ...{
      at: '2026-01-13T10:31:00Z',
      agent: 'codex 1.0',
      session: 's',
      connection: '1.1',
      tool: 'inspect_output',
    },
    ...{ what: '', bytes: 400, duration_ms: 3, ok: true, ...more },
    reads: reads.map((one) => ({ artifact_id: ID, stream: 'combined', lines: [], ...one })),
  };
}

const output = (streams: [name: 'stdout' | 'stderr', lines: number][]) => ({
  ...{ artifact_id: ID, agent: null, source: 'captures', started_at: null },
  streams: streams.map(([name, total_lines]) => ({ name, total_lines, total_bytes: total_lines * 40 })),
});

test('ranges that touch are one', () => {
  expect(
    mergedLines([
      [5, 9],
      [1, 2],
      [3, 4],
      [20, 20],
      [8, 12],
    ]),
  ).toEqual([
    [1, 12],
    [20, 20],
  ]);
});

test('an output that was only previewed is unread, until another call gets some of it', () => {
  const both = output([
    ['stdout', 100],
    ['stderr', 0],
  ]);
  const made = entry(
    [
      {
        stream: 'stdout',
        lines: [
          [1, 10],
          [91, 100],
        ],
        made: true,
      },
    ],
    { tool: 'run_command' },
  );
  expect(seenOf(both, []).unread).toBe(true);
  expect(seenOf(both, [made])).toMatchObject({
    unread: true,
    streams: [
      {
        stream: 'stdout',
        total_lines: 100,
        in_reply: [
          [1, 10],
          [91, 100],
        ],
        searched: false,
      },
    ],
    agents: [{ agent: 'codex 1.0', calls: 1, lines: 20, share: 0.2, bytes: 400, tokens: 100 }],
  });
  // The only stream with text is all of the output.
  const grep = entry([{ lines: [[40, 42]], searched: true }]);
  expect(seenOf(both, [made, grep])).toMatchObject({
    unread: false,
    streams: [
      {
        stream: 'stdout',
        in_reply: [
          [1, 10],
          [40, 42],
          [91, 100],
        ],
        searched: true,
      },
    ],
    agents: [{ calls: 2, lines: 23 }],
  });
  const whole = entry([{ stream: 'stdout', lines: [[1, 100]], made: true }]);
  expect(seenOf(both, [whole]).unread).toBe(false);
});

test('of two streams, each counts by its own numbers', () => {
  const both = output([
    ['stdout', 60],
    ['stderr', 40],
  ]);
  const parts = entry([
    { stream: 'stdout', lines: [[1, 60]], made: true },
    { stream: 'stderr', lines: [[1, 40]], made: true },
  ]);
  expect(seenOf(both, [parts])).toMatchObject({
    unread: false,
    agents: [{ calls: 1, lines: 100, share: 1, bytes: 400 }],
  });
});

test("a command of an agent's own shell reached it whole if it is short", () => {
  const agent = { name: 'claude-code', session: 'c1', project: null, pid: null, truncated: null };
  const ran = (lines: number) => ({ ...output([['stdout', lines]]), agent });
  expect(seenOf(ran(50), [])).toMatchObject({
    unread: false,
    agents: [{ agent: 'claude-code', lines: 50, share: 1 }],
  });
  expect(seenOf(ran(5000), [])).toMatchObject({ unread: true, agents: [{ lines: 0 }] });
  const cut = seenOf(ran(5000), [], {
    bytes: 1200,
    parts: [
      {
        stream: 'combined',
        lines: [
          [1, 20],
          [4991, 5000],
        ],
      },
    ],
  });
  expect(cut).toMatchObject({ unread: true, agents: [{ lines: 30 }] });
  expect(cut.streams).toMatchObject([
    {
      stream: 'stdout',
      in_reply: [
        [1, 20],
        [4991, 5000],
      ],
    },
  ]);
  const all = { bytes: 200_000, parts: [] };
  expect(seenOf(ran(5000), [], all)).toMatchObject({ unread: false, agents: [{ share: 1 }] });
});

const reply = (head: object, ...blocks: string[]) => ({
  content: [JSON.stringify(head), ...blocks].map((text) => ({ type: 'text' as const, text })),
});

test.each<[string, ReturnType<typeof reply>, Partial<Read>[]]>([
  [
    'run_command',
    reply(
      {
        artifact_id: ID,
        parts: [
          ['stdout', 1, 5],
          ['stdout', 90, 95],
          ['stderr', 1, 2],
        ],
      },
      '',
    ),
    [
      {
        stream: 'stdout',
        lines: [
          [1, 5],
          [90, 95],
        ],
        made: true,
      },
      { stream: 'stderr', lines: [[1, 2]], made: true },
    ],
  ],
  [
    'inspect_output',
    reply({ artifact_id: ID, mode: 'range', stream: 'combined', start_line: 7, end_line: 9 }, 'a\nb\nc'),
    [{ stream: 'combined', lines: [[7, 9]] }],
  ],
  [
    'inspect_output',
    reply({ artifact_id: ID, mode: 'grep', stream: 'stdout', match_count: 2 }, '4-a\n5:b\n--\n99:c'),
    [
      {
        stream: 'stdout',
        lines: [
          [4, 5],
          [99, 99],
        ],
        searched: true,
      },
    ],
  ],
  [
    'inspect_output',
    reply({
      artifact_id: ID,
      mode: 'summary',
      stream: 'stdout',
      first_errors: [{ line_number: 3 }],
      shapes: [],
    }),
    [{ stream: 'stdout', lines: [[3, 3]], searched: true }],
  ],
  [
    'wait_for_output',
    reply({ artifact_id: ID, stream: 'stdout', line_number: 8 }, 'x'),
    [{ stream: 'stdout', lines: [[8, 8]] }],
  ],
  [
    'search_outputs',
    reply({ outputs: [] }, `[${ID}, make: 2 matches]\n3:error\n9:error  (2 like it)`),
    [
      {
        stream: 'combined',
        lines: [
          [3, 3],
          [9, 9],
        ],
        searched: true,
      },
    ],
  ],
  ['list_outputs', reply({ outputs: [] }), []],
])('what a reply of %s shows is told from it', (tool, given, reads) => {
  expect(readsIn(tool, given)).toEqual(reads.map((one) => ({ artifact_id: ID, ...one })));
});

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

test('the log of all processes is bounded, and a line that was cut is left out', () => {
  const what = 'x'.repeat(180);
  for (let process = 0; process < 8; process += 1) {
    const log = new ActivityLog(place.home);
    for (let i = 0; i < 5000; i += 1) log.add(entry([{ lines: [[i + 1, i + 9]] }], { what }));
    log.close();
  }
  const run = join(place.home, 'run');
  const files = readdirSync(run).map((name) => join(run, name));
  expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(12 * 1024 * 1024);
  appendFileSync(files[0]!, '{"at":"2026');
  const entries = readActivity(place.home, ID);
  expect(entries.length).toBeGreaterThan(10_000);
  expect(entries.every(({ what: said }) => said === what)).toBe(true);
  expect(readActivity(place.home, 'cmd-other')).toEqual([]);
});

test('the log stays within its bound where many processes write at once', async () => {
  const what = 'x'.repeat(900);
  const logs = Array.from({ length: 9 }, () => new ActivityLog(place.home));
  for (let round = 0; round < 30; round += 1)
    for (const log of logs) {
      for (let i = 0; i < 60; i += 1) log.add(entry([], { what }));
      log.close();
      // Each has a file of its own, named by the time.
      if (round === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    }
  const run = join(place.home, 'run');
  const sizes = readdirSync(run).map((name) => statSync(join(run, name)).size);
  expect(sizes.length).toBeGreaterThan(3);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(11 * 1024 * 1024);
});

const NONE = { all: [], passed: async () => null };

test('entries that are added later are read, and only then the state of the log is another', async () => {
  const log = () => new ActivityLog(place.home);
  const add = (line: number) => {
    const one = log();
    one.add(entry([{ lines: [[line, line]] }]));
    one.close();
  };
  add(1);
  const { state } = await activityPage(place.home, {}, NONE);
  expect(readActivity(place.home, ID)).toHaveLength(1);
  expect((await activityPage(place.home, {}, NONE)).state).toBe(state);
  const [file] = readdirSync(join(place.home, 'run'));
  const more = `${JSON.stringify(entry([{ lines: [[2, 2]] }]))}\n`;
  // The second half comes later.
  appendFileSync(join(place.home, 'run', file!), more.slice(0, 40));
  expect(readActivity(place.home, ID)).toHaveLength(1);
  appendFileSync(join(place.home, 'run', file!), more.slice(40));
  expect((await activityPage(place.home, {}, NONE)).state).not.toBe(state);
  expect(readActivity(place.home, ID).map(({ reads }) => reads[0]!.lines)).toEqual([[[1, 1]], [[2, 2]]]);
});

test('commands of recorded shells are listed among the calls, once they have ended', async () => {
  const log = new ActivityLog(place.home);
  log.add(entry([{ lines: [[1, 1]] }]));
  log.close();
  const agent = { name: 'codex', session: 'c1', project: null, pid: null, truncated: null };
  const ran = (more: object) =>
    ({
      ...{ ...output([['stdout', 9]]), agent, session: 'codex web c1', command: 'make all' },
      ...{ started_at: '2026-01-13T10:30:00Z', duration_ms: 12.4, status: 'failed', ...more },
    }) as unknown as Artifact;
  const passed = async () => ({ bytes: 360, parts: [] });
  const all = [ran({}), ran({ status: 'running', artifact_id: 'cmd-running' })];
  const page = await activityPage(place.home, {}, { all, passed });
  expect(page.entries).toMatchObject([
    { tool: 'inspect_output' },
    {
      ...{
        at: '2026-01-13T10:30:00Z',
        agent: 'codex',
        session: 'codex web c1',
        tool: 'shell',
        what: 'make all',
      },
      ...{ bytes: 360, duration_ms: 12, ok: false, status: 'failed' },
      reads: [{ artifact_id: ID, stream: 'stdout', lines: [[1, 9]], made: true }],
    },
  ]);
  const ended = [all[0]!, ran({ status: 'succeeded', artifact_id: 'cmd-running' })];
  const next = await activityPage(place.home, { known: page.state }, { all: ended, passed });
  expect(next).toMatchObject({ whole: false, from: 2, entries: [{ tool: 'shell', ok: true }] });
});

test('the report names agents, shares and lines', () => {
  const seen = seenOf(output([['stdout', 1000]]), [entry([{ lines: [[11, 20]], searched: true }])]);
  const report = reportOf(seen, Date.parse('2026-01-13T10:33:00Z'), { isTerminal: false, columns: 80 });
  expect(report).toMatch(/^cmd-make\S+: 1,000 lines, 39\.1 KiB, about 10,000 tokens\n/);
  expect(report).toMatch(/codex 1\.0 +s +1 +10 +1 % +~100 +2 min/);
  expect(report).toContain('stdout, in replies: 11-20\nstdout, searched, not shown: 1-10, 21-1000\n');
});
