/**
 * Compares the automaton with `RegExp` on line text: random expressions, random lines, other cases each day
 * (SPILLWAY_SEED).
 */
import { describe, expect, it } from 'vitest';
import { charsetOfCharacter } from '../../../electron/search/automaton/alphabet.ts';
import { Automaton, createKernel, eventOf, placeOf } from '../../../electron/search/automaton/automaton.ts';
import { Simulation } from '../../../electron/search/automaton/simulation.ts';
import { EVENT, type State, Transitions } from '../../../electron/search/automaton/transitions.ts';
import { sourceOf } from '../../../electron/search/literals/scanner.ts';
import { AT, createMemory } from '../../../electron/search/memory.ts';
import fc, { rotatingSeed } from '../../fixtures/fast-check.ts';
import { compiled, flags, line, lines, shown } from '../../fixtures/search/automata.ts';
import { pattern } from '../../fixtures/search/patterns.ts';
import { cases } from '../../fixtures/sizes.ts';

describe('the automaton', () => {
  const seed = rotatingSeed();

  it(`gives each line the outcome of RegExp, or is unsure (seed ${seed})`, () => {
    const seen = { unsure: 0, match: 0, none: 0, inexact: 0 };
    fc.assert(
      fc.property(pattern, flags, lines, fc.boolean(), (source, how, text, raw) => {
        const made = compiled(source, how);
        if (!made) return;
        const { expression, nfa, alphabet } = made;
        const transitions = new Transitions(nfa, alphabet, raw);
        const simulation = new Simulation(nfa, alphabet);
        let state: State = transitions.start;
        for (const one of text) {
          let event: number = EVENT.none;
          for (const byte of [...one, 10]) {
            const step = transitions.step(state, byte);
            state = step;
            event = step.event;
          }
          const wanted = expression.test(shown(one, raw));
          const simulated = simulation.matches(shown(one, raw));
          if (!nfa.exact) {
            seen.inexact += 1;
            // The automaton may match more than the expression, but never less.
            if (wanted) expect([event, simulated]).not.toContain(EVENT.none);
            if (wanted) expect(simulated).toBe(true);
            continue;
          }
          expect(simulated).toBe(wanted);
          seen[event === EVENT.unsure ? 'unsure' : wanted ? 'match' : 'none'] += 1;
          if (event === EVENT.unsure) expect(raw).toBe(false);
          else expect(event === EVENT.match).toBe(wanted);
        }
      }),
      { numRuns: cases(2000), seed },
    );
    // The comparison means little unless every outcome is frequent.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(cases(100));
  });

  it.each(['\x1b(0lqk\x1b(B', '\x1b)0\x0elqk\x0f', '\x0elqk\x0f'])(
    'leaves drawn lines to be rendered: %j',
    (raw) => {
      const { nfa, alphabet } = compiled('lqk', '')!;
      const transitions = new Transitions(nfa, alphabet, false);
      let state: State & { event?: number } = transitions.start;
      for (const byte of Buffer.from(`${raw}\n`)) state = transitions.step(state, byte);
      expect(state.event).toBe(EVENT.unsure);
    },
  );

  it(`gives the same outcomes in lanes, of one or two bytes a step, as step by step (seed ${seed})`, () => {
    const memory = createMemory();
    const kernel = createKernel(memory);
    const bytes = sourceOf(memory);
    const long = fc
      .array(line, { minLength: 1, maxLength: 400 })
      .map((all) => all.flatMap((one) => [one, Buffer.from('\n')]));
    fc.assert(
      fc.property(pattern, flags, long, fc.nat(40), (source, how, parts, times) => {
        const made = compiled(source, how);
        if (!made) return;
        const text = Buffer.concat(Array.from({ length: times + 1 }, () => parts).flat());
        bytes.set(text);
        const transitions = new Transitions(made.nfa, made.alphabet, false);
        const said = new Automaton(kernel, transitions).scan(AT.source, AT.source + text.length)!;
        const expected: [number, number][] = [];
        let state: State = transitions.start;
        for (const [place, byte] of text.entries()) {
          const step = transitions.step(state, byte);
          if (step.event !== EVENT.none) expected.push([place, step.event]);
          state = step;
        }
        expect(Array.from(said, (one) => [placeOf(one) - AT.source, eventOf(one)])).toEqual(expected);
      }),
      { numRuns: 150, seed },
    );
  });

  it(`reads each line only until its outcome is known, with the same outcome (seed ${seed})`, () => {
    const memory = createMemory();
    const kernel = createKernel(memory);
    const bytes = sourceOf(memory);
    // Most lines are long enough to be read in turns.
    const long = fc.array(fc.tuple(line, fc.constantFrom('', ' and', 'x'.repeat(40), ' 17 '.repeat(20))), {
      minLength: 1,
      maxLength: 60,
    });
    let [compared, inTurns, leftOpen] = [0, 0, 0];
    fc.assert(
      fc.property(
        pattern,
        flags,
        long,
        long,
        fc.boolean(),
        fc.boolean(),
        (source, how, one, other, raw, anchored) => {
          const made = compiled(anchored ? `^(?:${source})` : source, how);
          if (!made) return;
          const transitions = new Transitions(made.nfa, made.alphabet, raw);
          const textOf = (lines: typeof one) =>
            Buffer.concat(lines.flatMap(([line, more]) => [line, Buffer.from(`${more}\n`)]));
          const texts = [textOf(one), textOf(other)].map((text) => {
            bytes.set(text);
            const [start, end] = [AT.source, AT.source + text.length];
            const said = Array.from(new Automaton(kernel, transitions).scan(start, end)!);
            const lineOf = (place: number) => text.subarray(0, place).filter((byte) => byte === 10).length;
            const isUnsure = said.some((each) => eventOf(each) === EVENT.unsure);
            return { text, end, isUnsure, lines: said.map((each) => lineOf(placeOf(each) - AT.source)) };
          });
          // Other lines are not read early.
          if (texts.some(({ isUnsure }) => isUnsure)) return;
          const rows = new Automaton(kernel, transitions);
          // From the second time on, four lines are read in turns; the other text needs other entries.
          for (const { text, end, lines } of [texts[0]!, texts[1]!, texts[0]!]) {
            bytes.set(text);
            const found = rows.readEarly(AT.source, end);
            if (found === null) return;
            expect(Array.from(found)).toEqual(lines);
            const { turns, open } = kernel.exports.early;
            inTurns += Number(turns.value > 0);
            leftOpen += Number(open.value > 0);
          }
          compared += 1;
        },
      ),
      { numRuns: cases(2500), seed },
    );
    expect(compared).toBeGreaterThan(cases(400));
    expect(inTurns).toBeGreaterThan(cases(300));
    expect(leftOpen).toBeGreaterThan(cases(100));
  });

  it('takes a line in parts, cut anywhere', () => {
    const memory = createMemory();
    const rowsFor = createKernel(memory);
    const bytes = sourceOf(memory);
    fc.assert(
      fc.property(pattern, flags, line, fc.nat(30), (source, how, one, cut) => {
        const made = compiled(source, how);
        if (!made?.nfa.exact) return;
        const rows = new Automaton(rowsFor, new Transitions(made.nfa, made.alphabet, false));
        bytes.set([...one, 10]);
        const [start, at, end] = [
          AT.source,
          AT.source + Math.min(cut, one.length),
          AT.source + one.length + 1,
        ];
        const whole = rows.feed(start, end, true);
        if (at > start) expect(rows.feed(start, at, true)).toBe(EVENT.none);
        expect(rows.feed(at, end, at === start)).toBe(whole);
      }),
      { numRuns: cases(500), seed },
    );
  });

  it('reads empty lines that match one after another, where each would stop the lanes', () => {
    const next = (text: string) => {
      const memory = createMemory();
      const { nfa, alphabet } = compiled('^$', '')!;
      const rows = new Automaton(createKernel(memory), new Transitions(nfa, alphabet, false));
      sourceOf(memory).write(text);
      return rows.scanEarly(AT.source, AT.source + text.length, 1)?.length ?? null;
    };
    expect(next('\n'.repeat(20_000))).toBe(20_000);
    expect(next('a\n'.repeat(20_000))).toBe(null);
  });

  it('rebuilds its rows when they are full, and gives up only where that does not pay', () => {
    const memory = createMemory();
    const bytes = sourceOf(memory);
    // Has too many states for any table.
    const { nfa, alphabet, expression } = compiled('a[ab]{16}$', '')!;
    const rows = new Automaton(createKernel(memory), new Transitions(nfa, alphabet, false));
    let random = 1;
    const text = Array.from({ length: 6000 }, () => {
      random = (random * 48_271) % 2_147_483_647;
      return random.toString(2).replaceAll('0', 'a').replaceAll('1', 'b');
    });
    const wanted = text.filter((one) => expression.test(one)).length;
    const all = Buffer.from(`${text.join('\n')}\n`);
    bytes.set(all);
    const said = rows.scan(AT.source, AT.source + all.length);
    if (said) expect(said.length).toBe(wanted);
    else expect(rows.useless).toBe(true);
    const simulation = new Simulation(nfa, alphabet);
    expect(text.filter((one) => simulation.matches(one)).length).toBe(wanted);
  });
});

it('ASCII characters fold as V8 folds them', () => {
  const all = String.fromCharCode(...Array.from({ length: 0x1_0000 }, (_, i) => i));
  for (let value = 0; value < 0x80; value += 1) {
    const ranges = charsetOfCharacter(value, 'i');
    const found: number[] = [];
    for (let i = 0; i < ranges.length; i += 2) {
      for (let unit = ranges[i]!; unit <= ranges[i + 1]!; unit += 1) found.push(unit);
    }
    const expression = new RegExp(`\\u${value.toString(16).padStart(4, '0')}`, 'gi');
    expect(found).toEqual(Array.from(all.matchAll(expression), (match) => match.index));
  }
});
