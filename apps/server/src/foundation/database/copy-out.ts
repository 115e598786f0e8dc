import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/** A field of a row in PostgreSQL's binary form, in the pieces it came in. */
export type CopiedField = readonly Buffer[] | null;

/**
 * The single row of `select`, neither decoded nor copied: for a large text that is passed on unchanged, the
 * driver's own query costs more than all other work on it. COPY takes no parameters, so `select` must contain
 * only text written or escaped by the program.
 */
export async function copyRowOut(pool: pg.Pool, select: string): Promise<readonly CopiedField[]> {
  const client = await pool.connect();
  try {
    const chunks = await readChunks(client, `COPY (${select}) TO STDOUT (FORMAT binary)`);
    client.release();
    return readBinaryRow(chunks);
  } catch (error) {
    // The protocol state of the connection is unknown.
    client.release(true);
    throw error;
  }
}

async function readChunks(client: pg.PoolClient, text: string): Promise<readonly Buffer[]> {
  const stream: ReturnType<typeof copyTo> & { callback?: () => void } = client.query(copyTo(text));
  try {
    return await stream.toArray();
  } finally {
    // Cancels the driver's own time-out, which would fire long after the stream has ended.
    stream.callback?.();
  }
}

// "PGCOPY\n\377\r\n\0", then flags and the length of an extension that no version uses.
const headerBytes = 19;

function readBinaryRow(chunks: readonly Buffer[]): readonly CopiedField[] {
  const take = takeFrom(chunks);
  take(headerBytes);
  const fields = Buffer.concat(take(2)).readInt16BE();
  return Array.from({ length: Math.max(0, fields) }, () => {
    const length = Buffer.concat(take(4)).readInt32BE();
    return length < 0 ? null : take(length);
  });
}

function takeFrom(chunks: readonly Buffer[]): (bytes: number) => readonly Buffer[] {
  const left = [...chunks];
  return (bytes) => {
    const taken: Buffer[] = [];
    for (let missing = bytes; missing > 0;) {
      const chunk = left.shift();
      if (chunk === undefined) throw new Error('COPY ended within a row');
      taken.push(chunk.subarray(0, missing));
      if (chunk.length > missing) left.unshift(chunk.subarray(missing));
      missing -= Math.min(missing, chunk.length);
    }
    return taken;
  };
}
