/** Literals for the scanner. */

/** A literal to find in bytes: a byte matches when `(byte | fold) === literal byte`. */
export interface ByteLiteral {
  readonly bytes: Uint8Array;
  /** 0x20 where ASCII case is ignored. */
  readonly fold: Uint8Array;
  /**
   * Indices of its two bytes that are rarest in text, and whether the first is so rare that it is looked for alone;
   * index of the first of three neighbours that are rarest together.
   */
  readonly rare: {
    readonly first: number;
    readonly second: number;
    readonly alone: boolean;
    readonly window: number;
  };
}
