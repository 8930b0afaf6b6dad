/** Declares compressions, and the limits of unpacking. */

export type Compression = 'gzip' | 'zstd';

export interface UnpackOptions {
  /** Returns the folder for the temporary file. */
  directory(): string;
  /** Returns how many bytes the temporary file may have, given that it has `stored` already. */
  limit(stored: number): number;
  /** Most bytes of text, which are fewer in the file. Unbounded by default. */
  mostBytes?: number | undefined;
  /** So much text is stored as it is; what follows is packed again. By default, 2 GiB. */
  plainBytes?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called with the bytes of the compressed file read so far. */
  onProgress?: ((bytes: number) => void) | undefined;
}
