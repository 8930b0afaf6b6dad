/**
 * A host that also answers for captures in the archive: it shows them, and compares with runs that passed on other
 * machines. The code that reads the archive is loaded with the first such request.
 */
import type { Artifact } from '../../../shared/artifact.ts';
import { NO_PASS } from '../../../shared/comparison.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { FoundOutputs, SearchOutputsParams } from '../../../shared/search-outputs.ts';
import type { ListParams, ListResult } from '../../../shared/views.ts';
import type { Host, RequestOptions } from '../host.ts';
import { loadConfig } from '../settings/config.ts';

/** `host`: a machine, or `*` for all of them. */
export interface ArchiveLists {
  list(params: ListParams, host: string, options: RequestOptions): Promise<ListResult>;
  search(params: SearchOutputsParams, host: string, options: RequestOptions): Promise<FoundOutputs>;
}

/** Machines that a reply names. */
const MOST_HOSTS = 20;

/** Agents may read the archive only where the settings say so. */
export function withArchive(
  host: Host,
  home: string,
  reader: 'person' | 'agent',
): Host & { archive: ArchiveLists } {
  const isOpen = () => {
    const { archive } = loadConfig(home).settings;
    return archive !== null && (reader === 'person' || archive.mcp);
  };
  const load = async () => {
    if (isOpen()) return import('./reader.ts');
    throw new SpillwayError(
      'no_permission',
      'agents may not read the archive',
      'the user allows it by `"mcp": true` in `archive` in config.json',
    );
  };
  /** The reader, if the id is of a capture that can only be in the archive. */
  const elsewhere = async (id: string | undefined) => {
    if (id === undefined || !isOpen()) return null;
    const reading = await load();
    return reading.isElsewhere(home, id) ? reading : null;
  };
  const of = (params: ListParams | SearchOutputsParams, machine: string) => ({
    failed: params.failed === true || params.status === 'failed',
    since: params.since,
    host: machine === '*' ? undefined : machine,
  });
  const more: Pick<Host, 'inspect' | 'read' | 'artifact' | 'compare'> & { archive: ArchiveLists } = {
    async inspect(params, options) {
      const reading = await elsewhere(params.artifact_id);
      if (reading === null) return host.inspect(params, options);
      const wanted = reading.wantedByView(params.mode ?? 'head', params);
      const view = await reading.viewArchived(home, params.artifact_id!, wanted, options, (one) =>
        one.inspect(params, options),
      );
      return { ...view, file_path: null };
    },
    async read(params, options) {
      const reading = await elsewhere(params.artifact_id);
      if (reading === null) return host.read(params, options);
      const wanted = reading.wantedByRead(params);
      const view = await reading.viewArchived(home, params.artifact_id!, wanted, options, (one) =>
        one.read(params, options),
      );
      return { ...view, file_path: null };
    },
    async artifact(params, options) {
      const reading = await elsewhere(params.artifact_id);
      if (reading === null) return host.artifact(params, options);
      // Its record alone is needed, with the first lines of its text.
      return reading
        .viewArchived(home, params.artifact_id, { lines: [1, 1] }, options, (one) =>
          one.artifact(params, options),
        )
        .then((found) => found && withoutPaths(found))
        .catch(orNull);
    },
    async compare(params, options) {
      const ids = [params, ...(params.baselines ?? [])].flatMap((one) => one.artifact_id ?? []);
      const isAway = (await Promise.all(ids.map(elsewhere))).some((one) => one !== null);
      if (!isAway)
        try {
          return await host.compare(params, options);
        } catch (error) {
          const { code, what } = toSpillwayError(error);
          const isLonely = code === 'not_found' && what === NO_PASS && params.artifact_id !== undefined;
          if (!isLonely || !isOpen()) throw error;
        }
      return (await import('./compare.ts')).compareArchived(home, params, options);
    },
    archive: {
      list: async (params, machine, { signal }) =>
        (await load()).listArchived(home, params, of(params, machine), signal),
      search: async (params, machine, options) => {
        await load();
        const { searchArchived } = await import('./search.ts');
        const found = await searchArchived(home, params, of(params, machine), {}, options);
        const { hosts, ...archive } = found.archive;
        return {
          ...found,
          archive: { ...archive, host_count: hosts.length, hosts: hosts.slice(0, MOST_HOSTS) },
        };
      },
    },
  };
  return Object.assign(Object.create(host) as Host, more);
}

function withoutPaths(artifact: Artifact): Artifact {
  return { ...artifact, streams: artifact.streams.map((stream) => ({ ...stream, file_path: null })) };
}

function orNull(error: unknown): null {
  if (toSpillwayError(error).code === 'not_found') return null;
  throw error;
}
