import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { link, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { Bucket, Received, StoredObject } from './bucket.ts';
import { checkedKey, partsOfStaged, stagedName } from './bucket.ts';
import { createFolderAppending, syncFolder } from './folder-appending.ts';
import { createMeter } from './measured-body.ts';

const attemptForm = /^[0-9a-f]{16}$/;
const chunkBytes = 256 * 1024;

/**
 * A folder that all processes of the installation share, on one machine or a network file system with hard links:
 * `incoming/<name>` is staged, `objects/<two digits>/<key>` is published.
 */
export async function createFolderBucket(root: string): Promise<Bucket> {
  const incoming = join(root, 'incoming');
  const objects = join(root, 'objects');
  await mkdir(incoming, { recursive: true });
  await mkdir(objects, { recursive: true });
  const stagedPath = (name: string): string => join(incoming, checkedName(name));
  const folderOf = (key: string): string => join(objects, checkedKey(key).slice(0, 2));
  const objectPath = (key: string): string => join(folderOf(key), key);
  return {
    stage: async (key, { body }, signal) => {
      const name = stagedName(key, randomBytes(8).toString('hex'));
      const path = stagedPath(name);
      const handle = await open(path, 'wx', 0o600);
      try {
        return { name, ...(await receive(handle, body, signal)) };
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
    },
    appending: createFolderAppending(incoming, stagedPath),
    publish: async (name) => {
      const { key } = partsOfStaged(name);
      const [from, to] = [stagedPath(name), objectPath(key)];
      if ((await sizeAt(to)) === null) {
        await mkdir(folderOf(key), { recursive: true });
        await syncFolder(objects);
        // Fails where there is something, which a rename would replace.
        await link(from, to).catch(async (error: unknown) => {
          // Whoever published it in the same moment has also taken the staged name away.
          if ((await sizeAt(to)) === null) throw error;
        });
        await syncFolder(folderOf(key));
      }
      await rm(from, { force: true });
    },
    discard: async (name) => rm(stagedPath(name), { force: true }),
    open: async (key, range, signal) => {
      const handle = await open(objectPath(key), 'r');
      return handle.createReadStream({
        ...(range !== null && { start: range.first, end: range.last }),
        highWaterMark: chunkBytes,
        signal,
      });
    },
    remove: async (key) => rm(objectPath(key), { force: true }),
    sizeOf: async (key) => sizeAt(objectPath(key)),
    objects: () => listObjects(objects),
    staged: () => listStaged(incoming),
    direct: null,
  };
}

function checkedName(name: string): string {
  const { key, attempt } = partsOfStaged(name);
  if (!attemptForm.test(attempt)) throw new RangeError(`${name} is not a name that we have made`);
  return stagedName(key, attempt);
}

async function receive(handle: FileHandle, body: Readable, signal: AbortSignal): Promise<Received> {
  const { measure, received } = createMeter();
  // Written to the disk, not only to the system's memory, before it counts as received.
  const file = handle.createWriteStream({ flush: true, highWaterMark: chunkBytes });
  await pipeline(body, measure, file, { signal });
  return received();
}

async function sizeAt(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    ignore('ENOENT')(error);
    return null;
  }
}

function ignore(code: string): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof Error) || !('code' in error) || error.code !== code) throw error;
  };
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
