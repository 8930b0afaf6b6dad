/** Decides whether single lines match, by their text: lines the automaton can't read, and lines to be confirmed. */
import type { Level } from '../../../shared/text/level-words.ts';
import { levelOf, levelOfCodes } from '../../../shared/text/levels.ts';
import { lineText } from '../../../shared/text/line-text.ts';
import type { Automaton } from '../automaton/automaton.ts';
import { eventOf, placeOf } from '../automaton/rows.ts';
import type { Simulation } from '../automaton/simulation.ts';
import { EVENT } from '../automaton/transitions.ts';
import type { MatchFinder } from '../locate/match-finder.ts';
import { AT, RENDERED_BYTES } from '../memory.ts';

/** Returns a judge that runs the expression on each line. */
export function judgeByExpression(finder: MatchFinder): LineJudge {
  return { judge: (texts) => texts.map((text) => finder.matches(text)) };
}

/** Decides by level, and by the expression unless it only finds candidates. */
export function judgeByLevel(levels: readonly Level[], finder: MatchFinder | null): LineJudge {
  const wanted = new Set<Level | null>(levels);
  const judgeBytes = (bytes: Uint8Array, start: number, end: number) =>
    wanted.has(levelOfCodes(bytes, start, end));
  return {
    ...(finder === null ? { judgeBytes } : {}),
    judge: (texts) =>
      texts.map((text) => (finder === null || finder.matches(text)) && wanted.has(levelOf(text))),
  };
}

export interface LineJudge {
  /** Returns for each text whether it matches. `onProgress` is called regularly during long work. */
  judge(texts: readonly string[], onProgress: () => void): boolean[];
  /**
   * Whether a line of UTF-8 without control characters but tabs matches. Only for judges that need no text, which
   * takes most of the time where many lines are to be confirmed.
   */
  judgeBytes?(bytes: Uint8Array, start: number, end: number): boolean;
}

/** The end of a line without its CR; null if it has other control characters. */
export function plainEnd(bytes: Uint8Array, start: number, end: number): number | null {
  const last = end > start && bytes[end - 1] === 13 ? end - 1 : end;
  for (let i = start; i < last; i += 1) if (bytes[i]! < 32 && bytes[i] !== 9) return null;
  return last;
}

/** Runs the automaton, whose time is linear in the text. */
export class AutomatonJudge implements LineJudge {
  readonly #rendered: Buffer;
  readonly #automaton: Automaton;
  readonly #simulation: Simulation;

  constructor(rendered: Buffer, automaton: Automaton, simulation: Simulation) {
    this.#rendered = rendered;
    this.#automaton = automaton;
    this.#simulation = simulation;
  }

  judge(texts: readonly string[], onProgress: () => void): boolean[] {
    const verdicts: boolean[] = [];
    while (verdicts.length < texts.length) {
      this.#judgeSome(texts, verdicts);
      onProgress();
    }
    return verdicts;
  }

  #judgeSome(texts: readonly string[], verdicts: boolean[]): void {
    if (this.#automaton.useless) {
      verdicts.push(this.#simulation.matches(texts[verdicts.length]!));
      return;
    }
    const ends: number[] = [];
    let filled = 0;
    for (let i = verdicts.length; i < texts.length; i += 1) {
      const text = texts[i]!;
      // A UTF-16 unit takes at most three bytes.
      if (filled + text.length * 3 + 1 > RENDERED_BYTES) break;
      filled += this.#rendered.write(text, filled);
      this.#rendered[filled] = 10;
      ends.push(filled);
      filled += 1;
    }
    if (ends.length === 0) {
      verdicts.push(this.#judgeLong(texts[verdicts.length]!));
      return;
    }
    const said = this.#automaton.scan(AT.rendered, AT.rendered + filled);
    if (said === null) {
      verdicts.push(this.#simulation.matches(texts[verdicts.length]!));
      return;
    }
    const matching = new Set<number>();
    for (const one of said) if (eventOf(one) === EVENT.match) matching.add(placeOf(one) - AT.rendered);
    for (const end of ends) verdicts.push(matching.has(end));
  }

  /** Reads a text part by part. */
  #judgeLong(text: string): boolean {
    const step = Math.floor((RENDERED_BYTES - 1) / 3);
    for (let at = 0; at < text.length; ) {
      // Don't split a surrogate pair.
      const high = (text.charCodeAt(at + step - 1) & 0xfc00) === 0xd800 ? 1 : 0;
      const next = Math.min(text.length, at + step - high);
      let filled = this.#rendered.write(text.slice(at, next));
      if (next === text.length) {
        this.#rendered[filled] = 10;
        filled += 1;
      }
      const event = this.#automaton.useless
        ? null
        : this.#automaton.feed(AT.rendered, AT.rendered + filled, at === 0);
      if (event === null) return this.#simulation.matches(text);
      if (next === text.length) return event === EVENT.match;
      at = next;
    }
    return false;
  }
}

/** Returns the text of a line, given without its line end. */
export function textOfLine(bytes: Buffer, start: number, end: number, raw: boolean): string {
  const text = bytes.toString('utf8', start, end);
  return raw ? text : lineText(text);
}
