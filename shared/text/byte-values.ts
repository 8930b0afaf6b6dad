/** Bytes that readers of text look for. */
export const LF = 0x0a;
export const CR = 0x0d;
export const ESC = 0x1b;
/** A byte order mark, as a character. */
export const BOM = 0xfeff;
