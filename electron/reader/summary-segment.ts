export type SegmentRequest = object;
export const summariseStretch = (..._a: unknown[]) => ({});
