import { mkdtemp, open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bytes in a file without a name: nothing is left if the process dies. */
export async function withNamelessFile<Result>(
  bytes: AsyncIterable<Buffer> | Iterable<Buffer>,
  size: number,
  work: (file: FileHandle) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-derived-'));
  const file = await openNameless(folder);
  try {
    let position = 0;
    // At a position: the offset of the file, which a program inherits, stays at its start.
    for await (const chunk of bytes) {
      await file.write(chunk, 0, chunk.length, position);
      position += chunk.length;
    }
    if (position !== size) throw new Error(`${position} bytes instead of ${size}`);
    return await work(file);
  } finally {
    await file.close();
  }
}

async function openNameless(folder: string): Promise<FileHandle> {
  try {
    return await open(join(folder, 'content'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true });
  }
}
