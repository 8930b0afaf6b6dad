/**
 * Real pipes for a command's streams. Node gives children socket pairs, on which `echo x > /dev/stdout` fails. These
 * are FIFOs whose names are removed as soon as both ends are open.
 */
import { spawn } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readlinkSync, rmdirSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

export interface PipePair {
  /** Our end, non-blocking. */
  readEnd: number;
  /** Blocking, as a command expects. Close it here once the command has it. */
  writeEnd: number;
  /** The link target of its descriptors in /proc, which identifies its holders; null on other systems. */
  link: string | null;
}

export interface NamedPipes {
  pipes: (Omit<PipePair, 'link'> & { path: string })[];
  /** Call once both were opened by name. */
  removeNames(): void;
}

/** Makes FIFOs with `mkfifo`, in some milliseconds. Null without `mkfifo`: then use Node's own pipes. */
export async function makePipes(count: number): Promise<PipePair[] | null> {
  const named = await makeNamedPipes(count);
  named?.removeNames();
  return named?.pipes.map((pipe) => ({ ...pipe, link: linkOf(pipe.writeEnd) })) ?? null;
}

/** Null if FIFOs can't be made. */
export async function makeNamedPipes(count: number): Promise<NamedPipes | null> {
  if (process.platform === 'win32') return null;
  const pipes: NamedPipes['pipes'] = [];
  let removeNames = () => {};
  try {
    const folder = makeFolder();
    const paths = Array.from({ length: count }, (_, i) => join(folder, String(i)));
    removeNames = () => removeAll(paths, folder);
    if (!(await makeFifos(paths))) throw new Error('there is no mkfifo');
    for (const path of paths) {
      const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      const writeEnd = openSync(path, constants.O_WRONLY);
      pipes.push({ path, readEnd, writeEnd });
    }
    return { pipes, removeNames };
  } catch {
    for (const { readEnd, writeEnd } of pipes) {
      closeSync(readEnd);
      closeSync(writeEnd);
    }
    removeNames();
    return null;
  }
}

/** Works without a free file descriptor, as all may be in use. */
function removeAll(paths: readonly string[], folder: string): void {
  for (const [remove, path] of [
    ...paths.map((path) => [unlinkSync, path] as const),
    [rmdirSync, folder] as const,
  ]) {
    try {
      remove(path);
    } catch {
      // It does not exist.
    }
  }
}

/** Makes a folder in the temporary folder, or in another usual place. */
function makeFolder(): string {
  for (const place of [tmpdir(), '/tmp', '/var/tmp', '/dev/shm']) {
    try {
      return mkdtempSync(join(place, 'spillway-'));
    } catch {
      // Try the next one.
    }
  }
  throw new Error('there is no place for temporary files');
}

function makeFifos(paths: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    // The command's PATH may lack the system's folders.
    const PATH = [process.env.PATH, '/usr/bin', '/bin'].filter(Boolean).join(delimiter);
    const env = { ...process.env, PATH };
    // Don't use `mkfifo -m`, which needs /proc on some systems.
    const script = 'umask 077 && exec mkfifo "$@"';
    const child = spawn('sh', ['-c', script, 'sh', ...paths], { stdio: 'ignore', env });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}

function linkOf(fd: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return null;
  }
}
