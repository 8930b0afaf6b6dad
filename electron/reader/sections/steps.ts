/**
 * Follows the steps of a text as it streams by: where each begins, where what its script prints begins, and whether it
 * failed. Keeps a bounded number of them, failed ones before others.
 */
import { type Marker, markerOf } from './markers.ts';

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
