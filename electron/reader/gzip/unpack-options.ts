/** Declares compressions, and the limits of unpacking. */

export type Compression = 'gzip' | 'zstd';

/** A compressed file that is open. */
export interface PackedFile {
  readonly fd: number;
  readonly path?: string | undefined;
  /** Resolves with fewer bytes at the end of the file. */
  read(position: number, length: number): Promise<Buffer>;
}

/** The folder for temporary files. */
export interface SpoolFolder {
  readonly path: string;
  /** Creates a file without a name, so that the system frees it when it is closed. */
  create(): Promise<SpoolFile>;
  /** Resolves with the most bytes that the temporary file may have; it has `stored` now. */
  limit(stored: number): Promise<number>;
}

export interface SpoolFile {
  readonly fd: number;
  readonly path?: string | undefined;
  /** Resolves with the bytes written: fewer on a full disk. */
  write(bytes: Buffer, position: number): Promise<number>;
  close(): void;
}

export interface UnpackOptions {
  folder(): Promise<SpoolFolder>;
  /** Most bytes of text, which take fewer in the file. Unbounded by default. */
  mostBytes?: number | undefined;
  /** Bytes of text to store plain; the rest is compressed again. By default, 2 GiB. */
  plainBytes?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called with the bytes of the compressed file read so far. */
  onProgress?: ((bytes: number) => void) | undefined;
}
