import { statfs } from 'node:fs/promises';
import { connect } from 'node:tls';

import type { Registry } from 'prom-client';

import type { Config } from '../../config/config.ts';
import { hourMs, systemClock } from '../../foundation/clock.ts';
import { readDatabaseBytes } from '../../foundation/database/database-size-store.ts';
import type { Database } from '../../foundation/database/database.ts';
import { registerGauges } from '../../foundation/metrics/gauges.ts';

/** Of the machine, the database and the public address; by workers only, which are few. */
export function registerInstallationMetrics(registry: Registry, database: Database, config: Config): void {
  const folders = [
    process.cwd(),
    ...(config.storage?.bucket.kind === 'folder' ? [config.storage.bucket.folder] : []),
  ];
  registerGauges(
    registry,
    { daybook_database_bytes: { help: 'Size of the database on the disk of PostgreSQL.' } },
    async () => ({ daybook_database_bytes: await readDatabaseBytes(database) }),
  );
  registerGauges(
    registry,
    { daybook_disk_free_bytes: { help: 'Free space of the disk with this folder.', label: 'folder' } },
    async () => ({ daybook_disk_free_bytes: new Map(await Promise.all(folders.map(freeBytes))) }),
  );
  const { protocol, hostname, port } = new URL(config.news.baseUrl);
  if (protocol !== 'https:') return;
  const readExpiry = rememberFor(hourMs, () => certificateEndsAtMs(hostname, Number(port) || 443));
  registerGauges(
    registry,
    {
      daybook_certificate_expires_seconds: {
        help: 'Seconds until the certificate of the public address expires; negative afterwards. Read once an hour.',
      },
    },
    async () => ({
      daybook_certificate_expires_seconds: ((await readExpiry()) - systemClock.nowMs()) / 1_000,
    }),
  );
}

async function freeBytes(folder: string): Promise<readonly [string, number]> {
  const { bavail, bsize } = await statfs(folder);
  return [folder, bavail * bsize];
}

/** A failed reading is repeated at the next scrape. */
function rememberFor<Value>(ms: number, read: () => Promise<Value>): () => Promise<Value> {
  let [value, readAtMs]: [Promise<Value> | null, number] = [null, 0];
  return () => {
    if (value === null || performance.now() - readAtMs > ms) {
      readAtMs = performance.now();
      value = read();
      value.catch(() => {
        value = null;
      });
    }
    return value;
  };
}

const connectWithinMs = 3_000;

/** Also of a certificate that has expired or is for another name: only the date is read, and nothing is sent. */
export function certificateEndsAtMs(host: string, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const socket = connect({
    host,
    port,
    servername: host,
    rejectUnauthorized: false,
    timeout: connectWithinMs,
  });
  socket
    .once('secureConnect', () => {
      const endsAt = socket.getPeerX509Certificate()?.validToDate;
      socket.destroy();
      if (endsAt === undefined) reject(new Error('the server sent no certificate'));
      else resolve(endsAt.getTime());
    })
    .once('timeout', () => socket.destroy(new Error(`no connection to ${host} within 3 seconds`)))
    .once('error', reject);
  return promise;
}
