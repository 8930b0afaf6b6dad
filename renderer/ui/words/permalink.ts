/** The address of a line in the window's hash. */
interface LineAddress {
  artifactId: string;
  /** Null for the default stream. */
  stream: string | null;
  line: number;
}

/** @param page address of the window, without a fragment */
export function permalink(page: string, { artifactId, stream, line }: LineAddress): string {
  return `${page}#${new URLSearchParams({ a: artifactId, ...(stream ? { s: stream } : {}), l: String(line) })}`;
}

/** Returns the window's own address, without a fragment. */
export function pageAddress(): string {
  return `${location.origin}${location.pathname}`;
}
