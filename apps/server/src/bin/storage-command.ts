import { access } from 'node:fs/promises';

import type { Config } from '../config/config.ts';
import { readConfig } from '../config/config.ts';
import { hourMs } from '../foundation/clock.ts';
import { openBucket, setUpBucket, verifyStorage } from '../storage/wiring.ts';
import { withDatabase } from '../wiring/connections.ts';
import type { Command } from './command-line.ts';
import { UsageError, reportFindings } from './command-line.ts';

type Settings = NonNullable<Config['storage']>['bucket'];

export const run: Command['run'] = async ([action]) => {
  if (action !== 'verify' && action !== 'setup') throw new UsageError();
  const config = readConfig(process.env);
  if (config.storage === null)
    throw new Error('Storage is not configured. Set DAYBOOK_STORAGE_FOLDER or DAYBOOK_STORAGE_BUCKET.');
  const { bucket } = config.storage;
  // A missing folder means a mistyped name here, so the command does not create it.
  if (bucket.kind === 'folder') await access(bucket.folder);
  await (action === 'verify' ? verify(config, bucket) : setUp(config, bucket));
};

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
