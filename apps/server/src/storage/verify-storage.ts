import type { Database } from '../foundation/database/database.ts';
import type { Bucket } from './bucket/bucket.ts';
import { partsOfStaged } from './bucket/bucket.ts';
import { findUploadOfBlob } from './uploads/upload-store.ts';
import { stagedUploadAction } from './uploads/upload.ts';
import type { ExpectedBlob } from './verify-store.ts';
import { findBlob, selectBlobsAfter, selectWrongCounts, selectWrongUsage } from './verify-store.ts';

export interface StorageFinding {
  readonly name: string;
  readonly promise: string;
  readonly offenders: readonly string[];
}

const rowsAtOnce = 1_000;
const offendersMax = 100;

interface VerifyDeps {
  readonly database: Database;
  readonly bucket: Bucket;
}

/**
 * Reads both sides ordered by key and changes nothing; memory use is constant. Others write meanwhile: every apparent
 * fault is checked again before it is reported.
 */
export async function verifyStorage(deps: VerifyDeps): Promise<readonly StorageFinding[]> {
  const [missing, unknown, unequal]: [string[], string[], string[]] = [[], [], []];
  for await (const key of differingKeys(deps)) {
    const [row, size] = [await findBlob(deps.database, key), await deps.bucket.sizeOf(key)];
    if (row === null && size !== null) add(unknown, key);
    else if (row?.isStored === true && size === null) add(missing, key);
    else if (row !== null && size !== null && row.size !== size)
      add(unequal, `${key}: ${row.size} and ${size}`);
  }
  return [
    { name: 'stored', promise: 'every stored content is in the bucket', offenders: missing },
    { name: 'named', promise: 'every object in the bucket has a row', offenders: unknown },
    { name: 'sizes', promise: 'sizes in the database and the bucket match', offenders: unequal },
    {
      name: 'staged',
      promise: 'every staged part belongs to an open upload',
      offenders: await leftoversOf(deps),
    },
    {
      name: 'usage',
      promise: 'usage is the sum of stored and reserved bytes',
      offenders: await selectWrongUsage(deps.database),
    },
    {
      name: 'counts',
      promise: 'usage of projects and persons is the sum of their bytes',
      offenders: await selectWrongCounts(deps.database),
    },
  ];
}

function add(offenders: string[], offender: string): void {
  if (offenders.length < offendersMax) offenders.push(offender);
}

/** Keys that only one side has, or with another size. */
async function* differingKeys({ database, bucket }: VerifyDeps): AsyncGenerator<string> {
  const rows = expectedBlobs(database);
  let row = await rows.next();
  for await (const object of bucket.objects()) {
    while (row.done !== true && row.value.key < object.key) {
      if (row.value.isStored) yield row.value.key;
      row = await rows.next();
    }
    if (row.done === true || row.value.key !== object.key) yield object.key;
    else {
      if (row.value.size !== object.size) yield object.key;
      row = await rows.next();
    }
  }
  for (; row.done !== true; row = await rows.next()) if (row.value.isStored) yield row.value.key;
}

async function* expectedBlobs(database: Database): AsyncGenerator<ExpectedBlob, undefined> {
  let page = await selectBlobsAfter(database, '', rowsAtOnce);
  while (page.length > 0) {
    yield* page;
    page = await selectBlobsAfter(database, page.at(-1)?.key ?? '', rowsAtOnce);
  }
}

async function leftoversOf({ database, bucket }: VerifyDeps): Promise<readonly string[]> {
  const offenders: string[] = [];
  for await (const name of bucket.staged()) {
    const upload = await findUploadOfBlob(database, partsOfStaged(name).key);
    if (stagedUploadAction(upload, name) !== 'waiting') add(offenders, name);
  }
  return offenders;
}
