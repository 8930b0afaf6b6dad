/**
 * The state that Node loses when it starts: blocked and ignored signals, the soft limit of open files, and which
 * descriptors were open. The launcher (app/launcher.pl) reads it before Node runs, and passes it in
 * one word, `BLOCKED:IGNORED:SOFT:HARD:FD,FD,…:FD=FD,…`: the masks in hexadecimal as in /proc/PID/status, decimal
 * otherwise. The last part names the descriptors that are one with standard output or standard error.
 */
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';

interface Inherited {
  /** Bit n - 1 stands for signal n. */
  blocked: bigint;
  ignored: bigint;
  /** RLIMIT_NOFILE, decimal numbers. */
  openFiles: { soft: string; hard: string };
  /** Every descriptor that the command gets, including the standard ones that were not closed. */
  descriptors: number[];
  /**
   * Descriptors that share their open file description with stdout (1) or stderr (2), as after `2>&1` or `3>&1`. Null
   * where the system does not say.
   */
  shared: ReadonlyMap<number, 1 | 2> | null;
}

/** Beginning of the launcher's word, which is the first argument. */
export const INHERITED_WORD = '--inherited=';

let inherited: Inherited | null = null;

/** Null if no launcher started this process, as for MCP: then commands get Node's defaults. */
export function whatWeInherited(): Inherited | null {
  return inherited;
}

/** Stores the launcher's word. Returns false if it is malformed. */
export function rememberInherited(word: string): boolean {
  const [, blocked, ignored, soft, hard, list, shared] =
    /^([\da-f]{1,16}):([\da-f]{1,16}):(\d+):(\d+):([\d,]*):([\d,=]*|-)$/.exec(word) ?? [];
  if (blocked === undefined || ignored === undefined) return false;
  inherited = {
    blocked: BigInt(`0x${blocked}`),
    ignored: BigInt(`0x${ignored}`),
    openFiles: { soft: soft!, hard: hard! },
    descriptors: list === '' ? [] : list!.split(',').map(Number),
    shared: shared === '' ? null : new Map(shared === '-' ? [] : shared!.split(',').map(pair)),
  };
  return true;
}

function pair(text: string): [number, 1 | 2] {
  const [fd, of] = text.split('=').map(Number);
  return [fd!, of === 1 ? 1 : 2];
}

/**
 * Returns what we inherited, as far as it is known without the launcher. Node has raised our soft limit of open files to
 * the hard one. Our parent, most often the shell that set it, still has it: `openFiles` is the parent's, or null if its
 * hard limit is another one or hidden.
 */
function asOurParent() {
  const [ours, theirs] = [openFilesOf('self'), openFilesOf(process.ppid)];
  const openFiles = ours !== null && ours.hard === theirs?.hard ? theirs : null;
  return { blocked: 0n, ignored: 0n, openFiles, descriptors: [0, 1, 2] };
}

function openFilesOf(process: number | 'self'): { soft: string; hard: string } | null {
  try {
    const limits = readFileSync(`/proc/${process}/limits`, 'latin1');
    const [, soft, hard] = /^Max open files\s+(\d+)\s+(\d+)/m.exec(limits) ?? [];
    return soft && hard ? { soft, hard } : null;
  } catch {
    return null;
  }
}

/** prlimit64's number; other architectures keep the limit that Node raised. */
const PRLIMIT: Partial<Record<string, number>> = { x64: 302, arm64: 261, riscv64: 261, loong64: 261 };

/** The word for Perl's `restore` (perl.ts). Empty if there is nothing to restore. */
export function wordForPerl(): string {
  if (inherited === null && process.platform !== 'linux') return '';
  const { blocked, ignored, openFiles, descriptors } = inherited ?? asOurParent();
  if (openFiles === null) return '';
  const { soft, hard } = openFiles;
  const closed = [0, 1, 2].filter((fd) => !descriptors.includes(fd)).join('');
  const limit = process.platform === 'linux' ? (PRLIMIT[process.arch] ?? 0) : 0;
  return [blocked.toString(16), ignored.toString(16), soft, hard, limit, closed].join(':');
}

/** Names of the inherited ignored signals that Node can handle. */
export function inheritedIgnored(): NodeJS.Signals[] {
  if (inherited === null) return [];
  const bits = inherited.ignored | inherited.blocked;
  return Object.entries(constants.signals)
    .filter(([name, number]) => !UNCATCHABLE.has(name) && (bits >> BigInt(number - 1)) & 1n)
    .map(([name]) => name as NodeJS.Signals);
}

const UNCATCHABLE = new Set(['SIGKILL', 'SIGSTOP', 'SIGPROF', 'SIGSEGV', 'SIGBUS', 'SIGFPE', 'SIGILL']);

/** Begins the longer names. The launcher has the same text. */
const KEPT = 'SPILLWAY_FOR_COMMAND_';

/** Our own environment as the launcher got it. */
export function environmentForCommand(): NodeJS.ProcessEnv {
  const names = Object.keys(process.env);
  if (!names.some((name) => name.startsWith(KEPT))) return process.env;
  return Object.fromEntries(names.map((name) => [nameForCommand(name), process.env[name]]));
}

/** `text` begins with a variable's name. */
export function nameForCommand(text: string): string {
  return text.startsWith(KEPT) ? text.slice(KEPT.length) : text;
}
