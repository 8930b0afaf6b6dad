/** Looks at files for a process that needs no threads for it: shares are asked by a process of theirs. */
import { Disk } from '../workers/disk.ts';
import { createPool } from '../workers/pool.ts';

let disk: Disk | null = null;

export function diskHere(): Disk {
  disk ??= new Disk(createPool(0));
  return disk;
}
