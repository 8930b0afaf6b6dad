/** `spillway archive`: what is shipped to the bucket, shipping it now, and a test of the bucket. */

import { escapeLine } from '../../../shared/text/escape.ts';
import { formatBytes, formatRelative, plural } from '../../../shared/text/format.ts';
import { checkArchive, findCredentials, S3 } from '../../archive/s3.ts';
import { archiveOf, readState, type Shipped, type ShipResult, ship, spoolOf } from '../../archive/ship.ts';
import { privateHome } from '../../host/lifecycle/lifecycle.ts';
import { loadConfig } from '../../host/settings/config.ts';
import { resolveHome } from '../../host/settings/home-path.ts';
import { print, printJson, tell } from '../output/print.ts';

async function settings() {
  const home = privateHome(resolveHome(process.env));
  const config = loadConfig(home);
  for (const warning of config.warnings) await tell(`spillway: ${warning}`);
  return { home, settings: config.settings, archive: archiveOf(config.settings) };
}

async function status({ json }: { json?: boolean }): Promise<number> {
  const { home, archive } = await settings();
  const spool = await spoolOf(home, archive);
  const state = readState(home);
  const { url, space, ship: ships, maxSpoolBytes } = archive;
  if (json) {
    await printJson({ url, space, ship: ships, ...spool, max_spool_bytes: maxSpoolBytes, ...state });
    return 0;
  }
  const ago = (time: string | null) =>
    time === null ? 'never' : formatRelative(Date.parse(time), Date.now());
  await print(
    [
      `bucket    ${url}, space ${space}, ships ${SHIPS[ships]}`,
      `waiting   ${plural(spool.waiting, 'capture')}, ${formatBytes(spool.waiting_bytes)} of ${formatBytes(maxSpoolBytes)} that cleanup spares`,
      `shipped   ${plural(spool.kept, 'capture')} of those here; last ${ago(state.shipped_at)}`,
      `tried     ${ago(state.tried_at)}${state.problem === null ? '' : `: ${escapeLine(state.problem)}`}`,
    ]
      .map((line) => `${line}\n`)
      .join(''),
  );
  return 0;
}

const SHIPS = { failed: 'commands that failed', all: 'all that is captured', none: 'nothing by itself' };

/** Returns the exit status: 2 when something is left to ship. */
async function push({ json }: { json?: boolean }): Promise<number> {
  const { home, settings: found } = await settings();
  const result = await ship({ home, settings: found, onShipped: json ? () => {} : sayShipped });
  if (json) await printJson(result);
  else await print(`${pushed(result)}\n`);
  if (result.problem !== null) await tell(`spillway: ${escapeLine(result.problem)}`);
  return result.problem === null ? 0 : 2;
}

function sayShipped({ link }: Shipped): void {
  void print(`${link}\n`);
}

function pushed({ shipped, waiting, waiting_bytes }: ShipResult): string {
  const bytes = shipped.reduce((sum, one) => sum + one.bytes, 0);
  const left =
    waiting === 0 ? '' : `; ${plural(waiting, 'capture')}, ${formatBytes(waiting_bytes)}, still to ship`;
  return `Shipped ${plural(shipped.length, 'capture')}, ${formatBytes(bytes)}${left}`;
}

/** Returns the exit status: 2 when nothing can be shipped. */
async function check({ json }: { json?: boolean }): Promise<number> {
  const { archive } = await settings();
  const store = new S3(archive, findCredentials());
  const found = await checkArchive(store, archive).finally(() => store.close());
  if (json) await printJson(found);
  else {
    const rights = Object.entries(found.rights).map(([right, may]) => `${right} ${may ? 'yes' : 'no'}`);
    await print(
      `${[
        `bucket    ${found.url}`,
        `rights    ${rights.join(', ')}`,
        ...found.problems.map((problem) => `note      ${problem}`),
        '',
        'The least policy of a machine that ships:',
        JSON.stringify(found.policies.ship, null, 2),
        '',
        'The least policy of one that reads:',
        JSON.stringify(found.policies.read, null, 2),
      ].join('\n')}\n`,
    );
  }
  return found.rights.put ? 0 : 2;
}

/** By the word that asks for it. */
export const archive = { status, push, check };

/** Ships the capture of a command that has ended, and returns where it is, as a sentence. Never throws. */
export async function shipNow(id: string): Promise<string> {
  try {
    const { home, settings: found } = await settings();
    const { shipped, problem } = await ship({ home, settings: found, only: id });
    if (shipped[0]) return `shipped to ${shipped[0].link}`;
    return problem === null ? 'it is shipped already' : `not shipped: ${problem}`;
  } catch (error) {
    return `not shipped: ${(error as Error).message}`;
  }
}
