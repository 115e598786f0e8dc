import { access } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import type { Config } from '../config/config.ts';
import { readConfig } from '../config/config.ts';
import { hourMs } from '../foundation/clock.ts';
import { openBucket, readQuotas, setQuota, setUpBucket, verifyStorage } from '../storage/wiring.ts';
import { withDatabase } from '../wiring/connections.ts';
import type { Command } from './command-line.ts';
import { UsageError, reportFindings } from './command-line.ts';

type Settings = NonNullable<Config['storage']>['bucket'];

export const run: Command['run'] = async ([action, ...rest]) => {
  if (action === 'quota') return quota(rest);
  if (action !== 'verify' && action !== 'setup') throw new UsageError();
  const config = readConfig(process.env);
  if (config.storage === null)
    throw new Error('Storage is not configured. Set DAYBOOK_STORAGE_FOLDER or DAYBOOK_STORAGE_BUCKET.');
  const { bucket } = config.storage;
  // A missing folder means a mistyped name here, so the command does not create it.
  if (bucket.kind === 'folder') await access(bucket.folder);
  await (action === 'verify' ? verify(config, bucket) : setUp(config, bucket));
};

const units = { B: 1, KB: 1_024, MB: 1_024 ** 2, GB: 1_024 ** 3, TB: 1_024 ** 4 } as const;

/** `default` is null. */
function sizeOf(text: string): number | null {
  if (text === 'default') return null;
  const [, digits, unit = 'B'] = /^(\d{1,15})(B|KB|MB|GB|TB)?$/i.exec(text) ?? [];
  const factor = Object.entries(units).find(([name]) => name === unit.toUpperCase())?.[1];
  if (digits === undefined || factor === undefined)
    throw new Error(`Invalid size: ${text}. Examples: 500MB, 20GB, default.`);
  return Number(digits) * factor;
}

async function quota(rest: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...rest],
    allowPositionals: true,
    options: { project: { type: 'string' }, person: { type: 'string' } },
  });
  const [organization, size] = positionals;
  if (organization === undefined || positionals.length > 2 || Object.keys(values).length > 1)
    throw new UsageError();
  const bytes = size === undefined ? undefined : sizeOf(size);
  const owner = { organization, ...values };
  await withDatabase(readConfig(process.env), { name: 'daybook storage' }, async (database) => {
    if (bytes !== undefined) await setQuota(database, owner, bytes);
    const present = await readQuotas(database, owner);
    if (present === null) throw new Error('Organization, project or person not found.');
    const limit = present.quotaBytes === null ? 'default' : `${present.quotaBytes} bytes`;
    console.log(`${present.bytes} bytes used or reserved. Quota: ${limit}.`);
  });
}

async function verify(config: Config, settings: Settings): Promise<void> {
  const bucket = await openBucket(settings);
  // Adding up the sizes of all files may take long.
  const options = { name: 'daybook storage', statementTimeoutMs: hourMs };
  reportFindings(await withDatabase(config, options, (database) => verifyStorage({ database, bucket })));
}

async function setUp({ identity }: Config, settings: Settings): Promise<void> {
  if (settings.kind === 'folder') {
    console.log('Files are stored in a folder. No setup required.');
    return;
  }
  const origins = new Set([identity.baseUrl, identity.authUrl].map((url) => new URL(url).origin));
  const changes = await setUpBucket(settings, [...origins]);
  for (const change of changes) console.log(change);
  if (changes.length === 0) console.log('The bucket is already configured.');
}
