import { Readable } from 'node:stream';

import type { AppendedContent, Appending } from './bucket.ts';
import { appendedPartBytes, tailPieceBytes } from './bucket.ts';
import { ByteReader } from './byte-reader.ts';

/** Sends one part of what waits under a name, and answers the tag that S3 gave it. */
export type SendPart = (
  name: string,
  part: { readonly number: number; readonly size: number; readonly body: Readable },
  signal: AbortSignal,
) => Promise<string>;

/**
 * Parts of a multipart upload, each for fixed bytes of the content, so that a part that is sent again takes the place of
 * the same one. S3 refuses parts of less than 5 MiB before the last: what is left at the end of a request is given to be
 * kept, and read back for the part that it becomes the beginning of.
 */
export function createS3Appending(begin: Appending['begin'], sendPart: SendPart): Appending {
  return {
    begin,
    // What another writer still sends has another tag than the one that was kept, or is the same bytes.
    takeOver: async (name) => name,
    append: async (name, content, signal) => {
      const reader = new ByteReader(content.body);
      for (let at = content.from; at < content.to;) {
        const start = at - (at % appendedPartBytes);
        const end = Math.min(start + appendedPartBytes, content.total);
        if (end > content.to) return saveTail(content, reader, at);
        const body = Readable.from(joined(at === start ? null : content, reader.take(end - at)), {
          objectMode: false,
        });
        const part = { number: start / appendedPartBytes + 1, size: end - start, body };
        const tag = await sendPart(name, part, signal);
        await content.keep({ kind: 'stored', size: end, tag });
        at = end;
      }
    },
  };
}

async function* joined(
  before: Pick<AppendedContent, 'tail'> | null,
  body: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  if (before !== null) yield* before.tail();
  yield* body;
}

/** Piece by piece, so that no more than one of them is in memory. */
async function saveTail({ to, keep }: AppendedContent, reader: ByteReader, from: number): Promise<void> {
  for (let at = from; at < to;) {
    const end = Math.min(at - (at % tailPieceBytes) + tailPieceBytes, to);
    const chunks: Buffer[] = [];
    let size = at;
    try {
      while (size < end) {
        const chunk = await reader.read(end - size);
        chunks.push(chunk);
        size += chunk.length;
      }
    } finally {
      if (size > at) await keep({ kind: 'tail', size, bytes: Buffer.concat(chunks) });
    }
    at = size;
  }
}
