import type { Readable } from 'node:stream';
import { Readable as ReadableStream, addAbortSignal } from 'node:stream';

import type { ListMultipartUploadsCommandOutput } from '@aws-sdk/client-s3';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';

import type { ByteRange } from '../../foundation/http/byte-range.ts';
import type { Bucket, DirectTransfer, ProxiedReads, Received, StoredObject } from './bucket.ts';
import { ReplacedPart, TakenKey, checkedKey, partsOfStaged, stagedName } from './bucket.ts';
import { createMeter } from './measured-body.ts';
import type { SendPart } from './s3-appending.ts';
import { createS3Appending } from './s3-appending.ts';

export interface S3Settings {
  readonly bucket: string;
  /** Null for Amazon's own, of the region. */
  readonly url: string | null;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** As many as concurrent streams, or they would silently wait for each other. */
const socketsMax = 2_000;

/**
 * A dedicated bucket on any S3-compatible server. Staged content is a multipart upload to the key itself: it is
 * unreadable, completing it copies nothing, and its name is the key with the upload id from S3.
 */
export function createS3Bucket(settings: S3Settings): Bucket {
  const client = createS3Client(settings);
  const { place, waiting } = createPlaces(settings.bucket);
  const sizeOf: Bucket['sizeOf'] = async (key) => findSize(client, place(key));
  const begin = async (key: string, signal?: AbortSignal): Promise<string> => {
    const options = signal === undefined ? {} : { abortSignal: signal };
    const { UploadId = '' } = await client.send(new CreateMultipartUploadCommand(place(key)), options);
    return stagedName(key, UploadId);
  };
  const discard: Bucket['discard'] = async (name) => {
    await client.send(new AbortMultipartUploadCommand(waiting(name))).catch(absent('NoSuchUpload'));
  };
  const sendOne: SendPart = async (name, { number, size, body: Body }, signal) => {
    const part = new UploadPartCommand({ ...waiting(name), PartNumber: number, Body, ContentLength: size });
    const { ETag = '' } = await whileFlowing(Body, signal, (abortSignal) =>
      client.send(part, { abortSignal }),
    );
    return ETag;
  };
  return {
    stage: async (key, { body, size }, signal) => {
      const name = await begin(key, signal);
      try {
        const { measured, received } = measuring(body);
        await sendOne(name, { number: 1, size, body: measured }, signal);
        return { name, ...received() };
      } catch (error) {
        await discard(name);
        throw error;
      }
    },
    put: (key, content, signal) => putWhole(client, place(key), content, signal),
    appending: createS3Appending(begin, sendOne),
    publish: async (name, tags) => {
      const { key } = partsOfStaged(name);
      // Neither completed again nor aborted: if a server died between creating the object and ending its upload, both
      // refer to the same bytes, and either would remove them from the object. Use `discardPublished`.
      if ((await sizeOf(key)) !== null) return;
      try {
        await complete(client, waiting(name), tags);
      } catch (error) {
        // A concurrent publish has also removed the staged name.
        if ((await sizeOf(key)) === null) throw replacedPart(error) ?? error;
      }
    },
    discard,
    discardPublished: async (name) => {
      // Copies the bytes first: aborting the upload would remove those that the object shares with it.
      await writeAgain(client, place(partsOfStaged(name).key));
      await discard(name);
    },
    open: (key, range, signal) => openObject(client, place(key), range, signal),
    remove: async (key) => {
      await client.send(new DeleteObjectCommand(place(key)));
    },
    sizeOf,
    objects: () => listObjects(client, settings.bucket),
    staged: () => listStaged(client, settings.bucket),
    direct: { begin, ...createSigner(client, { place, waiting }) },
    proxied: proxiedReads(client, place),
  };
}

/** A proxy that receives the path sends its request at once. */
const proxiedSeconds = 60;

function proxiedReads(client: S3Client, place: (key: string) => Place): ProxiedReads {
  return {
    kind: 's3',
    pathOf: async (key) => {
      const get = new GetObjectCommand(place(key));
      const { pathname, search } = new URL(await getSignedUrl(client, get, { expiresIn: proxiedSeconds }));
      return `${pathname.slice(1)}${search}`;
    },
  };
}

/** The S3 parameters of a key. */
interface Place {
  readonly Bucket: string;
  readonly Key: string;
}

/** The S3 parameters of a key, and of a staged name. */
function createPlaces(bucket: string) {
  const place = (key: string): Place => ({ Bucket: bucket, Key: checkedKey(key) });
  const waiting = (name: string) => {
    const { key, attempt } = partsOfStaged(name);
    return { ...place(key), UploadId: attempt };
  };
  return { place, waiting };
}

function createSigner(
  client: S3Client,
  { place, waiting }: ReturnType<typeof createPlaces>,
): Omit<DirectTransfer, 'begin'> {
  // Length and MD5 are signed as headers: in the query a server would not compare them with the body.
  const held = new Set(['content-length', 'content-md5']);
  return {
    arrivedParts: async (name) => {
      const { Parts = [] } = await client.send(new ListPartsCommand(waiting(name)));
      return Parts.map(({ PartNumber = 0, Size = 0 }) => ({ number: PartNumber, size: Size }));
    },
    signPart: (name, { number, size, md5 }, seconds) => {
      const hash = md5 !== null && { ContentMD5: md5 };
      const part = { ...waiting(name), PartNumber: number, ContentLength: size, ...hash };
      return getSignedUrl(client, new UploadPartCommand(part), {
        expiresIn: seconds,
        signableHeaders: new Set(['host', ...held]),
        unhoistableHeaders: held,
      });
    },
    signRead: (key, disposition, seconds) => {
      const shown = {
        ResponseContentDisposition: disposition,
        // Browsers never render the content, regardless of its type.
        ResponseContentType: 'application/octet-stream',
      };
      return getSignedUrl(client, new GetObjectCommand({ ...place(key), ...shown }), { expiresIn: seconds });
    },
  };
}

export function createS3Client({ url, region, accessKeyId, secretAccessKey }: S3Settings): S3Client {
  return new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    ...(url !== null && { endpoint: url, forcePathStyle: true }),
    // Servers other than Amazon's support the newer checksums in part, or not at all.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // It would log to the console the errors that we throw.
    logger: { debug: silent, info: silent, warn: silent, error: silent },
    requestHandler: {
      connectionTimeout: 5_000,
      socketTimeout: 120_000,
      httpAgent: { maxSockets: socketsMax },
      httpsAgent: { maxSockets: socketsMax },
    },
  });
}

