/** Compares with runs of the archive: "passed on 40 machines, failed on this one". */
import { linkSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type CompareParams, type Comparison, NO_PASS } from '../../../shared/comparison.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { plural } from '../../../shared/text/format.ts';
import { Copies, isHere } from '../../archive/copies.ts';
import { beganAt, namedInKey } from '../../archive/keys.ts';
import { type Archived, listArchive } from '../../archive/list.ts';
import type { S3 } from '../../archive/s3.ts';
import { readFolders } from '../../store/format/folder.ts';
import { sessionFolder } from '../../store/format/names.ts';
import type { CaptureRecord } from '../../store/format/record.ts';
import type { RequestOptions } from '../host.ts';
import { MOST_BASELINES } from '../library/baselines.ts';
import { bytesOf, DAY_MS, find, MOST_BYTES, USUAL_DAYS, withStore, withView } from './reader.ts';

/** Records that are read to find runs of the same command: a label does not tell all of it. */
const MOST_RECORDS = 50;
/** Machines that a note names. */
const MOST_NAMED = 5;

/** Each run may be here or in the archive. `baselines`: by default the last passes in the archive, one of each machine first. */
export async function compareArchived(
  home: string,
  params: CompareParams,
  options: RequestOptions = {},
): Promise<Comparison> {
  return withStore(home, options.signal, async (store, space) => {
    const copies = new Copies(store, home);
    const here: string[] = [];
    const records: CaptureRecord[] = [];
    let room = MOST_BYTES;
    let failedOn = 'this one';
    const fetch = async (one: Archived) => {
      if (one.place.id === params.artifact_id) failedOn = one.place.host;
      room -= bytesOf(one);
      if (room < 0)
        throw new SpillwayError(
          'unsupported',
          'the outputs are too long to compare here',
          'name fewer baselines',
        );
      records.push(await copies.fetch(one, { all: true }));
    };
    const add = async (id: string | undefined) => {
      if (id !== undefined && isHere(home, id)) here.push(id);
      else if (id !== undefined) await fetch(await find(store, space, id));
    };
    await add(params.artifact_id);
    for (const { artifact_id } of params.baselines ?? []) await add(artifact_id);
    const asked = { ...params };
    let note: string | null = null;
    if (!params.baselines) {
      const failed = records[0] ?? (await captureHere(home, params.artifact_id!)).record;
      const passes = await passesOf(store, copies, home, space, failed);
      for (const one of passes.chosen) await fetch(one);
      asked.baselines = passes.chosen.map(({ place }) => ({ artifact_id: place.id }));
      note = `passed on ${machines(passes.hosts)}, failed on ${failedOn}`;
    }
    const view = copies.view(records);
    try {
      for (const id of here) await linkHere(home, view, id);
      const found = await withView(view, (host) => host.compare(asked, options));
      if (note === null) return found;
      const baselines = found.baselines.map((one) => ({ ...one, chosen: 'command' as const }));
      return { ...found, baselines, note: found.note === undefined ? note : `${note}; ${found.note}` };
    } finally {
      copies.leave(view);
    }
  });
}

function machines(hosts: readonly string[]): string {
  const named = `${hosts.slice(0, MOST_NAMED).join(', ')}${hosts.length > MOST_NAMED ? ', …' : ''}`;
  return `${plural(hosts.length, 'machine')} of the archive (${named})`;
}

/** The last runs of the command before this one that passed, and the machines where it did. */
async function passesOf(store: S3, copies: Copies, home: string, space: string, failed: CaptureRecord) {
  const began = beganAt(failed.artifact_id);
  const label = namedInKey(failed.label);
  const listed = await listArchive(store, {
    ...{ home, space, outcome: 'ok' as const, since: began - USUAL_DAYS * DAY_MS },
    fits: ({ id, label: one, exit }) => one === label && exit === '0' && beganAt(id) < began,
  });
  // One of each machine, then the others: a machine that passes often tells less than another one.
  const firsts = new Map(listed.toReversed().map((one) => [one.place.host, one]));
  const order = [...listed.filter((one) => firsts.get(one.place.host) === one), ...listed];
  const line = JSON.stringify([failed.command, failed.args]);
  const chosen = new Set<Archived>();
  const others = new Set<string>();
  for (const one of [...new Set(order)].slice(0, MOST_RECORDS)) {
    if (chosen.size === MOST_BASELINES) break;
    const { command, args } = await copies.record(one);
    if (JSON.stringify([command, args]) === line) chosen.add(one);
    else others.add(one.place.host);
  }
  if (chosen.size === 0)
    throw new SpillwayError(
      'not_found',
      `${NO_PASS}, nor on a machine of the archive`,
      'name outputs to compare it with',
    );
  const hosts = [...firsts.keys()].filter((host) => !others.has(host)).sort();
  return { chosen: [...chosen], hosts };
}

/** Returns a capture's record, and the folder that it is in. */
async function captureHere(home: string, id: string): Promise<{ record: CaptureRecord; path: string }> {
  for await (const { path, captures } of readFolders(home)) {
    const record = captures.find((one) => one.id === id)?.record;
    if (record) return { record, path };
  }
  throw new SpillwayError('not_found', `no artifact has the id ${id}`, 'see `spillway list`');
}

/** Puts a capture of this machine beside those of the archive. */
async function linkHere(home: string, view: string, id: string): Promise<void> {
  const { record, path } = await captureHere(home, id);
  const target = sessionFolder(view, record.session);
  mkdirSync(target, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(path))
    if (name.startsWith(`${id}.`)) linkSync(join(path, name), join(target, name));
}
