/** Tries what the credentials may do in the bucket, and names what a machine that only ships does not need. */
import { randomBytes } from 'node:crypto';
import { toSpillwayError } from '../../shared/errors.ts';
import type { ArchiveSettings } from '../../shared/settings.ts';
import { type S3, textBody } from './s3.ts';

type Right = 'put' | 'get' | 'list' | 'delete';

export interface ArchiveCheck {
  url: string;
  /** Whether each is allowed; null where it could not be tried. */
  rights: Record<Right, boolean | null>;
  /** The store puts an object once when it is asked to. */
  puts_once: boolean | null;
  /** Sentences about what needs attention. */
  problems: string[];
  /** The least policies, in Amazon's form: of a machine that ships, and of one that reads. */
  policies: { ship: object; read: object };
}

/** Leaves nothing behind where it may delete; else one small object. Rejects when the store cannot be reached. */
export async function checkArchive(store: S3, archive: ArchiveSettings): Promise<ArchiveCheck> {
  const { space } = archive;
  const key = `v1/${space}/check/${randomBytes(6).toString('hex')}`;
  const body = textBody('written by `spillway archive check`\n');
  const isAllowed = async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      if (toSpillwayError(error).code === 'no_permission') return false;
      throw error;
    }
  };
  const put = await isAllowed(() => store.put(key, body));
  const puts_once = put ? !(await store.put(key, body, { onlyNew: true })) : null;
  const get = await isAllowed(() => store.get(key));
  const list = await isAllowed(() => store.list(`v1/${space}/check/`).next());
  // Deleting what is not there tells as much.
  const isDeletable = await isAllowed(() => store.delete(key));
  const rights = { put, get, list, delete: isDeletable };
  return {
    ...{ url: archive.url, rights, puts_once },
    problems: problemsOf(archive, rights, puts_once),
    policies: {
      ship: policyOf(store, space, ['s3:PutObject']),
      read: policyOf(store, space, ['s3:GetObject'], true),
    },
  };
}

function problemsOf(
  { endpoint }: ArchiveSettings,
  rights: ArchiveCheck['rights'],
  putsOnce: boolean | null,
): string[] {
  const tooMuch = (['get', 'list', 'delete'] as const).filter((right) => rights[right]);
  const isOpen = endpoint?.startsWith('http:') && !/^http:\/\/(?:localhost|127\.|\[::1\])/.test(endpoint);
  return [
    ...(rights.put ? [] : ['these credentials may not put objects: nothing can be shipped']),
    ...(tooMuch.length > 0
      ? [`a machine that only ships needs only to put: these credentials may also ${tooMuch.join(', ')}`]
      : []),
    ...(rights.delete ? ['who takes them from this machine can delete what all machines shipped'] : []),
    ...(putsOnce === false
      ? [
          'the store ignores If-None-Match: two machines that ship one capture both put it, with the same bytes',
        ]
      : []),
    ...(isOpen ? ['endpoint is http: what is shipped can be read on its way'] : []),
  ];
}

function policyOf({ bucket, prefix }: S3, space: string, actions: string[], lists = false): object {
  const under = `${prefix}v1/${space}/*`;
  const objects = { Effect: 'Allow', Action: actions, Resource: `arn:aws:s3:::${bucket}/${under}` };
  const listing = {
    ...{ Effect: 'Allow', Action: ['s3:ListBucket'], Resource: `arn:aws:s3:::${bucket}` },
    Condition: { StringLike: { 's3:prefix': under } },
  };
  return { Version: '2012-10-17', Statement: lists ? [objects, listing] : [objects] };
}
