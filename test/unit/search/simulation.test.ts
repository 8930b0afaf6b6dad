/**
 * Compares the simulation with bits with `RegExp` on line text: expressions with gaps of hundreds of characters, other
 * cases each day (SPILLWAY_SEED). automaton.test.ts does so for expressions of every kind.
 */
import { describe, expect, it } from 'vitest';
import { alphabetOf } from '../../../electron/search/automaton/alphabet.ts';
import { Automaton, createKernel } from '../../../electron/search/automaton/automaton.ts';
import { buildNfa } from '../../../electron/search/automaton/nfa.ts';
import { Simulation } from '../../../electron/search/automaton/simulation.ts';
import { Transitions } from '../../../electron/search/automaton/transitions.ts';
import { parseExpression } from '../../../electron/search/expression.ts';
import { sourceOf } from '../../../electron/search/literals/scanner.ts';
import { AT, createMemory } from '../../../electron/search/memory.ts';
import fc, { rotatingSeed } from '../../fixtures/fast-check.ts';
import { compiled, flags, line, shown } from '../../fixtures/search/automata.ts';
import { cases } from '../../fixtures/sizes.ts';

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

  it('knows where a line begins whose first character has two units', () => {
    const { nfa, alphabet } = compiled('^', 'u')!;
    expect(new Simulation(nfa, alphabet).matches('😀')).toBe(true);
  });

  it(`gives the outcome of RegExp for gaps of hundreds of characters, in lines as long (seed ${seed})`, () => {
    const sizes = new Set<number>();
    let matches = 0;
    fc.assert(
      fc.property(gapped, flags, fc.array(long, { minLength: 1, maxLength: 6 }), (source, how, parts) => {
        const made = compiled(source, how);
        if (!made?.nfa.exact) return;
        const simulation = new Simulation(made.nfa, made.alphabet);
        sizes.add(Math.min(3, made.nfa.kinds.length >> 7));
        for (const part of parts) {
          const text = shown(part, false);
          const wanted = made.expression.test(text);
          expect(simulation.matches(text)).toBe(wanted);
          matches += Number(wanted);
        }
      }),
      { numRuns: cases(400), seed },
    );
    expect([...sizes].sort()).toEqual([0, 1, 2, 3]);
    expect(matches).toBeGreaterThan(cases(100));
  });

  it('recognises word characters beyond ASCII', () => {
    const lines = ['ſa', 'aſ', 'é ſa', 'a\u212aa', 'éa', '\u212aéa', 'a 日ſ', 'ſ\u212a'];
    for (const gap of ['', '.{0,140}', '.{0,300}']) {
      for (const part of ['\\b.a\\b', '\\Ba\\b', '(?:\\w\\b|a\\B).a', '\\b.\\B.$', '.\\b$']) {
        // In Unicode mode `\B` is left to `RegExp`.
        const made = compiled(`${part}${gap}$|x${gap}y`, part.includes('B') ? 'i' : 'iu')!;
        const simulation = new Simulation(made.nfa, made.alphabet);
        for (const one of lines)
          expect(simulation.matches(one), `${part} ${one}`).toBe(made.expression.test(one));
      }
    }
  });

  it('reads an expression with thousands of characters, each of which may follow each', () => {
    const source = '(?:[ab]{0,60}c){0,60}d$';
    const nfa = buildNfa(parseExpression({ source, flags: '' })!, '')!;
    const alphabet = alphabetOf(nfa, false)!;
    const expression = new RegExp(source);
    const simulation = new Simulation(nfa, alphabet);
    for (const text of [
      `${'abacc'.repeat(30)}d`,
      `${'a'.repeat(61)}cd`,
      'abc'.repeat(70),
      'd',
      '',
      `${'a'.repeat(90)}d`,
    ])
      expect(simulation.matches(text), text).toBe(expression.test(text));
  });

  it('takes over where rows would be made again and again', () => {
    const memory = createMemory();
    const { nfa, alphabet } = compiled('a.{40}b$', '')!;
    const automaton = new Automaton(createKernel(memory), new Transitions(nfa, alphabet, false));
    let random = seed & 0x7fff_ffff || 1;
    const text = Array.from({ length: 20_000 }, () => {
      random = (random * 48_271) % 2_147_483_647;
      return `${random.toString(3).replaceAll('0', 'a').replaceAll('1', 'b')}${(random % 8) === 0 ? '\n' : 'é'}`;
    });
    const all = Buffer.from(`${text.join('')}\n`);
    sourceOf(memory).set(all);
    expect(automaton.scan(AT.source, AT.source + all.length)).toBeNull();
    expect(automaton.useless).toBe(true);
  });

  it('leaves rows alone whose entries are used again', () => {
    const memory = createMemory();
    const { nfa, alphabet } = compiled('a.{200}b|\\w+\\s\\d{2,}$', '')!;
    const automaton = new Automaton(createKernel(memory), new Transitions(nfa, alphabet, false));
    const all = Buffer.from('one line of this text is like each of the others: 7\n'.repeat(30_000));
    sourceOf(memory).set(all);
    for (let round = 0; round < 5; round += 1)
      expect(automaton.scan(AT.source, AT.source + all.length)).toHaveLength(0);
    expect(automaton.useless).toBe(false);
  });
});
