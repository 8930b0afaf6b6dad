/** Finds credentials where every S3 client looks: the AWS variables, then a profile in the AWS files. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { SpillwayError } from '../../shared/errors.ts';

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** Throws `no_permission` when there are none. */
export function findCredentials(env: NodeJS.ProcessEnv = process.env): Credentials {
  const named = credentialsIn((name) => env[name.toUpperCase()]);
  if (named) return named;
  const profile = env.AWS_PROFILE || 'default';
  const folder = join(env.HOME || homedir(), '.aws');
  const files: [path: string, section: string][] = [
    [env.AWS_SHARED_CREDENTIALS_FILE || join(folder, 'credentials'), profile],
    // Its sections have another name, but for the default one.
    [env.AWS_CONFIG_FILE || join(folder, 'config'), profile === 'default' ? profile : `profile ${profile}`],
  ];
  for (const [path, section] of files) {
    const values = profileIn(textOf(path), section);
    const found = credentialsIn((name) => values.get(name));
    if (found) return found;
  }
  throw new SpillwayError(
    'no_permission',
    `there are no credentials for the archive in the variables, nor in the profile ${JSON.stringify(profile)}`,
    'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile of ~/.aws/credentials in AWS_PROFILE',
  );
}

function credentialsIn(value: (name: string) => string | undefined): Credentials | null {
  const accessKeyId = value('aws_access_key_id');
  const secretAccessKey = value('aws_secret_access_key');
  const sessionToken = value('aws_session_token');
  if (!accessKeyId || !secretAccessKey) return null;
  return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
}

/** Returns the settings of one section: `name = value` below `[section]`. */
export function profileIn(text: string, section: string): Map<string, string> {
  const values = new Map<string, string>();
  let isOurs = false;
  for (const line of text.split(/\r?\n/)) {
    const head = /^\s*\[\s*(.*?)\s*\]/.exec(line);
    if (head) isOurs = head[1] === section;
    const pair = /^([\w-]+)\s*=\s*(.*?)\s*$/.exec(line);
    if (isOurs && pair) values.set(pair[1]!.toLowerCase(), pair[2]!);
  }
  return values;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
