/** Takes a line apart into words. */

const WORD = /\p{Lu}?\p{Ll}+\d{0,2}|\p{Lu}+/gu;
const MOST_CHARS = 240;

/** Returns words in small letters, of the first 240 characters. Takes names apart: `maxOpenFiles` is three words. */
export function lineWords(line: string): string[] {
  return (
    line
      .slice(0, MOST_CHARS)
      .match(WORD)
      ?.map((word) => word.toLowerCase()) ?? []
  );
}
