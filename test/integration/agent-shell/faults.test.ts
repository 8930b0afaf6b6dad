/**
 * Damages the home at random, before a command and while it runs: the command runs once, with its own bytes and status.
 * The file that starts the recorder stays whole: an agent reports a missing shell itself.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type AgentShell, makeAgentShell, type Ran, ran } from '../../fixtures/agents/shell.ts';
import { cases, SEED } from '../../fixtures/sizes.ts';

type Random = () => number;
type One = <T>(list: readonly T[]) => T;

/** Damages a file or folder. */
const FAULTS: Record<string, (path: string, random: Random) => void> = {
  cut: (path, random) => truncateSync(path, Math.floor(readFileSync(path).length * random())),
  'cut after a line': (path, random) => {
    const lines = readFileSync(path, 'latin1').split('\n');
    writeFileSync(path, lines.slice(0, Math.floor(lines.length * random())).join('\n'), 'latin1');
  },
  emptied: (path) => truncateSync(path),
  gone: (path) => rmSync(path, { recursive: true }),
  moved: (path) => renameSync(path, `${path}-gone`),
  'a folder': (path) => {
    rmSync(path, { recursive: true });
    mkdirSync(path);
  },
  'a file': (path) => {
    rmSync(path, { recursive: true });
    writeFileSync(path, 'x\n');
  },
  'a loop': (path) => {
    rmSync(path, { recursive: true });
    symlinkSync(path, path);
  },
  closed: (path) => chmodSync(path, 0),
  unwritable: (path) => chmodSync(path, 0o500),
  garbage: (path, random) =>
    writeFileSync(path, Buffer.from(Array.from({ length: 200 }, () => random() * 256))),
};
const OF_FOLDERS = ['gone', 'moved', 'a file', 'a loop', 'closed', 'unwritable'];
/** Bash itself complains about a BASH_ENV that it cannot read. */
const OF_HOMES_FOR_BASH = ['gone', 'moved', 'unwritable'];

const LIMITS = [
  '',
  '',
  '',
  'ulimit -n 3; ',
  'ulimit -n 4; ',
  'ulimit -n 6; ',
  'ulimit -n 9; ',
  'ulimit -f 0; ',
];
const COMMANDS = [
  'echo out; echo err >&2; exit 7',
  'seq 1 4000; exit 3',
  'echo out; kill -TERM $$',
  "printf 'no end'",
  'sleep 0.05; echo late',
];
/** Damage that the command itself does, to the home in `$DAMAGED`. */
const MEANWHILE = ['', '', 'rm -rf', 'mv -t "$MARKS"', 'chmod 0'];
const NOBODY = '65534';

test.each(Array.from({ length: cases(200) }, (_, trial) => trial))('trial %i', async (trial) => {
  const random = numbers(SEED * 1000 + trial);
  const one: One = (list) => list[Math.floor(random() * list.length)]!;
  const meanwhile = one(MEANWHILE);
  const damage = meanwhile === '' ? '' : `${meanwhile} "$DAMAGED" 2> /dev/null; `;
  const command = `mkdir "$MARKS/$$"; ${damage}${one(COMMANDS)}`;
  const [mode, limit] = [one(['record', 'preview', 'redact'] as const), one(LIMITS)];
  const isBash = random() < 0.5;
  const faults: string[] = [];
  const place = makeAgentShell(mode);
  try {
    const shell = join(place.root, 'shell');
    writeFileSync(shell, readFileSync(place.shell), { mode: 0o755 });
    const recorded = isBash
      ? ['/bin/bash', '-c', `eval ${quoted(command)} < /dev/null && pwd -P >| cwd`]
      : [shell, '-c', command];
    const env = isBash ? { BASH_ENV: place.entry('claude-code'), SHLVL: '2' } : {};
    // Make a capture first, so that its folder and the recorder's cache can be damaged too.
    await runIn(place, [shell, '-c', 'echo first'], '', {});
    for (let count = Math.floor(random() * 3); count >= 0; count -= 1)
      faults.push(damaged(place.home, isBash, random, one));
    const got = await runIn(place, recorded, limit, env);
    // With redact: lines that were not looked through in time, or could not be.
    got.stderr = got.stderr.replace(/^spillway: \d+ lines? w.*\n/m, '');
    const bare = await runIn(place, isBash ? recorded : ['/bin/bash', '-c', command], limit, {});
    expect(got, JSON.stringify({ command, mode, isBash, limit, faults })).toEqual(bare);
  } finally {
    spawnSync('chmod', ['-R', 'u+rwX', place.root]);
    place.remove();
  }
});

/** Runs the words as a user without root's rights. The result also has how often the command ran. */
async function runIn(
  { root, home, files }: AgentShell,
  words: readonly string[],
  limit: string,
  env: NodeJS.ProcessEnv,
): Promise<Ran & { times: number }> {
  const marks = join(root, 'marks');
  rmSync(marks, { recursive: true, force: true });
  mkdirSync(marks);
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, root]);
  const user = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : ['env'];
  const started = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const [first, ...rest] = [
    ...user,
    '/bin/bash',
    '-c',
    `${limit}exec env "$@"`,
    'bash',
    ...started,
    ...words,
  ];
  const result = await ran(first!, rest, { cwd: files, env: { MARKS: marks, DAMAGED: home } });
  spawnSync('chmod', ['u+rwx', home]);
  return { ...result, times: readdirSync(marks).filter((name) => /^\d+$/.test(name)).length };
}

/** Does some damage and returns what it did. */
function damaged(home: string, isBash: boolean, random: Random, one: One): string {
  const entries = readable(home);
  const { path, isFolder } = one(entries);
  const isHome = path === home;
  const name = one(isHome && isBash ? OF_HOMES_FOR_BASH : isFolder ? OF_FOLDERS : Object.keys(FAULTS));
  const isEntry = path.startsWith(join(home, 'bin', 'agents')) || path === join(home, 'bin');
  if (isBash && isEntry) return 'none';
  try {
    FAULTS[name]!(path, random);
  } catch {
    // An earlier fault was in its way.
  }
  return `${name} ${path.slice(home.length)}`;
}

function readable(home: string): { path: string; isFolder: boolean }[] {
  try {
    const inside = readdirSync(home, { recursive: true, withFileTypes: true, encoding: 'utf8' });
    const entries = inside.map((entry) => ({
      path: join(entry.parentPath, entry.name),
      isFolder: entry.isDirectory(),
    }));
    // Settings: there are none yet.
    return [{ path: home, isFolder: true }, { path: join(home, 'config.json'), isFolder: false }, ...entries];
  } catch {
    return [{ path: home, isFolder: true }];
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}

/** Numbers from 0 to 1 that the seed decides (mulberry32). */
function numbers(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
