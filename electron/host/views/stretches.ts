/** Reads a whole text in stretches, on every thread, and takes what comes of them in their order. */
import type { StreamHandle } from '../../reader/bytes/handles.ts';
import { type Stretch, StretchPlan } from '../../reader/lines/stretches.ts';
import type { TextHandle } from '../../workers/tasks.ts';
import type { Generation } from '../documents/generation.ts';
import { runInOrder } from '../in-order.ts';
import type { CountingContext } from './context.ts';

/**
 * Indexes the generation while it reads. `turn` is told the text, and its size unless it still grows. Returns the
 * stream that was read. Rejects with `cancelled` and `changed`.
 */
export async function readStretches<Part>(
  generation: Generation,
  { pool, count }: Pick<CountingContext, 'pool' | 'signal' | 'count'>,
  work: (text: TextHandle, stretch: Stretch) => Promise<Part>,
  take: (part: Part) => void,
  turn: (text: TextHandle, size: number | null) => void = () => {},
): Promise<StreamHandle> {
  const { index } = generation;
  const plan = new StretchPlan();
  let text = generation.text();
  let size = generation.isGrowing ? null : generation.size;
  for (let isWhole = false; !isWhole; ) {
    if (size === null) {
      text = generation.text();
      size = generation.isGrowing ? null : generation.size;
    }
    turn(text, size);
    isWhole = size !== null && index.indexedBytes >= size;
    const stretches = isWhole ? plan.rest(index, text.stream.size) : plan.upTo(index, index.indexedBytes);
    const counting = isWhole ? null : count({ bytes: index.indexedBytes + 1 });
    counting?.catch(() => {});
    await runInOrder(stretches, pool.bulkWidth, (stretch) => work(text, stretch), take);
    await counting;
  }
  return text.stream;
}
