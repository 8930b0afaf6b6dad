/** Puts the marks of a text's sections together, in order: sections are nested or apart, each within the text. */
import { countFitting } from '../../../shared/line-set.ts';
import { RANK, type SectionMark, type SectionStatus, type Tool } from './markers.ts';
import type { StretchSections } from './scan.ts';

export interface Section {
  title: string;
  /** By which its marks name it, if that is not the title. */
  readonly name: string;
  /** From 1. */
  readonly level: number;
  readonly start: number;
  end: number;
  status: SectionStatus | null;
  /** Its duration as the text gives it, in milliseconds. */
  ms: number | null;
  /** Error lines from `start` to `end`. */
  errors: number;
}

interface Open extends Section {
  readonly tool: Tool;
  readonly rank: number;
  readonly ends: boolean;
  readonly isHidden: boolean;
  readonly time: number | null;
  readonly errorsBefore: number;
  /** Which job of the text it belongs to. */
  readonly job: number;
  /** A line within says that something is an error. */
  hasError: boolean;
  isSkipped: boolean;
  isClosed: boolean;
}

/** Sections kept; beyond, the deepest that went well are forgotten. */
const MOST_SECTIONS = 20_000;
/** GitLab's own sections behind the scripts. */
const CLEANING = /^(?:after_script|upload_artifacts|archive_cache|cleanup|clear_|Declarative: Post)/;

/** The ends that these write do not tell that all went well. */
const SILENT: ReadonlySet<Tool> = new Set(['github', 'workflow', 'travis', 'pytest', 'go', 'mozharness']);

/** Jenkins's step whose branches run at the same time. */
const PARALLEL = 'parallel';
const BRANCH = /^Branch: (.*)/;

type Stretch = { readonly line: number; readonly errors: number };

type Column = Extract<SectionMark, { does: 'column' }>;

export class SectionTree {
  #sections: Open[] = [];
  #stack: Open[] = [];
  #job = 0;
  #column: Column | null = null;
  #forgotten = 0;
  /** The time of the last mark that has one. */
  #time: number | null = null;
  /** The line of the last mark, and the sections that ended with it. */
  #line = 0;
  #endedHere: Open[] = [];

