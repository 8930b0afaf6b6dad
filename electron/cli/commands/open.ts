/** `spillway open`: opens an output in the running inspector, and starts one if there is none. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { ArtifactId } from '../../../shared/artifact.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { readInstalled } from '../../connect/installed.ts';
import { typedPath } from '../../host/documents/targets/path-of-target.ts';
import { prepareHome } from '../../host/settings/home.ts';
import { resolveHome } from '../../host/settings/home-path.ts';
import { print } from '../output/print.ts';
import type { RunningInspector, Services } from '../services.ts';
import { targetOf } from '../target.ts';
import { withHost } from '../with-host.ts';

/** How long a new inspector may take to serve its interface. */
const START_TIMEOUT_MS = 30_000;
const POLL_MS = 50;
/** An inspector started here ends after this time without a page or an agent. */
const UNUSED_MS = 10 * 60_000;

export async function open(
  given: string | undefined,
  { agents }: { agents?: boolean },
  services: Services,
): Promise<number> {
  const home = resolveHome(process.env);
  prepareHome(home);
  const named = given === undefined ? [] : [await checked(given)];
  let running = await services.askRunning(home, { open: named, ...(agents ? { agents } : {}) });
  if (running === null) {
    const paths = named.filter((one) => !isId(one));
    const ask = () => askReady(home, services);
    const app = agents ? null : installedApp(home);
    if (app !== null) running = await start([app, '--', ...paths], ask).catch(() => null);
    running ??= await start(
      services.own(
        ...['serve', '--open', '--until-unused', String(UNUSED_MS)],
        ...[...(agents ? ['--agents'] : []), '--', ...paths],
      ),
      ask,
    );
    // A start takes paths alone.
    if (named.some(isId)) await services.askRunning(home, { open: named });
  } else {
    running = await whenReady(running, home, services);
  }
  await print(running.url === null ? 'Opened in the Spillway window\n' : `Spillway is at ${running.url}\n`);
  return 0;
}

const isId = (named: string) => ArtifactId.safeParse(named).success;

/** Returns an id unchanged, and a path made absolute. Throws for a missing path, before anything is started. */
async function checked(given: string): Promise<string> {
  const { artifact_id: id, file_path: path } = await withHost((host) => targetOf(given, host));
  if (id !== undefined) return id;
  return mustExist(path!);
}

/** Returns the path made absolute. Throws for a missing one, with the names of similar files. */
export async function mustExist(given: string): Promise<string> {
  const { path, exists } = await typedPath(given);
  // `inspect` rejects folders too, so don't call it for what exists.
  if (!exists) await withHost((host) => host.inspect({ file_path: given, lines: 1 }));
  return path;
}

/** The program of the installed app; null where there is none, or no screen. Paths for agents are the command's. */
function installedApp(home: string): string | null {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) return null;
  const program = readInstalled(home)?.program ?? null;
  return program !== null && existsSync(program) ? program : null;
}

/** Starts an inspector that outlives this process. Throws when it ends at once. */
async function start(
  [file, ...args]: [string, ...string[]],
  ask: () => Promise<RunningInspector | null>,
): Promise<RunningInspector> {
  const child = spawn(file, args, {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  let ended = false;
  child.stderr.on('data', (chunk: Buffer) => {
    printed += chunk.toString('utf8');
  });
  for (const end of ['close', 'error'])
    child.once(end, () => {
      ended = true;
    });
  try {
    return await waitFor(async () => {
      const running = await ask();
      if (running === null && ended) throw failedToStart(printed);
      return running;
    });
  } finally {
    child.stderr.destroy();
    child.unref();
  }
}

/** Waits until the inspector knows its own address: right after its start it does not. */
export async function whenReady(
  running: RunningInspector,
  home: string,
  services: Services,
): Promise<RunningInspector> {
  return isReady(running) ? running : waitFor(() => askReady(home, services));
}

async function askReady(home: string, services: Services): Promise<RunningInspector | null> {
  // An inspector that is starting or ending may not answer.
  const running = await services.askRunning(home, { open: [] }).catch(() => null);
  return running !== null && isReady(running) ? running : null;
}

function isReady(running: RunningInspector): boolean {
  return running.shell === 'electron' || running.url !== null;
}

async function waitFor(ask: () => Promise<RunningInspector | null>): Promise<RunningInspector> {
  for (const giveUp = performance.now() + START_TIMEOUT_MS; performance.now() < giveUp; ) {
    const running = await ask();
    if (running !== null) return running;
    await new Promise((next) => setTimeout(next, POLL_MS));
  }
  throw new SpillwayError('busy', 'the inspector takes too long to start', 'run `spillway serve` to see why');
}

/** Reports the error that the new inspector printed. */
function failedToStart(printed: string): SpillwayError {
  const [, what, todo] = /^spillway: (.*): (.*)$/m.exec(printed) ?? [];
  return new SpillwayError(
    'home',
    what ?? 'the inspector ended as it started',
    todo ?? 'run `spillway serve` to see why',
  );
}
