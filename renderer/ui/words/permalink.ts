/** The address of a line, as the window reads it from its hash. */
export interface LineAddress {
  artifactId: string;
  /** Null for the stream that is shown first. */
  stream: string | null;
  line: number;
}

/** @param page address of the window, without a fragment */
export function permalink(page: string, { artifactId, stream, line }: LineAddress): string {
  return `${page}#${new URLSearchParams({ a: artifactId, ...(stream ? { s: stream } : {}), l: String(line) })}`;
}

/** The window's own address, without a fragment. */
export function pageAddress(): string {
  return `${location.origin}${location.pathname}`;
}
