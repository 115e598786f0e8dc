import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { copyFile, open } from 'node:fs/promises';

import type { Appending } from './bucket.ts';
import { appendedPartBytes, partsOfStaged, stagedName } from './bucket.ts';

/** Appends bytes to a file, which count once they are on disk. */
export function createFolderAppending(
  { incoming, mode }: { readonly incoming: string; readonly mode: number },
  pathOf: (name: string) => string,
): Appending {
  const newName = (key: string): string => stagedName(key, randomBytes(8).toString('hex'));
  return {
    begin: async (key) => {
      const name = newName(key);
      const handle = await open(pathOf(name), 'wx', mode);
      await handle.close();
      await syncFolder(incoming);
      return name;
    },
    // A new file: the other writer has the old one open, and nothing could stop its writes.
    takeOver: async (name, size) => {
      const own = newName(partsOfStaged(name).key);
      await copyFile(pathOf(name), pathOf(own), constants.COPYFILE_FICLONE);
      const handle = await open(pathOf(own), 'r+');
      try {
        await handle.truncate(size);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await syncFolder(incoming);
      return own;
    },
    append: async (name, { body, from, keep }, signal) => {
      const handle = await open(pathOf(name), 'r+');
      let [written, stored] = [from, from];
      const store = async (): Promise<void> => {
        if (written === stored) return;
        await handle.datasync();
        stored = written;
        await keep({ kind: 'stored', size: stored, tag: null });
      };
      try {
        for await (const chunk of body) {
          signal.throwIfAborted();
          await writeAll(handle, chunk, written);
          written += chunk.length;
          if (written - stored >= appendedPartBytes) await store();
        }
      } finally {
        try {
          await store();
        } finally {
          await handle.close();
        }
      }
    },
  };
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** The directory entry of a new file must be on disk too. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
