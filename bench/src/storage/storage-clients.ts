import type { Readable } from 'node:stream';

import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';

import type { BucketPlace, StorageStage } from '../../../apps/server/test/storage-stage.ts';
import { transfer } from './http-transfer.ts';

/** One way to store bytes and to read them; returns what the read needs. */
export interface StorageClient {
  readonly put: (bytes: Buffer) => Promise<string>;
  readonly putByTus: (bytes: Buffer) => Promise<string>;
  readonly putInParts: (bytes: Buffer) => Promise<string>;
  /** How many bytes came. */
  readonly get: (id: string) => Promise<number>;
  readonly getByAddress: (id: string) => Promise<number>;
  readonly remove: (id: string) => Promise<void>;
}

const partBytes = 16 * 1024 ** 2;
const partsAtOnce = 4;

function partsOf(bytes: Buffer): readonly { readonly number: number; readonly part: Buffer }[] {
  return Array.from({ length: Math.ceil(bytes.length / partBytes) }, (_, index) => ({
    number: index + 1,
    part: bytes.subarray(index * partBytes, (index + 1) * partBytes),
  }));
}

async function inTurns<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const work = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: partsAtOnce }, work));
}

/** The SDK and nothing else. */
export function createBareClient({
  bucket,
  url,
  region,
  accessKeyId,
  secretAccessKey,
}: BucketPlace): StorageClient {
  const client = new S3Client({
    endpoint: url,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  let turn = 0;
  const place = (key: string) => ({ Bucket: bucket, Key: key });
  const newKey = (): string => `bare-${(turn += 1)}`;
  const get = async (key: string): Promise<number> => {
    const { Body } = await client.send(new GetObjectCommand(place(key)));
    let bytes = 0;
    for await (const chunk of Body as Readable as AsyncIterable<Buffer>) bytes += chunk.length;
    return bytes;
  };
  const put = async (bytes: Buffer): Promise<string> => {
    const key = newKey();
    await client.send(new PutObjectCommand({ ...place(key), Body: bytes }));
    return key;
  };
  return {
    put,
    putByTus: put,
    putInParts: async (bytes) => {
      const key = newKey();
      const { UploadId } = await client.send(new CreateMultipartUploadCommand(place(key)));
      const parts: { PartNumber: number; ETag: string | undefined }[] = [];
      await inTurns(partsOf(bytes), async ({ number, part }) => {
        const sent = { ...place(key), UploadId, PartNumber: number, Body: part };
        const { ETag } = await client.send(new UploadPartCommand(sent));
        parts.push({ PartNumber: number, ETag });
      });
      const Parts = parts.sort((one, other) => one.PartNumber - other.PartNumber);
      await client.send(
        new CompleteMultipartUploadCommand({ ...place(key), UploadId, MultipartUpload: { Parts } }),
      );
      return key;
    },
    get,
    getByAddress: get,
    remove: async (key) => {
      await client.send(new DeleteObjectCommand(place(key)));
    },
  };
}

/** A client of the storage API. */
export function createApiClient(
  { processes, headers, ask, bucket, superuser }: StorageStage,
  projectId: string,
): StorageClient {
  const api = `http://127.0.0.1:${processes[0]?.port ?? 0}/api/v1`;
  let turn = 0;
  const json = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const answer = await ask(method, `/api/v1${path}`, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
    return answer.json<Body>();
  };
  return {
    put: async (bytes) => {
      const query = new URLSearchParams({ name: `file ${(turn += 1)}` });
      const answer = await transfer(`${api}/projects/${projectId}/files?${query.toString()}`, {
        method: 'POST',
        headers: { ...headers },
        body: bytes,
      });
      if (answer.status !== 201) throw new Error(answer.text);
      return (JSON.parse(answer.text) as { id: string }).id;
    },
    putByTus: async (bytes) => {
      const id = await sendByTus(api, headers, { projectId, filename: `file ${(turn += 1)}` }, bytes);
      return (await json<{ fileId: string }>('GET', `/uploads/${id}`)).fileId;
    },
    putInParts: async (bytes) => {
      const name = `file ${(turn += 1)}`;
      const upload = await json<{ id: string }>('POST', '/uploads', { projectId, name, size: bytes.length });
      const parts = partsOf(bytes);
      const wanted = { parts: parts.map(({ number }) => ({ number })) };
      const signed = await json<{ parts: { number: number; url: string }[] }>(
        'POST',
        `/uploads/${upload.id}/parts`,
        wanted,
      );
      const urls = new Map(signed.parts.map(({ number, url }) => [number, url]));
      await inTurns(parts, async ({ number, part }) => {
        const answer = await transfer(urls.get(number) ?? '', { method: 'PUT', body: part });
        if (answer.status !== 200) throw new Error(answer.text);
      });
      const done = await json<{ fileId: string | null }>('POST', `/uploads/${upload.id}/complete`, {});
      if (done.fileId === null) throw new Error('the upload was not completed in time');
      return done.fileId;
    },
    get: async (id) => (await transfer(`${api}/files/${id}/content`, { headers: { ...headers } })).bytes,
    getByAddress: async (id) => {
      const { url } = await json<{ url: string }>('POST', `/files/${id}/content-address`, {});
      return (await transfer(url)).bytes;
    },
    // The bytes too, which would stay in the bucket, and so in memory, until their grace period ends.
    remove: async (id) => {
      await ask('DELETE', `/api/v1/files/${id}`);
      const { rows } = await superuser.pool.query<{ blob_key: string }>(
        'SELECT blob_key FROM storage.version WHERE file_id = $1',
        [id],
      );
      for (const { blob_key: key } of rows) await bucket.remove(key);
    },
  };
}

/** Returns the id of the upload after all of its bytes have arrived. */
async function sendByTus(
  api: string,
  headers: Readonly<Record<string, string>>,
  fields: Readonly<Record<string, string>>,
  bytes: Buffer,
): Promise<string> {
  const metadata = Object.entries(fields).map(([key, value]) => `${key} ${btoa(value)}`);
  const tus = { ...headers, 'tus-resumable': '1.0.0' };
  const created = await transfer(`${api}/tus`, {
    method: 'POST',
    headers: { ...tus, 'upload-length': String(bytes.length), 'upload-metadata': metadata.join(',') },
  });
  const sent = await transfer(new URL(created.location, api).href, {
    method: 'PATCH',
    headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: bytes,
  });
  if (sent.status !== 204) throw new Error(`${created.text} ${sent.text}`);
  return created.location.split('/').at(-1) ?? '';
}
