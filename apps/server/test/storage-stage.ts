import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import type { Bucket, StorageSettings } from '../src/storage/wiring.ts';
import { openBucket } from '../src/storage/wiring.ts';
import type { AccountsProcess, AccountsStage, StageAccount, StageAnswer } from './accounts-stage.ts';
import { grantOf, openAccountsStage, send } from './accounts-stage.ts';

type Headers = Readonly<Record<string, string>>;

/** Real api processes that share a database and a folder or a bucket, and one account that uses them. */
export interface StorageStage extends AccountsStage {
  readonly processes: AccountsProcess[];
  readonly bucket: Bucket;
  readonly account: StageAccount;
  readonly headers: Headers;
  readonly startApi: () => Promise<AccountsProcess>;
  /** To one of the processes, in turn. */
  readonly ask: (method: string, path: string, json?: unknown) => Promise<StageAnswer>;
  readonly newProject: (name: string) => Promise<string>;
  /** The dependencies of the worker's jobs. */
  readonly upkeep: Pick<AccountsStage['access'], 'database' | 'clock' | 'ids'> & {
    readonly bucket: Bucket;
    readonly settings: StorageSettings;
  };
}

/** The address of an S3 bucket, from `startBucketServer`. */
export interface BucketPlace {
  readonly url: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** On a separate folder, or the given bucket, which may start meanwhile. */
export async function openStorageStage(
  processCount: number,
  bucketPlace?: BucketPlace | Promise<BucketPlace>,
  /** Of the processes, beside those of the bucket. */
  more: Readonly<Record<string, string>> = {},
): Promise<StorageStage> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-prove-files-'));
  const [stage, s3] = await Promise.all([openAccountsStage(), bucketPlace]);
  const settings = {
    ...(s3 === undefined ? { DAYBOOK_STORAGE_FOLDER: folder } : bucketSettings(s3)),
    DAYBOOK_CREDENTIAL_RATE_PER_MINUTE: '1000000',
    DAYBOOK_LOG_LEVEL: 'error',
    ...more,
  };
  const startApi = (): Promise<AccountsProcess> => stage.start({ settings });
  const processes = await Promise.all(Array.from({ length: processCount }, startApi));
  const bucket = await openBucket(s3 === undefined ? { kind: 'folder', folder } : { kind: 's3', ...s3 });
  const [account] = await stage.createAccounts(1);
  if (account === undefined) throw new Error('no account was made');
  const signedIn = await send(processes[0]?.port ?? 0, '/api/auth/token', { json: grantOf(account) });
  const { access_token: token } = signedIn.json<{ access_token: string }>();
  const headers = { authorization: `Bearer ${token}` };
  let turn = 0;
  const ask: StorageStage['ask'] = (method, path, json) => {
    const { port = 0 } = processes[(turn += 1) % processes.length] ?? {};
    return send(port, path, { method, headers, ...(json !== undefined && { json }) });
  };
  return {
    ...stage,
    settings: { ...stage.settings, ...settings },
    processes,
    bucket,
    account,
    headers,
    startApi,
    ask,
    newProject: async (name) => (await ask('POST', '/api/v1/projects', { name })).json<{ id: string }>().id,
    upkeep: {
      ...stage.access,
      bucket,
      settings: {
        quotaBytes: 1e12,
        guestQuotaPercent: 5,
        guestsQuotaPercent: 20,
        personQuotaPercent: 100,
        membersQuotaPercent: 95,
        graceDays: 0,
        scanner: null,
        unscannableFor: 'uploader',
        rescansPerHour: 0,
        origins: [],
        previewUrl: null,
        nginxToken: null,
      },
    },
    stop: async () => {
      await stage.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function bucketSettings(s3: BucketPlace): Readonly<Record<string, string>> {
  return {
    DAYBOOK_STORAGE_BUCKET: s3.bucket,
    DAYBOOK_STORAGE_BUCKET_URL: s3.url,
    DAYBOOK_STORAGE_BUCKET_REGION: s3.region,
    DAYBOOK_STORAGE_BUCKET_KEY_ID: s3.accessKeyId,
    DAYBOOK_STORAGE_BUCKET_SECRET: s3.secretAccessKey,
  };
}

export interface SentAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** More bytes than should fit in memory, generated while they are sent. */
export interface FlowingBytes {
  readonly length: number;
  readonly chunks: () => Iterable<Buffer>;
}

/** Sends bytes on a separate connection; null without a complete response. */
export async function sendBytes(
  port: number,
  { method, path, headers }: { readonly method: string; readonly path: string; readonly headers: Headers },
  bytes: Buffer | FlowingBytes,
): Promise<SentAnswer | null> {
  const { promise, resolve } = Promise.withResolvers<SentAnswer | null>();
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
      (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      () => resolve(null),
    );
  });
  if (Buffer.isBuffer(bytes)) request.end(bytes);
  else Readable.from(bytes.chunks(), { objectMode: false }).pipe(request);
  return promise;
}
