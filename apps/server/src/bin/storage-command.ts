import { access } from 'node:fs/promises';

import { readConfig } from '../config/config.ts';
import { openBucket, verifyStorage } from '../storage/index.ts';
import { connect } from '../wiring/connections.ts';
import type { Command } from './command.ts';
import { UsageError } from './command.ts';
import { reportFindings } from './report-findings.ts';

export const run: Command['run'] = async ([action]) => {
  if (action !== 'verify') throw new UsageError();
  const config = readConfig(process.env);
  if (config.storage === null)
    throw new Error('set DAYBOOK_STORAGE_FOLDER or DAYBOOK_STORAGE_BUCKET: without one there is no storage');
  // A folder that is not there is a mistyped name here, not a storage to begin.
  if (config.storage.bucket.kind === 'folder') await access(config.storage.bucket.folder);
  const bucket = await openBucket(config.storage.bucket);
  const { database, close } = connect(config, config.database.applicationUrl, 'daybook storage', {
    connectionsMax: 1,
    // Adding up what is kept takes as long as it takes.
    statementTimeoutMs: 3_600_000,
  });
  try {
    reportFindings(await verifyStorage({ database, bucket }));
  } finally {
    await close();
  }
};
