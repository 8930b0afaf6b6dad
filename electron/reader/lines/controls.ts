/**
 * Controls that line text leaves out or applies (all but tab, LF and the CR of CRLF): none; only colours, which are
 * `ESC [ … m` with up to 32 digits and separators, and `ESC [ K`; or others.
 */
export const CONTROLS = { none: 0, colours: 1, others: 2 } as const;
export type Controls = (typeof CONTROLS)[keyof typeof CONTROLS];
