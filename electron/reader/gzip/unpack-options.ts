/** Declares compressions, and the limits of unpacking. */

export type Compression = 'gzip' | 'zstd';

export interface UnpackOptions {
  /** Returns the folder for the temporary file. */
  directory(): string;
  /** Returns the most bytes that the temporary file may have; it has `stored` now. */
  limit(stored: number): number;
  /** Most bytes of text, which take fewer in the file. Unbounded by default. */
  mostBytes?: number | undefined;
  /** Bytes of text to store plain; the rest is compressed again. By default, 2 GiB. */
  plainBytes?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called with the bytes of the compressed file read so far. */
  onProgress?: ((bytes: number) => void) | undefined;
}
