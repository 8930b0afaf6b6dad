/** Puts expressions together from lists of words. They see at most 4 KB of a line. */

/** Any of them. */
export const any = (parts: readonly string[]) => parts.join('|');
/** Before and after a word of any script. */
export const L = String.raw`(?<![\p{L}\p{N}_])`;
export const R = String.raw`(?![\p{L}\p{N}_])`;
/** Any of them, as whole words. */
export const words = (parts: readonly string[]) => `${L}(?:${any(parts)})${R}`;
