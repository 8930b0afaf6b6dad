/**
 * Recognises the lines with which tools divide their output: the steps and groups of a CI's log, stages, builds'
 * directories, packages' scripts, tasks, suites, traced commands, and the line that says how a step ended. Each row of
 * the table says what a line means to a search for a failure's cause (steps.ts), to an outline (tree.ts), or to both.
 */
import { Buffer } from 'node:buffer';
import { isDigit } from '../../../shared/text/codes.ts';

/** The meaning of a line to the search for a failure's cause. */
type MarkerKind =
  /** A job begins: what follows has nothing to do with what was before. */
  | 'job'
  /** A step of a job begins. */
  | 'step'
  /** As `step`, and its script follows, up to an `end`: what it says is not its output. */
  | 'script'
  /** A part of a step begins: a group, a directory, a script, a task, a traced command. */
  | 'part'
  /** The part that was begun last ends. */
  | 'end'
  /** The step failed. */
  | 'failed'
  /** The job failed, in the step that failed or else in the last one. */
  | 'over'
  /** The step says that something is an error. */
  | 'error'
  /** The work is done: clean-up, reports and services' logs follow. */
  | 'after';

export interface Marker {
  readonly kind: MarkerKind;
  /** The name of the step or group that begins; empty for other kinds. */
  readonly name: string;
}

/** A section that begins ends those of its rank and of lower ones (higher numbers) that have no end of their own. */
export const RANK = {
  job: 0,
  step: 1,
  group: 2,
  command: 3,
  session: 4,
  task: 5,
  directory: 6,
  suite: 7,
  test: 8,
} as const;
export type Rank = keyof typeof RANK;

/** The tool that marks a section; an end belongs to the last one begun by the same tool. */
export type Tool =
  | ('github' | 'workflow' | 'azure' | 'gitlab' | 'travis' | 'jenkins' | 'buildkite' | 'taskcluster')
  | ('archive' | 'make' | 'npm' | 'maven' | 'gradle' | 'docker' | 'ansible' | 'mozharness' | 'shell')
  | ('pytest' | 'jest' | 'cargo' | 'go');

export type SectionStatus = 'ok' | 'failed';

/** The meaning of a line to an outline. */
export type SectionMark =
  | {
      readonly does: 'open';
      readonly tool: Tool;
      readonly rank: Rank;
      readonly title: string;
      /** By which its end names it, if that differs from the title. */
      readonly name?: string;
      /** A line tells where it ends. */
      readonly ends?: boolean | undefined;
      /** It only counts its levels: it is a block without a name. */
      readonly isHidden?: boolean;
      readonly status?: SectionStatus | undefined;
      readonly ms?: number | undefined;
      /** Milliseconds since the epoch. */
      readonly time?: number;
    }
  /** The last section of the tool that was begun, or that of the name, ends; with `headed` also ones without an end. */
  | {
      readonly does: 'close';
      readonly tool: Tool;
      readonly name?: string;
      readonly headed?: boolean;
      readonly status?: SectionStatus | undefined;
      readonly ms?: number | undefined;
      readonly time?: number;
    }
  /** Tells how the section ended, or will. Without a name: the last of the tool that was begun. */
  | {
      readonly does: 'tell';
      readonly tool: Tool;
      readonly name?: string;
      /** `timed`: only how long it took is told. */
      readonly status: SectionStatus | 'skipped' | 'error' | 'timed';
      readonly ms?: number | undefined;
    }
  /** A job or a step begins, by the columns before each line, or by the file it is in. */
  | { readonly does: 'column'; readonly job: string; readonly step: string }
  /** The job of a CI is over. */
  | { readonly does: 'over'; readonly tool: Tool; readonly status: SectionStatus | null };

type Found = RegExpExecArray;
type Row = readonly [kind: MarkerKind | null, form: RegExp, mark: ((found: Found) => SectionMark) | null];

