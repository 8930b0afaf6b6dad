/**
 * The archive of a fleet: 1,000 machines ship 100,000 captures a day, which are 200,000 keys. Lists them through the real client
 * over HTTP, from a store that has the keys in memory. It measures the requests, and the work of client and store.
 */

import { folderOf, placeOf } from '../../electron/archive/keys.ts';
import { findArchived, listArchive } from '../../electron/archive/list.ts';
import { S3 } from '../../electron/archive/s3.ts';
import type { CaptureRecord } from '../../electron/store/format/record.ts';
import { Settings } from '../../shared/settings.ts';
import { idAt } from '../fixtures/archived.ts';
import { startBucket } from '../fixtures/bucket.ts';
import { makeFolder, removeFolder } from '../fixtures/folder.ts';
import { report } from './harness.ts';

const CAPTURES = 100_000;
const MACHINES = 1000;
const DAY_MS = 86_400_000;

const home = makeFolder();
const bucket = await startBucket();
const now = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
const day = now - DAY_MS * 1.5;
const ids = Array.from({ length: CAPTURES }, (_, n) => idAt(day + Math.floor((n / CAPTURES) * DAY_MS), n));
const empty = Buffer.alloc(0);
for (const [n, artifact_id] of ids.entries()) {
  const record = { artifact_id, label: 'make', status: 'failed', exit_code: 2, signal: null };
  const folder = folderOf(placeOf(record as CaptureRecord, 'main', `machine-${n % MACHINES}`));
  for (const name of ['stdout.gz', 'record.json']) bucket.objects.set(folder + name, empty);
}
const { archive } = Settings.parse({ archive: { url: 's3://logs', endpoint: bucket.endpoint } });
const store = new S3(archive!, { accessKeyId: 'AK', secretAccessKey: 'SK' });

async function timed<T>(work: () => Promise<T>) {
  const requests = store.spent.requests;
  const began = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(began);
  return { result, ms: (user + system) / 1000, requests: store.spent.requests - requests };
}
const failed = { home, space: 'main', outcome: 'failed' as const, now };
const list = (more: object) => timed(() => listArchive(store, { ...failed, since: day, ...more }));

const cold = await list({});
const cached = await list({});
const host = await list({ host: 'machine-17' });
const newest = await list({ limit: 20 });
const one = await timed(() => findArchived(store, 'main', ids[54_321]!));
store.close();
await bucket.close();
removeFolder(home);
if (
  cold.result.length !== CAPTURES ||
  cached.result.length !== CAPTURES ||
  host.result.length !== CAPTURES / MACHINES
)
  throw new Error('not all captures were listed');
if (one.result?.place.id !== ids[54_321]) throw new Error('the capture was not found');

const asked = {
  'a day of 100,000 captures, cold': cold,
  'the same, known': cached,
  'those of one machine of 1,000, known': host,
  'the newest 20, known': newest,
  'one capture by its id': one,
};
const figures = Object.entries(asked).flatMap(([what, { ms, requests }]) => [
  { what: `${what}: processor`, value: ms, unit: 'ms' },
  { what: `${what}: requests`, value: requests, unit: '' },
]);
report('archive', figures, figures);
