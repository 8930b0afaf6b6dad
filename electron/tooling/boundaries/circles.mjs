/** Finds files that import each other in a circle: then neither can be read, tested or moved without the other. */

/**
 * @typedef {{ target: string, line: number }} Import the file it leads to
 * @typedef {ReadonlyMap<string, readonly Import[]>} Graph the imports of each file
 */

/** @param {Graph} graph @returns {{ file: string, line: number, message: string }[]} one for each circle */
export function checkCircles(graph) {
  /** @type {Set<string>} */
  const told = new Set();
  return [...graph.keys()].sort().flatMap((file) => {
    const circle = told.has(file) ? null : shortestCircle(graph, file);
    if (circle === null) return [];
    for (const one of circle) told.add(one);
    const line = graph.get(file)?.find(({ target }) => target === circle[1])?.line ?? 1;
    return [
      { file, line, message: `is in a circle: ${circle.join(' → ')}; move what both need to a third file` },
    ];
  });
}

/** @param {Graph} graph @param {string} start @returns {string[] | null} begins and ends with `start` */
function shortestCircle(graph, start) {
  /** @type {Map<string, string>} the file that led to each */
  const cameFrom = new Map();
  const waiting = [start];
  for (const file of waiting) {
    for (const { target } of graph.get(file) ?? []) {
      if (target === start) return [...wayTo(file, start, cameFrom), start];
      if (cameFrom.has(target)) continue;
      cameFrom.set(target, file);
      waiting.push(target);
    }
  }
  return null;
}

/** @param {string} file @param {string} start @param {Map<string, string>} cameFrom @returns {string[]} */
function wayTo(file, start, cameFrom) {
  const way = [file];
  while (way[0] !== start) way.unshift(/** @type {string} */ (cameFrom.get(/** @type {string} */ (way[0]))));
  return way;
}
