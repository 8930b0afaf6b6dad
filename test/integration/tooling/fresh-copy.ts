/** Copies the project as a new user gets it: tracked and new files, without packages or builds. */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../../fixtures/folder.ts';

export const project = fileURLToPath(new URL('../../..', import.meta.url));

/** Returns its folder. `linked`: links this checkout's packages there, so that nothing must be installed. */
export function freshCopy({ linked }: { linked: boolean }): string {
  const folder = makeFolder();
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: project });
  for (const path of listed.toString().split('\0').filter(Boolean)) {
    // Tracked, and just removed.
    if (!existsSync(join(project, path))) continue;
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    cpSync(join(project, path), join(folder, path), { force: true });
  }
  if (linked) linkPackages(join(folder, 'node_modules'));
  return folder;
}

/** A link for each package, in a real folder: whatever is removed from it, this checkout keeps its own. */
function linkPackages(folder: string): void {
  mkdirSync(folder);
  const installed = join(project, 'node_modules');
  for (const name of readdirSync(installed)) {
    if (name === '.package-lock.json') cpSync(join(installed, name), join(folder, name));
    else if (!name.startsWith('.') || name === '.bin') symlinkSync(join(installed, name), join(folder, name));
  }
}

/** The environment of a person's shell: without what the test runner and npm have added to this one. */
export function plainEnvironment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const ours =
    /^(npm_|INIT_CWD$|NODE_ENV$|NODE_OPTIONS$|VITEST|TEST$|VITE_|DISPLAY$|WAYLAND_DISPLAY$|ELECTRON_|SPILLWAY_)/;
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name));
  return { ...Object.fromEntries(kept), npm_config_prefer_offline: 'true', ...more };
}

export interface Run {
  readonly pid: number;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves with the first match in what it printed; rejects when it ends without. */
  says(pattern: RegExp): Promise<string>;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  kill(signal: NodeJS.Signals): void;
  /** The process and all it started. */
  killAll(signal: NodeJS.Signals): void;
}

/** Starts a command as the leader of a process group. */
export function run(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): Run {
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  const watchers = new Set<() => void>();
  const tell = () => {
    for (const watcher of watchers) watcher();
  };
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
    tell();
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
    tell();
  });
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  return {
    pid: child.pid ?? 0,
    stdout: () => stdout,
    stderr: () => stderr,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = (stdout + stderr).match(pattern);
          if (found) resolve(found[1] ?? found[0]);
        };
        watchers.add(look);
        look();
        void ended.then(({ code }) =>
          reject(new Error(`ended with ${code}, without ${pattern}: ${stdout}${stderr}`)),
        );
      }),
    ended,
    kill: (signal) => void child.kill(signal),
    killAll: (signal) => {
      try {
        process.kill(-(child.pid ?? 0), signal);
      } catch {
        // All of it has ended.
      }
    },
  };
}
