/**
 * Descriptors beside the three standard ones that whoever started us opened for the command (`3>file`, `9>lock`, a make's job
 * server). Node keeps them to itself, whatever their number, up to sixteen; so they are handed on by hand.
 */
import { readlinkSync } from 'node:fs';

/** What descriptors lead to, by their number. */
type Links = ReadonlyMap<number, string>;

/** Node lets children have those above by itself. */
const HIGHEST = 17;
/** Looked at: what is given moves Node's own up, and it has both ends of its pipes. */
const HIGHEST_OURS = 63;
/** As soon as it starts, before anything of ours is opened. */
const atStart = linksNow();

/** Numbers from 3 on, rising. Empty where the system does not tell. */
export function descriptorsGiven(start: Links = atStart, now: Links = linksNow()): number[] {
  const given: number[] = [];
  // Node opens its own at the lowest number that is free, an event queue first.
  let isBeforeOurs = true;
  for (let fd = 3; fd <= HIGHEST; fd += 1) {
    const link = start.get(fd);
    if (link === undefined || link.startsWith('anon_inode:')) isBeforeOurs = false;
    else if (now.get(fd) === link && (isBeforeOurs || isNotOurs(link, start))) given.push(fd);
  }
  return given;
}

/** For a child's list of streams from 3 on: each at its number, and nothing in between. */
export function atTheirNumbers(given: readonly number[]): (number | 'ignore')[] {
  return Array.from({ length: Math.max(2, ...given) - 2 }, (_, index) =>
    given.includes(index + 3) ? index + 3 : 'ignore',
  );
}

/** Node has both ends of its pipes, and terminals and /dev/null of its own; none of a pipe that a standard stream is (`5>&1`). */
function isNotOurs(link: string, all: Links): boolean {
  if (/^\/dev\/(null|tty|pts\/)/.test(link)) return false;
  if (!link.startsWith('pipe:')) return true;
  const holders = [...all].filter(([, other]) => other === link);
  return holders.length === 1 || holders.some(([fd]) => fd <= 2);
}

function linksNow(): Links {
  const links = new Map<number, string>();
  if (process.platform !== 'linux') return links;
  for (let fd = 0; fd <= HIGHEST_OURS; fd += 1) {
    try {
      links.set(fd, readlinkSync(`/proc/self/fd/${fd}`));
    } catch {
      // It is not open.
    }
  }
  return links;
}
