/**
 * Compares the simulation with bits with the automaton's transitions, step by step: random expressions, random lines,
 * other cases each day (SPILLWAY_SEED).
 */
import { describe, expect, it } from 'vitest';
import { Automaton } from '../../../electron/search/automaton/automaton.ts';
import { BitSimulation } from '../../../electron/search/automaton/bits/bit-simulation.ts';
import { vectorsOf } from '../../../electron/search/automaton/bits/positions.ts';
import { createKernel } from '../../../electron/search/automaton/kernel.ts';
import { eventOf, placeOf } from '../../../electron/search/automaton/rows.ts';
import { EVENT, type State, Transitions } from '../../../electron/search/automaton/transitions.ts';
import { AT, createMemory } from '../../../electron/search/memory.ts';
import { sourceOf } from '../../../electron/search/scanner/scanner.ts';
import fc, { rotatingSeed } from '../../fixtures/fast-check.ts';
import { compiled, flags, line } from '../../fixtures/search/automata.ts';
import { pattern } from '../../fixtures/search/patterns.ts';
import { cases } from '../../fixtures/sizes.ts';

type Event = [place: number, event: number];

/** The events of the automaton's transitions, one byte after the other. */
function stepped(transitions: Transitions, text: Uint8Array): Event[] {
  const events: Event[] = [];
  let state: State = transitions.start;
  for (const [place, byte] of text.entries()) {
    const step = transitions.step(state, byte);
    if (step.event !== EVENT.none) events.push([place, step.event]);
    state = step;
  }
  return events;
}

const decoded = (said: Uint32Array): Event[] =>
  Array.from(said, (one) => [placeOf(one) - AT.source, eventOf(one)]);

const end = Buffer.from('\n');
const ended = (parts: readonly Uint8Array[]) => Buffer.concat(parts.flatMap((one) => [one, end]));

/** Sets of characters with a gap of any size between them, in every notation. */
const atom = fc.constantFrom('a', 'b', '[ab]', '[^a]', 'é', '\\w', '\\s', '(?:ab|1)', '(?:foo|ba[rK])');
const gap = fc
  .tuple(
    fc.constantFrom('.', '.', '[^\\r]', '[ab ]', '(?:a|b|é)', '(?:a.|.b)', '\\w'),
    fc.oneof(fc.nat(9), fc.nat(140)),
    fc.constantFrom('', ',', '+'),
    fc.nat(90),
  )
  .map(([one, least, form, more]) =>
    form === ''
      ? `${one}{${least}}`
      : form === ','
        ? `${one}{${least},${least + more}}`
        : `${one}{${least},}`,
  );
const gapped = fc
  .tuple(
    fc.constantFrom('', '', '^', '\\b'),
    fc.array(fc.tuple(atom, gap), { minLength: 1, maxLength: 3 }),
    atom,
    fc.constantFrom('', '', '$', '\\b', '\\B'),
  )
  .map(([start, parts, last, behind]) => `${start}${parts.flat().join('')}${last}${behind}`);

/** Lines as long as the gaps. */
const long = fc
  .array(
    fc.oneof(
      {
        weight: 400,
        arbitrary: fc
          .constantFrom('a', 'b', 'ab', 'aab1', 'foobar', 'é', ' ', '日b', 'ſ', '😀', '\u212a')
          .map((text) => Buffer.from(text)),
      },
      { weight: 1, arbitrary: line },
    ),
    { minLength: 1, maxLength: 300, size: 'max' },
  )
  .map((parts) => Buffer.concat(parts));

