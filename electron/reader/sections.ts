/**
 * Follows the steps of a text as it streams by: where each begins, where what its script prints begins, and whether it
 * failed. Keeps a bounded number of them, failed ones before others.
 */
import { Buffer } from 'node:buffer';

export interface Step {
  /** The step's name, or the job's if no step was named. */
  readonly name: string;
  /** Counts jobs, from 0. */
  readonly job: number;
  /** The line that begins it. */
  readonly first: number;
  /** The first line behind its heading and its echoed script. */
  output: number;
  /** Its last line. */
  last: number;
  /** The line that says that it failed, or that the job did; 0 where none does. */
  failed: number;
  /** `failed` is the job's. */
  isOver: boolean;
  /** The last line that says of something else that it is an error; 0 where none does. */
  error: number;
  /** The line from which on nothing but cleaning up and reports follow; 0 where none does. */
  after: number;
}

const MOST_STEPS = 4096;

export class Steps {
  #steps: Step[] = [];
  #job = 0;
  #current: Step | null = null;
  /** A runner has said that it begins. */
  #hasBegun = false;
  /** The group that echoes a step's script has not ended yet. */
  #isEchoing = false;
  /** Lines that were markers since the step began. */
  #markers = 0;

  /** Takes a line that may be a marker. Lines come in order. */
  add(line: number, message: string): void {
    const marker = markerOf(message);
    if (marker) this.#take(marker, line);
  }

  /** All steps, in order; `lines`: how many lines the text has. Empty where no step is marked. */
  all(lines: number): readonly Step[] {
    this.#steps.forEach((step, i) => {
      step.last = (this.#steps[i + 1]?.first ?? lines + 1) - 1;
    });
    return this.#steps;
  }

  #take({ kind, name }: Marker, line: number): void {
    this.#markers++;
    if (kind === 'job') {
      this.#hasBegun = true;
      if (this.#current && this.#current.after > 0) this.#begin('', line, true);
    } else if (kind === 'step' || kind === 'script') {
      this.#begin(name, line, false);
      this.#isEchoing = kind === 'script';
    } else if (kind === 'end' && this.#isEchoing) {
      this.#current!.output = line + 1;
      this.#isEchoing = false;
    } else if (kind === 'failed' || kind === 'over') {
      // A command may end with the words of a runner that it was written for.
      if (kind === 'over' && !this.#current && !this.#hasBegun) return;
      const step = this.#stepThatEnds(line);
      if (kind === 'over' && this.#hasFailed(step.job)) return;
      // Runners say more than once that a job is over; what lies between explains nothing.
      if (step.failed > 0 && (!step.isOver || kind === 'over')) return;
      step.failed = line;
      step.isOver = kind === 'over';
    } else if (kind === 'error') {
      this.#stepThatEnds(line).error = line;
    } else if (kind === 'after') {
      const step = this.#stepThatEnds(line);
      if (step.after === 0) step.after = line;
    }
  }

  #hasFailed(job: number): boolean {
    return this.#steps.some((step) => step.job === job && step.failed > 0 && !step.isOver);
  }

  /** A step that printed nothing but what marks it was never run. */
  #stepThatEnds(line: number): Step {
    const current = this.#current ?? this.#begin('', 1, false);
    if (line - current.first > this.#markers) return current;
    return this.#steps.at(-2) ?? current;
  }

  #begin(name: string, first: number, isJob: boolean): Step {
    if (isJob) this.#job++;
    const step = {
      name,
      job: this.#job,
      first,
      output: first + 1,
      last: first,
      failed: 0,
      isOver: false,
      error: 0,
      after: 0,
    };
    if (this.#current === null && first === 1) step.output = 1;
    this.#steps.push(step);
    this.#current = step;
    this.#isEchoing = false;
    this.#markers = 1;
    if (this.#steps.length > MOST_STEPS) this.#forget();
    return step;
  }

  /** Joins steps that went well with the ones before them. */
  #forget(): void {
    const last = this.#steps.length - MOST_STEPS / 4;
    this.#steps = this.#steps.filter((step, i) => step.failed > 0 || i % 2 === 0 || i > last);
  }
}

/**
 * Recognises the lines with which tools divide their output: the steps and groups of a CI's log, stages, builds'
 * directories, packages' scripts, tasks, suites, traced commands, and the line that says how a step ended.
 */
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

interface Marker {
  readonly kind: MarkerKind;
  /** The name of the step or group that begins; empty for other kinds. */
  readonly name: string;
}

type Form = readonly [kind: MarkerKind, form: RegExp];

/**
 * By the first character of a message. The first form that fits decides; its first group is the name. A fixed phrase is
 * one that a CI's runner prints by itself, whatever it runs; its name stands beside it.
 */