  /** Takes the events of a stretch; `before` are the lines and errors of those before it. */
  add({ events, left }: StretchSections, before: Stretch): void {
    this.#forgotten += left;
    for (const event of events) {
      const { time } = event;
      this.#take(event.mark, {
        line: event.line + before.line,
        errors: event.errors + before.errors,
        with: event.errorsWith + before.errors,
        time,
        timeBefore: event.timeBefore ?? this.#time,
      });
      if (time !== null) this.#time = time;
    }
  }

  /** All sections in order, and how many were forgotten. `time`: that of the last line with one. */
  finish(end: Stretch, time: number | null): { sections: Section[]; forgotten: number } {
    const at = { line: end.line + 1, errors: end.errors, with: end.errors, time };
    this.#close(0, at);
    for (const job of new Set(this.#sections.map((one) => one.job))) this.#settle(job);
    return { sections: this.#sections.filter(({ isHidden }) => !isHidden), forgotten: this.#forgotten };
  }

  #take(mark: SectionMark, at: Place): void {
    if (at.line !== this.#line) this.#endedHere = [];
    this.#line = at.line;
    if (mark.does === 'open') this.#open(mark, at);
    else if (mark.does === 'close') this.#end(mark, at);
    else if (mark.does === 'column') this.#turn(mark, at);
    else if (mark.does === 'over') this.#over(mark.tool, mark.status);
    else this.#tell(mark, at);
  }

  /** A job or a step begins, by the columns before each line. */
  #turn(column: Column, at: Place): void {
    const { job, step } = column;
    const isSameJob = this.#column?.job === job;
    if (isSameJob && this.#column?.step === step) return;
    this.#column = column;
    const tool = job === '' ? 'taskcluster' : 'github';
    if (!isSameJob && job !== '') {
      this.#closeJob(at);
      this.#job++;
      this.#open({ does: 'open', tool, rank: 'job', title: job }, at, true);
    }
    if (step !== '') this.#open({ does: 'open', tool, rank: 'step', title: step }, at, true);
  }

  #open(mark: Extract<SectionMark, { does: 'open' }>, at: Place, isColumn = false): void {
    let { ends = false, rank } = mark;
    if (mark.tool === 'github' && rank === 'step' && !isColumn && this.#column?.job) {
      if (this.#column.step !== '') {
        if (!mark.title.startsWith('Run ')) return;
        // The step is known: this is the group in it that shows its script.
        [ends, rank] = [true, 'group'];
      }
    }
    // A subtest is in its test.
    const value = RANK[rank] + (mark.tool === 'go' ? mark.title.split('/').length - 1 : 0);
    if (mark.title === 'Set up job' && !isColumn && !this.#column) this.#job++;
    if (mark.tool === 'archive') {
      this.#closeJob(at);
      this.#job++;
      this.#column = null;
    }
    const isStep = !ends && value <= RANK.step;
    let keep = this.#stack.length;
    while (keep > 0) {
      const top = this.#stack[keep - 1]!;
      if (top.rank < value || (top.ends && !isStep)) break;
      keep--;
    }
    this.#close(keep, at);
    this.#makeRoom(at.line);
    const title = mark.title.trim();
    const parallel =
      mark.tool === 'jenkins' ? this.#stack.findLast(({ name }) => name === PARALLEL) : undefined;
    const branch = BRANCH.exec(title)?.[1];
    if (parallel && branch !== undefined)
      parallel.title += `${parallel.title === PARALLEL ? ': ' : ', '}${branch}`;
    let level = 1;
    for (const one of this.#stack) if (!one.isHidden) level++;
    // One literal: an object of spread parts takes ten times as long.
    const section: Open = {
      title,
      name: mark.name ?? title,
      tool: mark.tool,
      rank: value,
      ends,
      level,
      start: at.line,
      end: at.line,
      errors: 0,
      errorsBefore: at.errors,
      status: mark.status ?? null,
      ms: mark.ms ?? null,
      time: mark.time ?? at.time,
      job: this.#job,
      isHidden: mark.isHidden ?? parallel !== undefined,
      hasError: false,
      isSkipped: false,
      isClosed: false,
    };
    this.#stack.push(section);
    this.#sections.push(section);
    if (this.#sections.length > MOST_SECTIONS) this.#forget();
  }

  /** A line that ends sections and begins one belongs to the one that begins. */
  #makeRoom(line: number): void {
    for (const ended of this.#endedHere) {
      if (ended.start < line) ended.end = line - 1;
      else this.#remove(ended);
    }
    this.#endedHere = [];
  }

  #remove(section: Open): void {
    const index = this.#sections.lastIndexOf(section);
    if (index >= 0) this.#sections.splice(index, 1);
  }

  #end(mark: Extract<SectionMark, { does: 'close' }>, at: Place): void {
    const { headed = false } = mark;
    const fits = ({ tool, name, ends }: Open) =>
      tool === mark.tool && ends !== headed && (mark.name === undefined || mark.name === name);
    const index = headed ? this.#stack.findIndex(fits) : this.#stack.findLastIndex(fits);
    if (index < 0) return;
    const section = this.#stack[index]!;
    if (mark.ms !== undefined) section.ms = mark.ms;
    if (mark.status !== undefined) section.status = mark.status;
    section.isClosed = true;
    // Inner sections without an end of their own end before its last line.
    this.#close(index + 1, at);
    const isLast = section.ends || mark.name !== undefined;
    const line = isLast ? at.line + 1 : at.line;
    this.#close(index, { ...at, line, errors: isLast ? at.with : at.errors, time: mark.time ?? at.time });
    if (section.status === null && section.ends && !SILENT.has(section.tool))
      section.status = section.hasError ? 'failed' : 'ok';
  }

  #tell({ tool, name, status, ms }: Extract<SectionMark, { does: 'tell' }>, at: Place): void {
    const fits = (one: Open) =>
      one.tool === tool && (name === undefined || one.name === name) && !one.isHidden;
    const section =
      tool === 'github'
        ? (this.#stack.findLast((one) => one.rank === RANK.step) ?? this.#groupBefore())
        : (this.#stack.findLast(fits) ?? this.#sections.slice(-RECENT).findLast(fits));
    // Without -v, go test names only the tests that failed.
    if (!section && tool === 'go' && name !== undefined && status === 'failed')
      this.#open({ does: 'open', tool, rank: 'test', title: name, status, ms }, at);
    if (!section) return;
    if (ms !== undefined) section.ms = ms;
    if (status === 'error') section.hasError = true;
    else if (status === 'skipped') section.isSkipped = true;
    else if (status !== 'timed') section.status = status;
  }

  /** Where a log has no steps: the group that an error is in, or the last group that ended before it. */
  #groupBefore(): Open | undefined {
    const isGroup = ({ tool }: Open) => tool === 'github' || tool === 'workflow';
    return this.#stack.findLast(isGroup) ?? this.#sections.findLast((one) => isGroup(one) && one.isClosed);
  }

  /** The whole job has ended: what had not failed by itself went well, up to the part that failed. */
  #over(tool: Tool, status: SectionStatus | null): void {
    const own = this.#sections.filter((one) => one.tool === tool && !one.isHidden);
    if (status !== 'failed') return;
    const ran = own.filter((one) => !one.isSkipped && !CLEANING.test(one.name));
    const outer = Math.min(...ran.map(({ level }) => level));
    const failed =
      ran.findLast((one) => one.hasError || one.status === 'failed') ??
      ran.findLast((one) => !one.isClosed || tool === 'jenkins' || one.level === outer);
    for (const one of own) if (one.isSkipped && one.status === 'ok') one.status = null;
    if (!failed) return;
    failed.status = 'failed';
    for (const one of own) if (one.start < failed.start && one.end >= failed.end) one.status = 'failed';
  }

  /** Closes what is open before another job, whose times are its own. */
  #closeJob(at: Place): void {
    this.#close(0, { ...at, time: at.timeBefore ?? null });
  }

  /** Closes the sections of the stack from `keep` on, in the line before `at.line`. */
  #close(keep: number, at: Place): void {
    while (this.#stack.length > keep) {
      const section = this.#stack.pop()!;
      section.end = Math.max(section.start, at.line - 1);
      section.errors = Math.max(0, at.errors - section.errorsBefore);
      if (section.ms === null && section.time !== null && at.time !== null && at.time >= section.time)
        section.ms = at.time - section.time;
      if (section.start >= at.line) this.#remove(section);
      else if (section.end === this.#line) this.#endedHere.push(section);
    }
  }

  /** Sets the status of a finished job's steps: a step that another one follows went well. */
  #settle(job: number): void {
    const own = this.#sections.filter((one) => one.job === job);
    const marked = own.filter(({ tool }) => tool === 'github' || tool === 'azure' || tool === 'workflow');
    const steps = marked.filter(({ rank }) => rank === RANK.step);
    if (steps.length === 0) for (const one of marked) if (one.hasError) one.status = 'failed';
    const erring = steps.some(({ status }) => status === 'failed')
      ? null
      : steps.findLast((one) => one.hasError);
    if (erring) erring.status = 'failed';
    steps.forEach((step, i) => {
      const isLast = i === steps.length - 1 && step.title !== 'Complete job';
      if (step.status === null && !step.hasError && !isLast) step.status = 'ok';
    });
    const jobs = own.filter((one) => one.rank === RANK.job);
    for (const one of jobs) if (steps.some(({ status }) => status === 'failed')) one.status = 'failed';
  }

  #forget(): void {
    const open = new Set(this.#stack);
    const isPlain = (one: Open) => one.status !== 'failed' && one.errors === 0 && !open.has(one);
    const deepest = this.#sections.reduce(
      (most, one) => (isPlain(one) ? Math.max(most, one.level) : most),
      0,
    );
    const before = this.#sections.length;
    let turn = 0;
    let kept = this.#sections.filter((one) => !isPlain(one) || one.level < deepest || turn++ % 2 === 0);
    if (kept.length > (MOST_SECTIONS * 7) / 8) kept = kept.filter((one, i) => open.has(one) || i % 2 === 0);
    this.#sections = kept;
    this.#forgotten += before - kept.length;
  }
}

