/** Declares compressions, and the limits of unpacking. */

export type Compression = 'gzip' | 'zstd';

export interface UnpackOptions {
  /** Returns the folder for the temporary file. */
  directory(): string;
  /** Returns how many bytes may be unpacked in all, given that `unpacked` already are. */
  limit(unpacked: number): number;
  signal?: AbortSignal | undefined;
  /** Called with the bytes of the compressed file read so far. */
  onProgress?: ((bytes: number) => void) | undefined;
}
