import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import type { Bucket } from '../../../apps/server/src/storage/index.ts';
import { createFolderBucket } from '../../../apps/server/src/storage/index.ts';
import type {
  AccountsProcess,
  AccountsStage,
  StageAnswer,
} from '../../../apps/server/test/accounts-stage.ts';
import { openAccountsStage, send } from '../../../apps/server/test/accounts-stage.ts';

type Headers = Readonly<Record<string, string>>;

/** Real api processes that share a database and a folder, and one account that speaks to them. */
export interface StorageStage extends AccountsStage {
  readonly processes: AccountsProcess[];
  readonly bucket: Bucket;
  readonly headers: Headers;
  readonly startApi: () => Promise<AccountsProcess>;
  /** To one of the processes, by turns. */
  readonly ask: (method: string, path: string, json?: unknown) => Promise<StageAnswer>;
  readonly newProject: (name: string) => Promise<string>;
  /** What the worker does. */
  readonly upkeep: Pick<AccountsStage['access'], 'database' | 'clock' | 'ids'> & {
    readonly bucket: Bucket;
    readonly settings: { readonly quotaBytes: number; readonly graceDays: number };
  };
}

export async function openStorageStage(processCount: number): Promise<StorageStage> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-prove-files-'));
  const stage = await openAccountsStage();
  const settings = {
    DAYBOOK_STORAGE_FOLDER: folder,
    DAYBOOK_CREDENTIAL_RATE_PER_MINUTE: '1000000',
    DAYBOOK_LOG_LEVEL: 'error',
  };
  const startApi = (): Promise<AccountsProcess> => stage.start({ settings });
  const processes = await Promise.all(Array.from({ length: processCount }, startApi));
  const bucket = await createFolderBucket(folder);
  const [account] = await stage.createAccounts(1);
  const signedIn = await send(processes[0]?.port ?? 0, '/api/auth/token', { json: account });
  const { access_token: token } = signedIn.json<{ access_token: string }>();
  const headers = { authorization: `Bearer ${token}` };
  let turn = 0;
  const ask: StorageStage['ask'] = (method, path, json) => {
    const { port = 0 } = processes[(turn += 1) % processes.length] ?? {};
    return send(port, path, { method, headers, ...(json !== undefined && { json }) });
  };
  return {
    ...stage,
    processes,
    bucket,
    headers,
    startApi,
    ask,
    newProject: async (name) => (await ask('POST', '/api/v1/projects', { name })).json<{ id: string }>().id,
    upkeep: { ...stage.access, bucket, settings: { quotaBytes: 1e12, graceDays: 0 } },
    stop: async () => {
      await stage.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Sends bytes on a connection of its own; null where no whole answer came. */
export async function sendBytes(
  port: number,
  { method, path, headers }: { readonly method: string; readonly path: string; readonly headers: Headers },
  bytes: Buffer,
): Promise<{ readonly status: number; readonly body: Buffer } | null> {
  const { promise, resolve } = Promise.withResolvers<{ status: number; body: Buffer } | null>();
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    path,
    method,
    agent: false,
    headers: { ...headers, 'content-length': String(bytes.length) },
  });
  request.on('error', () => resolve(null));
  request.on('response', (response) => {
    buffer(response).then(
      (body) => resolve({ status: response.statusCode ?? 0, body }),
      () => resolve(null),
    );
  });
  request.end(bytes);
  return promise;
}
