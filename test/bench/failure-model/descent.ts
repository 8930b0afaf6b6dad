/** Gradient descent for models that rank lines, with a step of its own for each weight (Adam: Kingma and Ba, 2015). */

const RATE = 0.05;

export class Descent {
  readonly #speed: Float64Array;
  readonly #square: Float64Array;
  #steps = 0;

  constructor(count: number) {
    this.#speed = new Float64Array(count);
    this.#square = new Float64Array(count);
  }

  step(weights: Float64Array, gradient: Float64Array): void {
    this.#steps++;
    const speedShare = 1 - 0.9 ** this.#steps;
    const squareShare = 1 - 0.999 ** this.#steps;
    for (let i = 0; i < weights.length; i++) {
      this.#speed[i] = 0.9 * this.#speed[i]! + 0.1 * gradient[i]!;
      this.#square[i] = 0.999 * this.#square[i]! + 0.001 * gradient[i]! ** 2;
      const mean = Math.sqrt(this.#square[i]! / squareShare) + 1e-8;
      weights[i]! -= (RATE * this.#speed[i]!) / speedShare / mean;
    }
  }
}

/**
 * Returns how much too high the chance of each line is: the derivative of the cross-entropy. The `leftOut` likeliest
 * wrong lines cost nothing.
 */
export function errorsOf(
  chances: readonly number[],
  explains: readonly boolean[],
  leftOut: number,
): Float64Array {
  const most = Math.max(...chances);
  const odds = chances.map((chance) => Math.exp(chance - most));
  for (const i of likeliestOthers(odds, explains, leftOut)) odds[i] = 0;
  const right = odds.reduce((sum, one, i) => sum + (explains[i] ? one : 0), 1e-300);
  const all = odds.reduce((sum, one, i) => sum + (explains[i] ? 0 : one), right);
  return Float64Array.from(odds, (one, i) => one / all - (explains[i] ? one / right : 0));
}

function likeliestOthers(odds: readonly number[], explains: readonly boolean[], most: number): number[] {
  const others = [...odds.keys()].filter((i) => !explains[i]);
  return others.sort((a, b) => odds[b]! - odds[a]!).slice(0, most);
}
