import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import type { TestDatabase } from '../../test/database.ts';
import { createTestDatabase } from '../../test/database.ts';
import { writeSealedValues } from '../../test/sealed-values.ts';
import { readConfig } from '../config/config.ts';
import { withIdentity } from './accounts.ts';
import { startApi } from './api-process.ts';
import { startWorker } from './worker-process.ts';

const [right = '', wrong = ''] = [1, 2].map(() => randomBytes(32).toString('hex'));
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await writeSealedValues(database, right, 1);
});
afterAll(() => database.drop());

const configWith = (secretKey: string) =>
  readConfig({
    DATABASE_URL: database.urls.application,
    DATABASE_READER_URL: database.urls.newsReader,
    PORT: '0',
    DAYBOOK_WORKER_PORT: '0',
    DAYBOOK_DRAIN_NOTICE_MS: '0',
    DAYBOOK_LOG_LEVEL: 'silent',
    DAYBOOK_SECRET_KEY: secretKey,
  });

async function readiness(secretKey: string): Promise<{ status: number; text: string }> {
  const api = await startApi(configWith(secretKey));
  onTestFinished(() => api.stop());
  const answer = await fetch(`${api.address}/readyz`);
  return { status: answer.status, text: await answer.text() };
}

test('an api process is not ready while its secret key does not open the signing keys', async () => {
  expect(await readiness(wrong)).toMatchObject({
    status: 503,
    text: expect.stringContaining('DAYBOOK_SECRET_KEY does not open') as string,
  });
  expect(await readiness(right)).toMatchObject({ status: 200 });
  expect(await readiness(`${wrong},${right}`)).toMatchObject({ status: 200 });
});

test('a worker and operator commands refuse to start with a wrong secret key', async () => {
  await expect(startWorker(configWith(wrong))).rejects.toThrow('DAYBOOK_SECRET_KEY does not open');
  await expect(withIdentity(configWith(wrong), async () => {})).rejects.toThrow(
    'DAYBOOK_SECRET_KEY does not open',
  );
});