type Open = Extract<SectionMark, { does: 'open' }>;
/** `more` is not spread: that would take ten times as long. */
const opens =
  (tool: Tool, rank: Rank, { ends, status }: Pick<Partial<Open>, 'ends' | 'status'> = {}) =>
  (found: Found): SectionMark => ({ does: 'open', tool, rank, title: found[1] ?? '', ends, status });
const closes = (tool: Tool) => (found: Found) =>
  ({ does: 'close', tool, ...(found[1] === undefined ? {} : { name: found[1] }) }) as const;
const tells =
  (tool: Tool, status: SectionStatus | 'skipped' | 'error') =>
  (found: Found): SectionMark => ({
    ...{ does: 'tell', tool, status },
    ...(found[1] === undefined ? {} : { name: found[1] }),
  });
const over = (tool: Tool, status: SectionStatus | null) => () => ({ does: 'over', tool, status }) as const;

const ENDS = { ends: true } as const;

/** `1.5s`, `520 ms`, `2m 3s`: in milliseconds. */
export function spanOf(text: string | undefined): number | undefined {
  let sum: number | undefined;
  for (const [, count, unit] of (text ?? '').matchAll(/(\d+(?:\.\d+)?) ?(ms|s|m|h)/g))
    sum = (sum ?? 0) + Number(count) * { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[unit!]!;
  return sum === undefined ? undefined : Math.round(sum);
}

const SUMS = /\b(\d+ (?:failed|errors?))\b/;

/**
 * By the first character of a message. The first form that fits decides; its first group is the name. A fixed
 * phrase of a CI's runner has its name beside the form. A row may have a kind, a mark, or both.
 */
const ROWS: Record<string, readonly Row[]> = {
  '#': [
    // GitHub Actions and Azure Pipelines
    ['script', /^##\[group\]Run (.*)/, ([, title = '']) => githubStep(`Run ${title}`)],
    ['step', /^##\[section\]Starting: (.*)/, opens('azure', 'step', ENDS)],
    ['after', /^##\[group\](Post (?:Run )?\S.*)/, ([, title = '']) => githubStep(title)],
    ['job', /^##\[group\](Runner Image Provisioner|Operating System)$/, opens('github', 'group', ENDS)],
    ['part', /^##\[group\](.*)/, opens('github', 'group', ENDS)],
    [null, /^##\[endgroup\]/, () => ({ does: 'close', tool: 'github' })],
    [null, /^##\[section\]Finishing: (.*)/, closes('azure')],
    ['end', /^##\[(?:endgroup\]|section\]Finishing: )/, null],
    [
      'failed',
      /^##\[error\](?:Process completed with exit code|Bash exited with code|The (?:operation|job|run) was cancel|The action .* timed out|The process .* failed with exit code)/,
      tells('github', 'failed'),
    ],
    ['error', /^##\[error\]/, tells('github', 'error')],
    // BuildKit
    [
      'part',
      /^#(\d+) (\[.*)/,
      ([, name, title]) => ({ does: 'open', tool: 'docker', rank: 'task', name: name!, title: title! }),
    ],
    [
      null,
      /^#(\d+) (DONE|CACHED|ERROR|CANCELED)\b:?(?: (\d[\d.ms]*s)$)?/,
      ([, name, word, span]) => ({
        ...{ does: 'tell', tool: 'docker', name: name!, ms: spanOf(span) },
        status: word === 'ERROR' || word === 'CANCELED' ? 'failed' : 'ok',
      }),
    ],
  ],
  ':': [
    ['part', /^::group::(.*)/, opens('workflow', 'group', ENDS)],
    ['end', /^::endgroup::/, () => ({ does: 'close', tool: 'workflow' })],
    [null, /^::error(?: [^:]*)?::/, () => ({ does: 'tell', tool: 'github', status: 'error' })],
  ],
  // GitLab
  s: [
    ['after', /^section_start:\d+:(?:after_script|archive_cache|upload_artifacts|cleanup)\w*/, null],
    [
      'step',
      /^section_start:(?<at>\d+):(?<name>[\w.-]+)/,
      ([, at, title]) => ({
        ...{ does: 'open', tool: 'gitlab', rank: 'step', ends: true },
        ...{ title: title!, name: title!, time: Number(at) * 1000 },
      }),
    ],
    [
      'end',
      /^section_end:(\d+):([\w.-]+)/,
      ([, at, name]) => ({ does: 'close', tool: 'gitlab', name: name!, time: Number(at) * 1000 }),
    ],
  ],
  // Travis
  t: [
    ['part', /^travis_fold:start:(\S+)/, opens('travis', 'group', ENDS)],
    ['end', /^travis_fold:end:/, null],
    [null, /^travis_fold:end:(\S+)/, closes('travis')],
    // cargo
    [
      null,
      /^test result: (ok|FAILED)\..*?(?:finished in (\S+))?$/,
      ([, word, span]) => ({
        ...{ does: 'tell', tool: 'cargo', ms: spanOf(span) },
        status: word === 'ok' ? 'ok' : 'failed',
      }),
    ],
  ],
  '[': [
    // Jenkins, Maven and sbt, Taskcluster
    ['after', /^\[Pipeline\] \{ \(Declarative: Post Actions\)$/, null],
    ['step', /^\[Pipeline\] \{ \((.*)\)$/, opens('jenkins', 'step', ENDS)],
    // The lines of its branches are mixed, and none says of which branch it is.
    [null, /^\[Pipeline\] (parallel)$/, opens('jenkins', 'step', ENDS)],
    [null, /^\[Pipeline\] \/\/ (parallel)$/, closes('jenkins')],
    [null, /^\[Pipeline\] \{/, () => ({ ...HIDDEN, tool: 'jenkins' })],
    [null, /^\[Pipeline\] \}/, () => ({ does: 'close', tool: 'jenkins' })],
    [null, /^\[INFO\] -+< (\S+) >-+$/, opens('maven', 'session')],
    ['part', /^\[(?:INFO|info)\] -{3} (\S+ .*) -{3}$/, opens('maven', 'task')],
    // Maven 2
    [null, /^\[INFO\] \[([\w.-]+:\S+ \{execution: [^}]+\})\]$/, opens('maven', 'task')],
    [
      null,
      /^\[[A-Z]+\] (?:BUILD [A-Z]|Reactor Summary)/,
      () => ({ does: 'close', tool: 'maven', headed: true }),
    ],
    [null, /^\[ERROR\] (?:Failed to execute goal|COMPILATION ERROR)/, tells('maven', 'failed')],
    ['failed', /^\[[a-z]+:error\] (?:Task (?:aborted|failed)|exit status)/, taskFailed],
    [
      null,
      /^\[mozharness: [^\]]*\] (?:Running (.*?) step\.|Finished (.*?) step(?: \((\w+)\))?)/,
      ([, begun, ended, how]) =>
        begun === undefined
          ? { does: 'close', tool: 'mozharness', name: ended!, headed: true, status: mozStatus(how) }
          : { does: 'open', tool: 'mozharness', rank: 'group', title: begun },
    ],
  ],
  '+': [
    ['part', /^\+{3} (.*)/, opens('buildkite', 'group')],
    ['part', /^\++ (.*)/, null],
    // No commands: packages that npm, pnpm and uv list as added, lines of `:`, and what a test prints as received.
    [
      null,
      /^\+ (?!@?[\w./[\]-]+(?:[@ ]\^?|==)\d+\.\d|: |Received\b|[\d})\]])(?=.*[A-Za-z])(\S.*)/,
      opens('shell', 'command'),
    ],
  ],
  $: [['part', /^\$ (.*)/, opens('shell', 'command')]],
  '-': [
    ['part', /^--- (?!FAIL|PASS|SKIP|BENCH)([^-].*?)(?: -+)?$/, opens('buildkite', 'group')],
    // go test
    [
      null,
      /^--- (FAIL|PASS|SKIP): (\S+) \(([\d.]+m?s)\)/,
      ([, word, title, span]) => ({
        ...{ does: 'tell', tool: 'go', name: title!, ms: spanOf(span) },
        status: word === 'FAIL' ? 'failed' : word === 'PASS' ? 'ok' : 'skipped',
      }),
    ],
  ],
  '~': [['part', /^~~~ (?=.*\w)(.*)/, opens('buildkite', 'group')]],
  '^': [[null, /^\^{3} \+{3}/, tells('buildkite', 'error')]],
  '>': [
    ['part', /^> (\S+@\S+ .*)/, opens('npm', 'task')],
    ['part', /^> (Task :.*)/, null],
    [
      null,
      /^> Task (:\S+)(?: ([A-Z-]+))?$/,
      ([, title, word]) => ({
        ...{ does: 'open', tool: 'gradle', rank: 'task', title: title! },
        status: word === 'FAILED' ? 'failed' : word === undefined ? undefined : 'ok',
      }),
    ],
  ],
  '=': [
    // A step of a CI's job in the archive of its logs; then the files of any archive, or of `head` and `tail`
    [
      'step',
      /^==> (?<job>[^/]+)\/\d+_(?<step>[^/]+)\.txt <==$/,
      ([, job, step]) => ({ does: 'column', job: job!, step: step! }),
    ],
    ['job', /^==> (.+) <==$/, opens('archive', 'job')],
    // Taskcluster
    ['job', /^=== Task Starting ===$/, null],
    ['part', /^={2,3}>? (?:RUN +)?([^=].*?)(?: =+)?$/, null],
    [null, /^=== RUN +(\S+)$/, opens('go', 'test')],
    [null, /^={3,} (test session starts) ={3,}$/, opens('pytest', 'session')],
    [
      null,
      /^={3,} (?=.*\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|warnings?)\b)(.*?)(?: in ([\d.]+s).*?)? ={3,}$/,
      ([, result, span]) => ({
        ...{ does: 'close', tool: 'pytest', name: 'test session starts', headed: true, ms: spanOf(span) },
        status: SUMS.test(result!) ? 'failed' : 'ok',
      }),
    ],
    [null, /^={5,} (FAILURES|ERRORS) ={5,}$/, opens('pytest', 'task', { status: 'failed' })],
    [null, /^={5,} ([^=].*?) ={5,}$/, opens('pytest', 'task')],
  ],
  _: [[null, /^_{3,} (\S.*?) _{3,}$/, opens('pytest', 'test', { status: 'failed' })]],
  // GitLab
  R: [
    ['job', /^Running with gitlab-runner /, null],
    // cargo
    [null, /^Running ((?:unittests |tests\/|benches\/|examples\/)\S+)/, opens('cargo', 'suite')],
  ],
  D: [[null, /^(Doc-tests \S+)/, opens('cargo', 'suite')]],
  // Vercel
  V: [['job', /^Vercel CLI \d/, null]],
  S: [
    // Jenkins
    ['job', /^Started by (?:timer|user |an SCM change|upstream project |GitHub push)/, null],
    ['part', /^(Step \d+\/\d+ ?: .*)/, opens('docker', 'task')],
    // GitHub Actions, then Jenkins
    ['after', /^Stop and remove container: /, null],
    ['failed', /^Stage ".*" skipped due to earlier failure/, null],
    [null, /^Stage ".*" skipped due to/, tells('jenkins', 'skipped')],
  ],
  T: [
    ['part', /^TASK \[(.*)\] \**$/, opens('ansible', 'task')],
    // Travis
    ['failed', /^The command ".*" exited with [1-9]/, null],
    [
      null,
      /^The command "(.*)" exited with (\d+)/,
      ([, name, code]) => ({
        ...{ does: 'tell', tool: 'shell', name: name! },
        status: code === '0' ? 'ok' : 'failed',
      }),
    ],
  ],
  P: [
    // GitHub Actions
    ['after', /^Post job cleanup\.$/, () => githubStep('Post job cleanup')],
    ['part', /^PLAY \[(.*)\] \**$/, opens('ansible', 'session')],
    [null, /^(PLAY RECAP) \**$/, opens('ansible', 'session')],
    // Jest and its like
    [null, /^PASS {1,2}(\S*[./]\S.*?)(?: \(([\d.]+ ?m?s)\))?$/, suite('ok')],
    [null, /^PASS$/, () => ({ does: 'close', tool: 'go', headed: true })],
  ],
  C: [
    // GitHub Actions, then GitLab too
    ['job', /^Current runner version: /, () => githubStep('Set up job')],
    ['after', /^Cleaning up (?:orphan processes|project directory)/, null],
    [null, /^Cleaning up orphan processes/, () => githubStep('Complete job')],
  ],
  // Jenkins
  B: [['failed', /^Build step .* (?:marked build as failure|changed build result to)/, null]],
  E: [
    // GitLab, Jenkins, Buildkite; Vercel
    [
      'over',
      /^(?:ERROR|Error): (?:Job failed|script returned exit code|The command exited with status)/,
      null,
    ],
    ['over', /^Error: Command ".*" exited with [1-9]/, null],
    [null, /^ERROR: Job failed/, over('gitlab', 'failed')],
    [null, /^ERROR: script returned exit code/, tells('jenkins', 'error')],
  ],
  // GitLab
  J: [[null, /^Job succeeded/, over('gitlab', 'ok')]],
  // Taskcluster
  U: [['over', /^Unsuccessful task run with exit code/, taskFailed]],
  F: [
    // Jenkins
    ['over', /^Finished: (?:FAILURE|ABORTED|UNSTABLE)/, null],
    [null, /^Finished: (?:FAILURE|ABORTED)$/, over('jenkins', 'failed')],
    [null, /^Finished: SUCCESS$/, over('jenkins', 'ok')],
    // go test, then Jest and its like
    [null, /^FAIL(?:\t\S+\t[\d.]+s|$)/, () => ({ does: 'close', tool: 'go', headed: true })],
    [null, /^FAIL {1,2}(\S*[./]\S.*?)(?: \(([\d.]+ ?m?s)\))?$/, suite('failed')],
  ],
  m: [
    ['part', /^\S*make(?:\[\d+\])?: Entering directory ['`](.*)'/, opens('make', 'directory', ENDS)],
    ['end', /^\S*make(?:\[\d+\])?: Leaving directory /, null],
    [null, /^\S*make(?:\[\d+\])?: Leaving directory ['`](.*)'/, closes('make')],
    [null, /^\S*make(?:\[\d+\])?: \*\*\* \[/, tells('make', 'failed')],
  ],
  f: [[null, /^fatal: \[[^\]]*\]: (?:FAILED|UNREACHABLE)!/, tells('ansible', 'failed')]],
  n: [[null, /^npm (?:ERR!|error) (?:code|errno|Lifecycle|command failed)/, tells('npm', 'failed')]],
  o: [[null, /^ok {2}\t\S+\t/, () => ({ does: 'close', tool: 'go', headed: true })]],
};

const HIDDEN = { does: 'open', rank: 'step', title: '', ends: true, isHidden: true } as const;

function githubStep(title: string): SectionMark {
  return { does: 'open', tool: 'github', rank: 'step', title };
}

function suite(status: SectionStatus) {
  return ([, title, span]: Found): SectionMark => ({
    ...{ does: 'open', tool: 'jest', rank: 'suite', title: title!, status, ms: spanOf(span) },
  });
}

function taskFailed(): SectionMark {
  return { does: 'tell', tool: 'taskcluster', name: 'task', status: 'failed' };
}

function mozStatus(how: string | undefined): SectionStatus | undefined {
  return how === undefined ? undefined : how === 'success' ? 'ok' : 'failed';
}

/** `message`: a line of line text behind its prefix. Null for a line that marks nothing. */
export function markerOf(message: string): Marker | null {
  for (const [kind, form] of ROWS[message.charAt(0)] ?? []) {
    const found = kind && form.exec(message);
    if (found) return { kind: kind!, name: found.groups?.name ?? found[1] ?? '' };
  }
  return null;
}

/** The same for an outline. */
export function sectionMarkOf(message: string): SectionMark | null {
  for (const [, form, mark] of ROWS[message.charAt(0)] ?? []) {
    const found = mark && form.exec(message);
    if (found) return mark!(found);
  }
  return null;
}

/** Beginnings of the lines that begin or end a step; parts of steps are not among them. */
const STEP_STARTS =
  '##[g|##[s|##[e|sect|[Pip|[tas|Stag|Stop|Post|Clea|Curr|The |Buil|ERRO|Erro|Unsu|Fini|=== |==> |Runn|Verc|Star'.split(
    '|',
  );
const STEP_CODES = new Set(STEP_STARTS.map((four) => Buffer.from(four).readInt32LE()));
const STEP_FIRST = new Uint8Array(256);
for (const start of STEP_STARTS) STEP_FIRST[start.charCodeAt(0)] = 1;

/** Whether a message that begins at `at` may begin or end a step: most lines are answered by their first bytes. */
export function mayMarkStep(bytes: Uint8Array, at: number): boolean {
  if (STEP_FIRST[bytes[at]!] !== 1) return false;
  const four = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
  return STEP_CODES.has(four);
}

/** Beginnings of the lines that mean something to an outline; `9` is any digit. */
const SECTION_STARTS =
  '##[g|##[s|##[e|#9|::group::|::endgroup::|::error|section_|travis_|test result: |[Pipeline] {|[Pipeline] }|[Pipeline] parallel|[Pipeline] // parallel|[INFO] -|[INFO] [|[INFO] B|[INFO] R|[ERROR] B|[ERROR] F|[ERROR] C|[taskcluster:|[mozharness: |+ |+++ |$ |--- |~~~ |^^^ |> |===|==> |___|Running|Doc-tests|Stage "|Step 9|TASK [|The command "|Post job c|PLAY |PASS|Current run|Cleaning up o|ERROR: J|ERROR: s|Job s|Unsuccessful task|Finished: |FAIL|make|fatal: [|npm ERR! |npm error |ok  \t'.split(
    '|',
  );
const STARTS: (readonly Uint8Array[])[] = Array.from({ length: 256 }, (_, first) =>
  SECTION_STARTS.filter((start) => start.charCodeAt(0) === first).map((start) => Buffer.from(start)),
);
const NINE = 0x39;

const ESC = 0x1b;
/** The first two bytes of such lines, a flag for each pair: most lines are answered by them. */
const PAIRS = new Uint8Array(65_536);
for (const start of SECTION_STARTS) {
  const [first = 0, second = 0] = Buffer.from(start);
  const seconds = second === NINE ? Buffer.from('0123456789') : [second];
  for (const each of [...seconds, ESC]) PAIRS[(first << 8) | each] = 1;
}

const OPENING = 0x5b;
const SMALL_M = 0x6d;
const MOST_COLOUR_BYTES = 20;

/** The same for an outline. Maven has colours within: `[ESC[1;34mINFOESC[m] `. */
export function mayMarkSection(bytes: Uint8Array, at: number): boolean {
  if (PAIRS[(bytes[at]! << 8) | bytes[at + 1]!] !== 1) return false;
  for (const start of STARTS[bytes[at]!] ?? []) {
    let [i, p] = [1, at + 1];
    while (i < start.length) {
      const byte = bytes[p];
      if (byte === start[i] || (start[i] === NINE && isDigit(byte))) i++;
      else if (byte === ESC && bytes[p + 1] === OPENING) {
        const last = p + MOST_COLOUR_BYTES;
        while (p < last && bytes[p] !== SMALL_M) p++;
      } else break;
      p++;
    }
    if (i === start.length) return true;
  }
  return false;
}
