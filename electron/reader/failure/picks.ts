/** Orders the candidates of a failure's explanation, so that the first ones differ. */
import type { Weighed } from './weigh.ts';

const MOST_PICKS = 240;
const MOST_POOLED = 600;
const REGIONS = 24;
/** How much a line's chance counts beside how many like it came before. */
const CHANCE_WORTH = 0.5;
/** A line costs its characters, and so many besides, to this power. */
const LINE_COST = 40;
const LENGTH_COST = 0.4;
/** A line loses worth by `factor` for each line chosen before that has the same trait, after the first `free` ones. */
const REPEATED = {
  kind: { factor: 0.95, free: 0 },
  pattern: { factor: 0.35, free: 0 },
  // Two of a frame may be a pair.
  frame: { factor: 0.55, free: 1 },
  region: { factor: 0.78, free: 0 },
};
/** So near to another pick, a line is worth more: a part of its own would cost a label and an entry in the head. */
const NEAR_LINES = 3;
const NEAR_WORTH = 1.3;
type Trait = keyof typeof REPEATED;
const TRAITS = Object.keys(REPEATED) as Trait[];
/** In the order of TRAITS: what a line's worth is multiplied by, by how many picks have the trait. */
const DISCOUNTS = TRAITS.map((trait) => {
  const { factor, free } = REPEATED[trait];
  return Float64Array.from({ length: MOST_PICKS + 1 }, (_, count) => factor ** Math.max(0, count - free));
});

/** Returns the candidates, best first. Each is discounted for what it shares with the ones picked before it. */
export function pickInTurn(candidates: readonly Weighed[], total: number): Weighed[] {
  const pool = pooled(candidates, total);
  const near = new Set<number>();
  /** By trait: how many picks have it, by its number. */
  const counts = TRAITS.map(() => new Int32Array(pool.length));
  const discounted = ({ worth, number, traits }: Pooled) => {
    let value = near.has(number) ? worth * NEAR_WORTH : worth;
    for (let t = 0; t < traits.length; t++) value *= DISCOUNTS[t]![counts[t]![traits[t]!]!]!;
    return value;
  };
  const picks: Weighed[] = [];
  while (picks.length < MOST_PICKS && pool.length > 0) {
    let at = 0;
    let most = 0;
    // Best first: none of the others can be worth more.
    for (let i = 0; i < pool.length && pool[i]!.worth * NEAR_WORTH > most; i++) {
      const value = discounted(pool[i]!);
      if (value <= most) continue;
      most = value;
      at = i;
    }
    const [{ one, number, traits }] = pool.splice(at, 1) as [Pooled];
    picks.push(one);
    for (let n = -NEAR_LINES; n <= NEAR_LINES; n++) near.add(number + n);
    for (let t = 0; t < traits.length; t++) counts[t]![traits[t]!]!++;
  }
  return picks;
}

interface Pooled {
  one: Weighed;
  number: number;
  worth: number;
  /** In the order of TRAITS, numbered so that equal ones have the same number. */
  traits: number[];
}

function pooled(candidates: readonly Weighed[], total: number): Pooled[] {
  const numbers = TRAITS.map(() => new Map<string | number, number>());
  return candidates
    .toSorted((a, b) => b.chance - a.chance)
    .slice(0, MOST_POOLED)
    .map((one) => {
      const named = traitsOf(one, total);
      const traits = TRAITS.map((trait, t) => {
        const known = numbers[t]!;
        const number = known.get(named[trait]) ?? known.size;
        known.set(named[trait], number);
        return number;
      });
      return { one, number: one.line.number, worth: worthOf(one), traits };
    })
    .sort((a, b) => b.worth - a.worth);
}

/** A long line takes the place of several short ones. */
function worthOf({ chance, line }: Weighed): number {
  return Math.exp(chance * CHANCE_WORTH) / (line.text.length + LINE_COST) ** LENGTH_COST;
}

type Traits = Record<Trait, string | number>;

function traitsOf(one: Weighed, total: number): Traits {
  return {
    kind: facet(one),
    pattern: one.pattern,
    frame: frameOfText(one.line.text),
    region: Math.floor((one.line.number / Math.max(total, 1)) * REGIONS),
  };
}

const WORD = /[\p{L}\p{N}_]+(?:[./\-@~+:][\p{L}\p{N}_]+)*/gu;
const MOST_FRAME_CHARS = 240;
/** Too few words to tell lines of one kind from unlike ones, such as settings. */
const LEAST_FRAME_WORDS = 4;

/** Returns what remains of a line without its words. A test suite or a trace prints many lines with one frame. */
function frameOfText(text: string): string {
  let words = 0;
  const frame = text.slice(0, MOST_FRAME_CHARS).replace(WORD, () => {
    words++;
    return 'w';
  });
  return words < LEAST_FRAME_WORDS ? text : frame.replace(/\s+/g, ' ');
}

function facet({ evidence, oddness, link, novelty }: Weighed): string {
  if (evidence.isConsequence) return 'consequence';
  if (evidence.weight > 0) return evidence.kind;
  return oddness > 0 ? 'odd' : link > novelty ? 'link' : 'novel';
}
