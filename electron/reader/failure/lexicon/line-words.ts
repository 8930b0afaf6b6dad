/** Takes a line apart into words. */

const WORD = /\p{Lu}?\p{Ll}+\d{0,2}|\p{Lu}+/gu;
const MOST_CHARS = 240;

/** Returns the words of a line's first 240 characters in small letters. Names are taken apart: `maxOpenFiles` is three. */
export function lineWords(line: string): string[] {
  return (
    line
      .slice(0, MOST_CHARS)
      .match(WORD)
      ?.map((word) => word.toLowerCase()) ?? []
  );
}