function silent(): void {}

function measuring(body: Readable): { readonly measured: Readable; readonly received: () => Received } {
  const { measure, received } = createMeter();
  const measured = ReadableStream.from(measure(body as AsyncIterable<Buffer>), { objectMode: false });
  return { measured, received };
}

/** A whole content may be one part, with the maximum of 5 GiB of a file: bytes are streamed, not buffered for a retry. */
async function whileFlowing<Answer>(
  body: Readable,
  signal: AbortSignal,
  send: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const broken = new AbortController();
  // The client pipes the body into its request and ignores its errors.
  body.once('error', (error) => broken.abort(error));
  try {
    return await send(AbortSignal.any([signal, broken.signal]));
  } catch (error) {
    throw broken.signal.aborted ? broken.signal.reason : error;
  } finally {
    body.destroy();
  }
}

async function findSize(client: S3Client, place: Place): Promise<number | null> {
  const found = await client.send(new HeadObjectCommand(place)).catch(absent('NotFound', 'NoSuchKey'));
  return found?.ContentLength ?? null;
}

async function openObject(
  client: S3Client,
  place: Place,
  range: ByteRange | null,
  signal: AbortSignal,
): Promise<Readable> {
  const asked = { ...place, ...(range !== null && { Range: `bytes=${range.first}-${range.last}` }) };
  const { Body } = await client
    .send(new GetObjectCommand(asked), { abortSignal: signal })
    .catch((cause: unknown) => {
      throw new Error(`${place.Key} cannot be read`, { cause });
    });
  return addAbortSignal(signal, Body as Readable);
}

async function complete(
  client: S3Client,
  waiting: Place & { readonly UploadId: string },
  tags: readonly string[] | undefined,
): Promise<void> {
  const { Parts = [] } =
    tags === undefined
      ? await client.send(new ListPartsCommand(waiting))
      : { Parts: tags.map((ETag, index) => ({ PartNumber: index + 1, ETag })) };
  const parts = Parts.map(({ PartNumber, ETag }) => ({ PartNumber, ETag }));
  await client.send(
    // Not every server applies the condition; the upload's row ensures that a key is completed once.
    new CompleteMultipartUploadCommand({ ...waiting, IfNoneMatch: '*', MultipartUpload: { Parts: parts } }),
  );
}

function replacedPart(error: unknown): ReplacedPart | null {
  const isIt = error instanceof S3ServiceException && error.name === 'InvalidPart';
  return isIt ? new ReplacedPart('a part differs from the stored part', { cause: error }) : null;
}

async function putWhole(
  client: S3Client,
  place: Place,
  { body, size }: Parameters<Bucket['put']>[1],
  signal: AbortSignal,
): Promise<Received> {
  const { measured: Body, received } = measuring(body);
  const whole = new PutObjectCommand({ ...place, Body, ContentLength: size, IfNoneMatch: '*' });
  await whileFlowing(Body, signal, (abortSignal) => client.send(whole, { abortSignal })).catch(
    (error: unknown) => {
      throw takenKey(error) ?? error;
    },
  );
  return received();
}

/** One request, which replaces the object by the same bytes or leaves it unchanged. No effect without an object. */
async function writeAgain(client: S3Client, place: Place): Promise<void> {
  const size = await findSize(client, place);
  if (size === null) return;
  const { signal } = new AbortController();
  const Body = await openObject(client, place, null, signal);
  const whole = new PutObjectCommand({ ...place, Body, ContentLength: size });
  await whileFlowing(Body, signal, (abortSignal) => client.send(whole, { abortSignal }));
}

/** By the status: not every server sends an error code. */
function takenKey(error: unknown): TakenKey | null {
  const isIt = error instanceof S3ServiceException && error.$metadata.httpStatusCode === 412;
  return isIt ? new TakenKey('the key already exists', { cause: error }) : null;
}

/** Undefined if S3 reports that it does not exist. */
export function absent(...names: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof S3ServiceException) || !names.includes(error.name)) throw error;
    return undefined;
  };
}

async function* listObjects(client: S3Client, bucket: string): AsyncGenerator<StoredObject> {
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket }))
    for (const { Key = '', Size = 0 } of Contents) yield { key: Key, size: Size };
}

async function* listStaged(client: S3Client, bucket: string): AsyncGenerator<string> {
  let after: { readonly KeyMarker?: string; readonly UploadIdMarker?: string } | null = {};
  while (after !== null) {
    const page: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({ Bucket: bucket, ...after }),
    );
    for (const { Key = '', UploadId = '' } of page.Uploads ?? []) yield stagedName(Key, UploadId);
    const { NextKeyMarker: KeyMarker = '', NextUploadIdMarker: UploadIdMarker = '' } = page;
    after = page.IsTruncated === true ? { KeyMarker, UploadIdMarker } : null;
  }
}
