/** Orders the candidates of a failure's explanation, so that the first ones differ. */
import type { Weighed } from './weigh.ts';

const MOST_PICKS = 240;
const MOST_POOLED = 600;
/** How much a line's chance counts beside how many like it came before. */
const CHANCE_WORTH = 0.5;
/** A line costs its characters, and so many besides, to this power. */
const LINE_COST = 40;
const LENGTH_COST = 0.4;
/** A line's worth is multiplied by these for each earlier pick of the same pattern, and of the same frame. */
const SAME_PATTERN = 0.35;
const SAME_FRAME = 0.55;

/** Returns the candidates, best first. Each is worth less for every line like it that was picked before. */
export function pickInTurn(candidates: readonly Weighed[]): Weighed[] {
  const pool = candidates
    .toSorted((a, b) => b.chance - a.chance)
    .slice(0, MOST_POOLED)
    .map((one) => ({ one, worth: worthOf(one), frame: frameOfText(one.line.text) }))
    .sort((a, b) => b.worth - a.worth);
  const patterns = new Map<string, number>();
  const frames = new Map<string, number>();
  const picks: Weighed[] = [];
  while (picks.length < MOST_PICKS && pool.length > 0) {
    let at = 0;
    let most = 0;
    // Best first: none of the others can be worth more.
    for (let i = 0; i < pool.length && pool[i]!.worth > most; i++) {
      const { one, worth, frame } = pool[i]!;
      const alike = Math.max(0, (frames.get(frame) ?? 0) - 1);
      const value = worth * SAME_PATTERN ** (patterns.get(one.pattern) ?? 0) * SAME_FRAME ** alike;
      if (value <= most) continue;
      most = value;
      at = i;
    }
    const [{ one, frame }] = pool.splice(at, 1) as [(typeof pool)[number]];
    picks.push(one);
    patterns.set(one.pattern, (patterns.get(one.pattern) ?? 0) + 1);
    frames.set(frame, (frames.get(frame) ?? 0) + 1);
  }
  return picks;
}

/** A long line takes the place of several short ones. */
function worthOf({ chance, line }: Weighed): number {
  return Math.exp(chance * CHANCE_WORTH) / (line.text.length + LINE_COST) ** LENGTH_COST;
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