const FORMS: Record<string, readonly Form[]> = {
  '#': [
    // GitHub Actions and Azure Pipelines
    ['script', /^##\[group\]Run (.*)/],
    ['step', /^##\[section\]Starting: (.*)/],
    ['job', /^##\[group\](?:Runner Image Provisioner|Operating System)$/],
    ['part', /^##\[group\](.*)/],
    ['end', /^##\[(?:endgroup\]|section\]Finishing: )/],
    [
      'failed',
      /^##\[error\](?:Process completed with exit code|Bash exited with code|The (?:operation|job|run) was cancel|The action .* timed out|The process .* failed with exit code)/,
    ],
    ['error', /^##\[error\]/],
    // BuildKit
    ['part', /^#\d+ (\[.*)/],
  ],
  ':': [
    ['part', /^::group::(.*)/],
    ['end', /^::endgroup::/],
  ],
  // GitLab
  s: [
    ['step', /^section_start:\d+:([\w-]+)/],
    ['end', /^section_end:\d+:/],
  ],
  // Travis
  t: [
    ['part', /^travis_fold:start:(\S+)/],
    ['end', /^travis_fold:end:/],
  ],
  '[': [
    // Jenkins, Maven and sbt, Taskcluster
    ['step', /^\[Pipeline\] \{ \((.*)\)$/],
    ['part', /^\[(?:INFO|info)\] -{3} (\S+ .*) -{3}$/],
    ['failed', /^\[[a-z]+:error\] (?:Task (?:aborted|failed)|exit status)/],
  ],
  '+': [
    ['part', /^\+{3} (.*)/],
    ['part', /^\++ (.*)/],
  ],
  $: [['part', /^\$ (.*)/]],
  '-': [['part', /^--- (?!FAIL|PASS|SKIP|BENCH)([^-].*)/]],
  '~': [['part', /^~~~ (.*)/]],
  '>': [
    ['part', /^> (\S+@\S+ .*)/],
    ['part', /^> (Task :.*)/],
  ],
  '=': [
    // Taskcluster
    ['job', /^=== Task Starting ===$/],
    ['part', /^={2,3}>? (?:RUN +)?([^=].*?)(?: =+)?$/],
  ],
  // GitLab
  R: [['job', /^Running with gitlab-runner /]],
  // Vercel
  V: [['job', /^Vercel CLI \d/]],
  S: [
    // Jenkins
    ['job', /^Started by (?:timer|user |an SCM change|upstream project |GitHub push)/],
    ['part', /^(Step \d+\/\d+ ?: .*)/],
    // GitHub Actions, then Jenkins
    ['after', /^Stop and remove container: /],
    ['failed', /^Stage ".*" skipped due to earlier failure/],
  ],
  T: [
    ['part', /^TASK \[(.*)\] \**$/],
    // Travis
    ['failed', /^The command ".*" exited with [1-9]/],
  ],
  P: [
    // GitHub Actions
    ['after', /^Post job cleanup\.$/],
    ['part', /^PLAY \[(.*)\] \**$/],
  ],
  C: [
    // GitHub Actions, then GitLab too
    ['job', /^Current runner version: /],
    ['after', /^Cleaning up (?:orphan processes|project directory)/],
  ],
  // Jenkins
  B: [['failed', /^Build step .* (?:marked build as failure|changed build result to)/]],
  E: [
    // GitLab, Jenkins, Buildkite; Vercel
    ['over', /^(?:ERROR|Error): (?:Job failed|script returned exit code|The command exited with status)/],
    ['over', /^Error: Command ".*" exited with [1-9]/],
  ],
  // Taskcluster
  U: [['over', /^Unsuccessful task run with exit code/]],
  // Jenkins
  F: [['over', /^Finished: (?:FAILURE|ABORTED|UNSTABLE)/]],
  m: [
    ['part', /^\S*make(?:\[\d+\])?: Entering directory ['`](.*)'/],
    ['end', /^\S*make(?:\[\d+\])?: Leaving directory /],
  ],
};

/** `message`: a line of line text behind its prefix. Null for a line that marks nothing. */
export function markerOf(message: string): Marker | null {
  for (const [kind, form] of FORMS[message.charAt(0)] ?? []) {
    const found = form.exec(message);
    if (found) return { kind, name: found[1] ?? '' };
  }
  return null;
}

/** Beginnings of the lines that begin or end a step; parts of steps are not among them. */
const STEP_STARTS =
  '##[g|##[s|##[e|sect|[Pip|[tas|Stag|Stop|Post|Clea|Curr|The |Buil|ERRO|Erro|Unsu|Fini|=== |Runn|Verc|Star'.split(
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
