/** Reads what the process was started with, and opens the paths and links among it. */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { userInfo } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import * as z from 'zod';
import type { MessageChannelEnd } from '../../shared/api/wire.ts';
import { ArtifactId, StreamName } from '../../shared/artifact.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import type { Settings } from '../../shared/settings.ts';
import type { Host } from '../host/host.ts';
import { namedBy } from './named.mjs';

/** Paths and links to open. */
export interface Opening {
  /** Absolute. */
  paths: string[];
  links: ArtifactLink[];
}

/** A place in an artifact. */
interface ArtifactLink {
  artifact_id: string;
  stream: StreamName | null;
  line: number | null;
  /** The last of several lines. */
  last_line?: number | undefined;
}

/**
 * Returns what a command line names: packaged `spillway PATH…`, else `electron APP PATH…`. Switches of Chromium may be
 * anywhere before `--`, also before APP.
 */
export function openingOf(argv: readonly string[], packaged: boolean, cwd: string): Opening {
  const [, ...given] = argv;
  const end = given.includes('--') ? given.indexOf('--') : given.length;
  const named = given.slice(0, end).filter((arg) => !arg.startsWith('-'));
  const all = [...named, ...given.slice(end + 1)].slice(packaged ? 0 : 1);
  const { paths, links } = namedBy(all, cwd);
  return { paths, links: links.flatMap((link) => linkOf(link) ?? []) };
}

/**
 * Reads `spillway://artifact/ID[/STREAM][?line=N]`, and the address that the window copies for lines,
 * `spillway://app/#a=ID&s=STREAM&l=N[-M]`. Null for any other text: a web page may have given it.
 */
export function linkOf(text: string): ArtifactLink | null {
  if (!URL.canParse(text)) return null;
  const { protocol, host, pathname, hash, searchParams } = new URL(text);
  if (protocol !== 'spillway:') return null;
  const fromPage = new URLSearchParams(hash.slice(1));
  const [id, stream, line] =
    host === 'app'
      ? [fromPage.get('a'), fromPage.get('s'), fromPage.get('l')]
      : [...[...pathname.split('/').slice(1), '', ''].slice(0, 2), searchParams.get('line')];
  if (host !== 'app' && host !== 'artifact') return null;
  const known = ArtifactId.safeParse(id);
  if (!known.success) return null;
  const [first, last] = (/^([1-9]\d{0,14})(?:-([1-9]\d{0,14}))?$/.exec(line ?? '') ?? [])
    .slice(1)
    .map(Number);
  return {
    artifact_id: known.data,
    stream: StreamName.safeParse(stream).data ?? null,
    line: first ?? null,
    ...(last && last > first! ? { last_line: last } : {}),
  };
}

const HandedOver = z.object({
  paths: z.array(z.unknown()),
  links: z
    .array(
      z.object({
        artifact_id: ArtifactId,
        stream: StreamName.nullable(),
        line: z.int().min(1).nullable(),
        last_line: z.int().min(1).optional(),
      }),
    )
    .default([]),
});

/** Returns what a second instance hands to the first; drops everything but absolute paths and links. */
export function handedOver(data: unknown): Opening {
  const given = HandedOver.safeParse(data).data ?? { paths: [], links: [] };
  const isPath = (path: unknown): path is string => typeof path === 'string' && path === resolve(path);
  return { paths: given.paths.filter(isPath), links: given.links };
}

/**
 * Returns Chromium's profile folder, one for each SPILLWAY_HOME. It also decides which processes are one instance. On
 * macOS, `userData` is Spillway's own home, where only captures and settings belong.
 */
export function profileFolder(
  userData: string,
  home: string | undefined,
  platform: NodeJS.Platform = process.platform,
): string {
  const base = platform === 'darwin' ? `${userData}-window` : userData;
  if (!home) return base;
  const name = createHash('sha256').update(resolve(home)).digest('hex').slice(0, 12);
  return join(base, 'homes', name);
}

/** Opens a person's paths and shows the first artifact, or what a link names. Reports paths that fail in the window. */
export async function openAll(
  host: Pick<WindowInspector['host'], 'openPath' | 'notify'>,
  { paths, links }: Opening,
): Promise<void> {
  const [link] = links;
  if (link) host.notify({ type: 'show', ...link });
  let shown = link !== undefined;
  for (const path of paths) {
    try {
      const [first] = await host.openPath({ path });
      if (!first || shown) continue;
      host.notify({ type: 'show', artifact_id: first.artifact_id });
      shown = true;
    } catch (error) {
      host.notify({ type: 'message', text: toSpillwayError(error).message });
    }
  }
}

/** The part of the inspector that the window needs. The entry point builds it. */
export interface WindowInspector {
  readonly host: Pick<Host, 'openPath' | 'notify' | 'watchLibrary'>;
  /** Serves one window until its channel closes. */
  serve(end: MessageChannelEnd): void;
  /** Calls with the settings of config.json, now and whenever they change. */
  watchSettings(listener: (settings: Settings) => void): void;
  /** Commands that agents run through it, which end with it. */
  commands(): string[];
  close(): Promise<void>;
}

/**
 * Asks the inspector that already serves this home to open the paths. Resolves with the address of its page for a
 * browser; with null if it has a desktop window.
 */
export type HandOver = (paths: string[]) => Promise<string | null>;

/** Rejects with a SpillwayError when it can't run, for instance because the home belongs to another user. */
export type StartInspector = (options: {
  /** Absolute; all are opened and the first is shown. */
  paths: string[];
  shell: 'electron';
}) => Promise<WindowInspector>;

/** The PATH of the person's login shell: an app that is started from an icon has the system's short one. */
const WAIT_MS = 5000;
/** Stands before and after the path, as a shell's start may print anything. */
const MARK = '__spillway_path__';

/** Started from a terminal, the app has that terminal's PATH. Windows gives every program the whole one. */
export function lacksLoginPath(env: NodeJS.ProcessEnv, platform: string = process.platform): boolean {
  return platform !== 'win32' && !env.TERM && !env.SPILLWAY_ASKS_SHELL;
}

/** Resolves with the PATH of a login shell, and what the app has besides; with the app's own where none answers. */
export function loginPath(env: NodeJS.ProcessEnv, shell = env.SHELL || userInfo().shell): Promise<string> {
  const own = env.PATH ?? '';
  if (!shell) return Promise.resolve(own);
  // Not "$PATH", which fish writes with spaces.
  const script = `echo ${MARK}; /usr/bin/env printenv PATH; echo ${MARK}`;
  const options = {
    env: { ...env, SPILLWAY_ASKS_SHELL: '1' },
    timeout: WAIT_MS,
    killSignal: 'SIGKILL' as const,
  };
  return new Promise((resolve) => {
    const child = execFile(shell, ['-i', '-l', '-c', script], options, (_error, stdout) => {
      const [, path = ''] = stdout.split(MARK);
      resolve(
        [...new Set([...path.trim().split(delimiter), ...own.split(delimiter)])]
          .filter(Boolean)
          .join(delimiter),
      );
    });
    // A start-up file that asks something reads the end.
    child.stdin?.end();
  });
}
