/** Cuts facts to a reply's budget: shortens the longest list until they fit. Counts beside the lists stay true. */

/** `maxBytes`: of the facts as JSON in UTF-8. `cut`: something was left out. */
export function fitLists<T extends object, K extends keyof T>(
  facts: T,
  lists: readonly K[],
  maxBytes: number,
): { facts: T; cut: boolean } {
  const fitted = { ...facts };
  let cut = false;
  while (Buffer.byteLength(JSON.stringify(fitted)) > maxBytes) {
    const [longest] = lists.toSorted((a, b) => sizeOf(fitted[b]) - sizeOf(fitted[a]));
    const list = longest === undefined ? null : fitted[longest];
    if (!Array.isArray(list) || list.length === 0) break;
    fitted[longest!] = list.slice(0, Math.floor(list.length * 0.8)) as T[K];
    cut = true;
  }
  return { facts: fitted, cut };
}

function sizeOf(list: unknown): number {
  return JSON.stringify(list)?.length ?? 0;
}
