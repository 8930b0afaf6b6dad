/**
 * Descriptors above 2 that were opened for the command (`3>file`, `9>lock`, make's job server). Node closes those up to
 * 16 for its children, and those above as far as none is missing, so we hand them on.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { INHERITED_WORD, whatWeInherited } from './inherited.ts';

/** The target of each descriptor, by its number. */
type Links = ReadonlyMap<number, string>;

/** Read at start, before we open anything; not read if the launcher passed the descriptors. */
const atStart = process.argv[2]?.startsWith(INHERITED_WORD) ? new Map<number, string>() : linksNow();

/** Returns the descriptors above 2 that a command gets: from the launcher, else by a guess. */
export function descriptorsForCommand(): number[] {
  return whatWeInherited()?.descriptors.filter((fd) => fd > 2) ?? descriptorsGiven();
}

/** Returns the descriptors that are one with stdout or stderr, as `3=1,4=2`. The command gets them as one, too. */
export function sharedForCommand(): string {
  const shared = [...(whatWeInherited()?.shared ?? [])].filter(([fd]) => fd > 2);
  return shared.map(([fd, of]) => `${fd}=${of}`).join();
}

/** Numbers from 3 on, rising. Empty if the system does not say. */
export function descriptorsGiven(start: Links = atStart, now: Links = linksNow()): number[] {
  const given: number[] = [];
  // Node opens its own descriptors at the lowest free numbers, an event queue first.
  let isBeforeOurs = true;
  const highest = Math.max(...start.keys());
  for (let fd = 3; fd <= highest; fd += 1) {
    const link = start.get(fd);
    if (link === undefined || link === EVENT_QUEUE) isBeforeOurs = false;
    else if (now.get(fd) === link && (isBeforeOurs || isNotOurs(link, start))) given.push(fd);
  }
  return given;
}

/** Returns a child's list of streams from 3 on: each descriptor at its number, nothing in between. */
export function atTheirNumbers(given: readonly number[]): (number | 'ignore')[] {
  return Array.from({ length: Math.max(2, ...given) - 2 }, (_, index) =>
    given.includes(index + 3) ? index + 3 : 'ignore',
  );
}

const EVENT_QUEUE = 'anon_inode:[eventpoll]';

/**
 * Node opens event queues and counters, both ends of its pipes, terminals, and /dev/null for reading; a standard
 * stream's pipe (`5>&1`) is not Node's.
 */
function isNotOurs(link: string, all: Links): boolean {
  if (/^\/dev\/(null$|tty|pts\/)|^anon_inode:\[event(poll|fd)\]|^anon_inode:\[io_uring\]/.test(link))
    return false;
  if (!link.startsWith('pipe:')) return true;
  const holders = [...all].filter(([, other]) => other === link);
  return holders.length === 1 || holders.some(([fd]) => fd <= 2);
}

function linksNow(): Links {
  const links = new Map<number, string>();
  if (process.platform !== 'linux') return links;
  for (const fd of openDescriptors()) {
    try {
      const link = readlinkSync(`/proc/self/fd/${fd}`);
      links.set(fd, link === '/dev/null' && isWritable(fd) ? `${link} for writing` : link);
    } catch {
      // The descriptor of the listing itself.
    }
  }
  return links;
}

function openDescriptors(): number[] {
  try {
    return readdirSync('/proc/self/fd')
      .map(Number)
      .sort((one, other) => one - other);
  } catch {
    return [];
  }
}

/** The lowest two bits of the flags, which are octal, say how it was opened. */
function isWritable(fd: number): boolean {
  const [, flags = '0'] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1')) ?? [];
  return (Number(flags.at(-1)) & 3) !== 0;
}
