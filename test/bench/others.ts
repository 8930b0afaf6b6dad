/** Measures the share of the processors that programs outside the benchmark take. */
import { readdirSync, readFileSync } from 'node:fs';

interface Ticks {
  all: number;
  busy: number;
  ours: number;
}

/** Starts to watch. The returned function returns the share of all processors, 0 to 1, that others took since. */
export function watchOthers(): () => number {
  const before = ticks();
  return () => {
    const now = ticks();
    const others = now.busy - before.busy - (now.ours - before.ours);
    return Math.max(0, Math.round((others / Math.max(1, now.all - before.all)) * 100) / 100);
  };
}

/** Own processes that ended in between count as others'. */
function ticks(): Ticks {
  const [, ...fields] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!.split(/\s+/);
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, ...interrupts] = fields.slice(0, 8).map(Number);
  const busy = interrupts.reduce((sum, each) => sum + each, user + nice + system);
  return { all: busy + idle + wait, busy, ours: ownTicks() };
}

/** Ticks of this process and of all that descend from it. */
function ownTicks(): number {
  const processes = new Map<number, { parent: number; ticks: number }>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      processes.set(Number(name), {
        parent: Number(fields[1]),
        ticks: Number(fields[11]) + Number(fields[12]),
      });
    } catch {
      // It ended meanwhile.
    }
  }
  const isOurs = (id: number): boolean => {
    for (let at = id, steps = 0; at > 1 && steps < 64; at = processes.get(at)?.parent ?? 0, steps += 1)
      if (at === process.pid) return true;
    return false;
  };
  let ours = 0;
  for (const [id, { ticks }] of processes) if (isOurs(id)) ours += ticks;
  return ours;
}
