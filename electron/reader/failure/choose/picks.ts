/** Orders the candidates of a failure's explanation, so that the first ones differ. */
import type { Weighed } from '../weighed.ts';

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

/** Returns the candidates best first, each discounted for what it shares with those before it. */
export function pickInTurn(candidates: readonly Weighed[], total: number): Weighed[] {
  const pool = candidates
    .toSorted((a, b) => b.chance - a.chance)
    .slice(0, MOST_POOLED)
    .map((one) => ({ one, worth: worthOf(one), traits: traitsOf(one, total) }))
    .sort((a, b) => b.worth - a.worth);
  const picks: Weighed[] = [];
  const near = new Set<number>();
  /** How many picks have a trait, by its name and value. */
  const counts = new Map(TRAITS.map((trait) => [trait, new Map<string | number, number>()]));
  const countOf = (trait: Trait, traits: Traits) => counts.get(trait)!.get(traits[trait]) ?? 0;
  while (picks.length < MOST_PICKS && pool.length > 0) {
    let at = 0;
    let most = -1;
    for (const [i, { one, worth, traits }] of pool.entries()) {
      if (worth * NEAR_WORTH <= most) break;
      let value = near.has(one.line.number) ? worth * NEAR_WORTH : worth;
      for (const trait of TRAITS) {
        const { factor, free } = REPEATED[trait];
        value *= factor ** Math.max(0, countOf(trait, traits) - free);
      }
      if (value > most) {
        most = value;
        at = i;
      }
    }
    const [{ one, traits }] = pool.splice(at, 1) as [(typeof pool)[number]];
    picks.push(one);
    for (let n = -NEAR_LINES; n <= NEAR_LINES; n++) near.add(one.line.number + n);
    for (const trait of TRAITS) counts.get(trait)!.set(traits[trait], countOf(trait, traits) + 1);
  }
  return picks;
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
