/** Declares the folders that sources are looked for in. */

/** Where kinds look for their directories. */
export interface UserFolders {
  readonly home: string;
  readonly temporary: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}
