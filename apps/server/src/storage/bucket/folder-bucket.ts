import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { ByteRange } from '../../foundation/http/byte-range.ts';
import type { Bucket, Received, StoredObject } from './bucket.ts';
import { TakenKey, checkedKey, partsOfStaged, stagedName } from './bucket.ts';
import { createFolderAppending, syncFolder } from './folder-appending.ts';
import { createMeter } from './measured-body.ts';

const attemptForm = /^[0-9a-f]{16}$/;
const chunkBytes = 256 * 1024;

/**
 * A folder shared by all processes of the installation, on one machine or a network file system with hard links:
 * `incoming/<name>` is staged, `objects/<two digits>/<key>` is published.
 */
export async function createFolderBucket(
  root: string,
  /** Readable for the group if another service reads objects. */
  mode: 0o600 | 0o640 = 0o600,
): Promise<Bucket> {
  const incoming = join(root, 'incoming');
  const objects = join(root, 'objects');
  for (const folder of [incoming, objects]) await mkdir(folder, { recursive: true });
  const stagedPath = (name: string): string => join(incoming, checkedName(name));
  const folderOf = (key: string): string => join(objects, checkedKey(key).slice(0, 2));
  const objectPath = (key: string): string => join(folderOf(key), key);
  const stage: Bucket['stage'] = async (key, { body }, signal) => {
    const name = stagedName(key, randomBytes(8).toString('hex'));
    return { name, ...(await receive(stagedPath(name), { body, mode }, signal)) };
  };
  /** Fails if the target exists, which a rename would replace. */
  const linkTo = async (key: string, name: string): Promise<void> => {
    await mkdir(folderOf(key), { recursive: true });
    await syncFolder(objects);
    await link(stagedPath(name), objectPath(key));
    await syncFolder(folderOf(key));
  };
  const discard: Bucket['discard'] = async (name) => rm(stagedPath(name), { force: true });
  return {
    stage,
    put: async (key, content, signal) => {
      const { name, ...received } = await stage(key, content, signal);
      try {
        await linkTo(key, name);
      } catch (error) {
        throw hasCode(error, 'EEXIST') ? new TakenKey(`${key} already exists`, { cause: error }) : error;
      } finally {
        await discard(name);
      }
      return received;
    },
    appending: createFolderAppending({ incoming, mode }, stagedPath),
    publish: async (name) => {
      const { key } = partsOfStaged(name);
      const isThere = async (): Promise<boolean> => (await sizeAt(objectPath(key))) !== null;
      if (!(await isThere())) {
        await linkTo(key, name).catch(async (error: unknown) => {
          // A concurrent publish has also removed the staged name.
          if (!(await isThere())) throw error;
          await syncFolder(folderOf(key));
        });
      }
      await discard(name);
    },
    discard,
    discardPublished: discard,
    open: (key, range, signal) => openFile(objectPath(key), range, signal),
    proxied: { kind: 'folder', pathOf: async (key) => `${checkedKey(key).slice(0, 2)}/${key}` },
    remove: async (key) => rm(objectPath(key), { force: true }),
    sizeOf: async (key) => sizeAt(objectPath(key)),
    objects: () => listObjects(objects),
    staged: () => listStaged(incoming),
    direct: null,
  };
}

async function openFile(path: string, range: ByteRange | null, signal: AbortSignal): Promise<Readable> {
  const handle = await open(path, 'r');
  return handle.createReadStream({
    ...(range !== null && { start: range.first, end: range.last }),
    highWaterMark: chunkBytes,
    signal,
  });
}

function checkedName(name: string): string {
  const { key, attempt } = partsOfStaged(name);
  if (!attemptForm.test(attempt)) throw new RangeError(`${name} is not a name that we have made`);
  return stagedName(key, attempt);
}

/** Leaves nothing if the body is incomplete. */
async function receive(
  path: string,
  { body, mode }: { readonly body: Readable; readonly mode: number },
  signal: AbortSignal,
): Promise<Received> {
  const handle = await open(path, 'wx', mode);
  const { measure, received } = createMeter();
  // Synced to disk, not only to the page cache, before it counts as received.
  const file = handle.createWriteStream({ flush: true, highWaterMark: chunkBytes });
  try {
    await pipeline(body, measure, file, { signal });
    return received();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

async function sizeAt(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    return null;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** One of 256 folders at a time. */
async function* listObjects(objects: string): AsyncGenerator<StoredObject> {
  for (const folder of (await readdir(objects)).sort()) {
    for (const key of (await readdir(join(objects, folder))).sort()) {
      const size = await sizeAt(join(objects, folder, key));
      if (size !== null) yield { key, size };
    }
  }
}

async function* listStaged(incoming: string): AsyncGenerator<string> {
  yield* await readdir(incoming);
}
