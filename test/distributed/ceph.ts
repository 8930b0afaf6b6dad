/** A real Ceph for the tests of one file: see ceph.sh. */
import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { AwsClient } from 'aws4fetch';
import { expect } from 'vitest';
import { makeFolder, removeFolder } from '../fixtures/folder.ts';

export const credentials = { accessKeyId: 'AK', secretAccessKey: 'SK' };
export const env = { AWS_ACCESS_KEY_ID: 'AK', AWS_SECRET_ACCESS_KEY: 'SK' };

export class Ceph {
  readonly endpoint: string;
  readonly #folder = makeFolder();
  #buckets = 0;

  private constructor(port: number) {
    this.endpoint = `http://127.0.0.1:${port}`;
  }

  static async start(port: number): Promise<Ceph> {
    const ceph = new Ceph(port);
    const script = fileURLToPath(new URL('ceph.sh', import.meta.url));
    const { stdout } = await promisify(execFile)(script, [ceph.#folder, String(port)], { timeout: 120_000 });
    expect(stdout).toContain('ready');
    return ceph;
  }

  async stop(): Promise<void> {
    for (const name of ['rgw', 'osd', 'mon'] as const) this.kill(name);
    await sleep(1000);
    removeFolder(this.#folder);
  }

  kill(name: 'rgw' | 'osd' | 'mon'): void {
    const path = join(this.#folder, `${name}.pid`);
    try {
      if (existsSync(path)) process.kill(Number(readFileSync(path, 'utf8')), 'SIGKILL');
    } catch {
      // It has ended.
    }
  }

  async startGateway(): Promise<void> {
    const args = ['-n', 'client.rgw.a', '-c', join(this.#folder, 'ceph.conf'), '-f'];
    const { pid } = spawn('radosgw', args, { detached: true, stdio: 'ignore' });
    writeFileSync(join(this.#folder, 'rgw.pid'), String(pid));
    const status = () =>
      fetch(this.endpoint).then(
        (answer) => answer.status,
        () => 0,
      );
    await expect.poll(status, { timeout: 60_000 }).toBe(200);
  }

  /** Returns the settings of a new bucket. */
  async bucket() {
    this.#buckets += 1;
    const name = `bucket-${this.#buckets}`;
    const client = new AwsClient({ ...credentials, service: 's3', region: 'us-east-1' });
    expect((await client.fetch(`${this.endpoint}/${name}`, { method: 'PUT' })).status).toBe(200);
    return { url: `s3://${name}`, endpoint: this.endpoint, ship: 'all' as const };
  }
}
