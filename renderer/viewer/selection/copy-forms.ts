/** The forms of copied lines: plain, or with line numbers. */

export interface CopyForm {
  /** Returns the copied text of a line. `width`: digits of the last number. */
  line?(text: string, number: number, width: number): string;
  /** Adds text around the copied lines. */
  whole?(text: string): string;
}

export const AS_TEXT: CopyForm = {};

export const WITH_NUMBERS: CopyForm = {
  line: (text, number, width) => `${String(number).padStart(width)}  ${text}`,
};