/** Sections looked through for the one that a line tells of. */
const RECENT = 512;

interface Place {
  line: number;
  /** Error lines before the line, and with it. */
  errors: number;
  with: number;
  time: number | null;
  timeBefore?: number | null;
}

/** Which section failed: the innermost around the cause, else the last that failed. */
export function failingSection(sections: readonly Section[], cause: number | null): Section | null {
  const around =
    cause === null ? undefined : sections.findLast(({ start, end }) => start <= cause && cause <= end);
  return around ?? sections.findLast(({ status }) => status === 'failed') ?? null;
}

/** A command typed in a recorded terminal, whose shell marked its output, or what begins at a person's own pattern. */
export interface TypedSection {
  readonly title: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly status: SectionStatus | null;
  readonly duration_ms: number | null;
}

/** Nests a text's sections in typed commands, and in what a person's patterns begin; they end with those. */
export function withTyped(
  sections: readonly Section[],
  typed: readonly TypedSection[],
  errorLines: readonly number[],
): Section[] {
  const before = (line: number) => countFitting(errorLines.length, (i) => errorLines[i]! < line);
  const errorsIn = (from: number, to: number) => before(to + 1) - before(from);
  const commands = typed.map(
    ({ title, start_line: start, end_line: end, status, duration_ms: ms }): Section => {
      return { title, name: title, level: 1, start, end, status, ms, errors: errorsIn(start, end) };
    },
  );
  const cut = sections.map((one) => {
    const around = commands.find(({ start, end }) => start <= one.start && one.start <= end);
    const next = commands.find(({ start }) => start > one.start)?.start ?? Number.POSITIVE_INFINITY;
    return { ...one, end: Math.min(one.end, around?.end ?? Number.POSITIVE_INFINITY, next - 1) };
  });
  const all = [...commands, ...cut].sort((a, b) => a.start - b.start || b.end - a.end);
  const open: Section[] = [];
  return all.map((one) => {
    while (open.length > 0 && open.at(-1)!.end < one.start) open.pop();
    open.push(one);
    return { ...one, level: open.length };
  });
}