describe('the simulation with bits', () => {
  const seed = rotatingSeed();
  const memory = createMemory();
  const kernel = createKernel(memory);
  const bytes = sourceOf(memory);

  function compare(source: string, how: string, raw: boolean, text: Buffer) {
    const made = compiled(source, how);
    const transitions = made && new Transitions(made.nfa, made.alphabet, raw);
    const bits = made && BitSimulation.of(kernel, made.nfa, made.alphabet, transitions!);
    if (!made || !bits) return null;
    bytes.set(text);
    const said = decoded(bits.scan(AT.source, AT.source + text.length));
    expect(said).toEqual(stepped(transitions!, text));
    expect(bits.sawUnsure).toBe(said.some(([, event]) => event === EVENT.unsure));
    return { said, vectors: vectorsOf(made.nfa)! };
  }

  it(`gives each line the automaton’s outcome, for expressions of every kind (seed ${seed})`, () => {
    let events = 0;
    const lines = fc.array(line, { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(pattern, flags, fc.boolean(), lines, (source, how, raw, parts) => {
        events += compare(source, how, raw, ended(parts))?.said.length ?? 0;
      }),
      { numRuns: cases(2000), seed },
    );
    expect(events).toBeGreaterThan(cases(1000));
  });

  it(`gives the same outcome for gaps of hundreds of characters, in lines as long (seed ${seed})`, () => {
    const vectors = new Set<number>();
    let matches = 0;
    fc.assert(
      fc.property(gapped, flags, fc.array(long, { minLength: 1, maxLength: 6 }), (source, how, parts) => {
        const result = compare(source, how, false, ended(parts));
        if (result) vectors.add(Math.min(3, result.vectors));
        matches += result?.said.filter(([, event]) => event === EVENT.match).length ?? 0;
      }),
      { numRuns: cases(400), seed },
    );
    expect([...vectors].sort()).toEqual([1, 2, 3]);
    expect(matches).toBeGreaterThan(cases(100));
  });

  it('recognises word characters of several bytes', () => {
    const text = Buffer.from(
      ['ſa', 'aſ', 'é ſa', 'a\u212aa', 'éa', '\u212aéa', 'a 日ſ', 'ſ\u212a'].join('\n'),
    );
    for (const gap of ['', '.{0,140}', '.{0,300}']) {
      for (const part of ['\\b.a\\b', '\\Ba\\b', '(?:\\w\\b|a\\B).a', '\\b.\\B.$', '.\\b$'])
        compare(`${part}${gap}$|x${gap}y`, 'iu', false, Buffer.concat([text, end]));
    }
  });

  it(`takes a line in parts, cut anywhere (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.oneof(pattern, gapped), flags, long, fc.nat(), (source, how, one, cut) => {
        const made = compiled(source, how);
        const transitions = made && new Transitions(made.nfa, made.alphabet, false);
        const bits = made && BitSimulation.of(kernel, made.nfa, made.alphabet, transitions!);
        if (!bits) return;
        bytes.set([...one, 10]);
        const [start, behind] = [AT.source, AT.source + one.length + 1];
        const at = start + (cut % (one.length + 1));
        const whole = bits.feed(start, behind, true);
        if (at > start) expect(bits.feed(start, at, true)).toBe(EVENT.none);
        expect(bits.feed(at, behind, at === start)).toBe(whole);
      }),
      { numRuns: cases(500), seed },
    );
  });

  it('takes over where rows would be made again and again, within a line and for the lines after it', () => {
    const { nfa, alphabet, expression } = compiled('a.{40}b$', '')!;
    const automaton = new Automaton(kernel, nfa, alphabet, false);
    let random = seed & 0x7fff_ffff || 1;
    const next = () => {
      random = (random * 48_271) % 2_147_483_647;
      return random;
    };
    const text = Array.from({ length: 3000 }, () =>
      Array.from({ length: 5 }, () => next().toString(3).replaceAll('0', 'a').replaceAll('1', 'b')).join('é'),
    );
    const all = Buffer.from(`${text.join('\n')}\n`);
    for (let round = 0; round < 6; round += 1) {
      bytes.set(all);
      const said = automaton.scan(AT.source, AT.source + all.length)!;
      expect(said.length).toBe(text.filter((one) => expression.test(one)).length);
      expect(automaton.useless).toBe(false);
    }
    expect(kernel.owner).toBeInstanceOf(BitSimulation);
  });

  it('declines automata with thousands of characters', () => {
    const { nfa, alphabet } = compiled('a.{3000}b', '')!;
    expect(BitSimulation.of(kernel, nfa, alphabet, new Transitions(nfa, alphabet, false))).toBeNull();
    expect(vectorsOf(nfa)).toBeNull();
  });
});
