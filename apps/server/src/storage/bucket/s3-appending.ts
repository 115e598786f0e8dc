import { Readable } from 'node:stream';

import type { AppendedContent, Appending } from './bucket.ts';
import { appendedPartBytes, tailPieceBytes } from './bucket.ts';
import { ByteReader } from './byte-reader.ts';

/** Sends one part of a staged name, and returns its S3 tag. */
export type SendPart = (
  name: string,
  part: { readonly number: number; readonly size: number; readonly body: Readable },
  signal: AbortSignal,
) => Promise<string>;

/**
 * Parts of a multipart upload, each for fixed bytes of the content, so that a part that is sent again replaces the same
 * one. S3 refuses parts of less than 5 MiB before the last: the remainder of a request is given to be saved, and read
 * back as the beginning of the next part.
 */
export function createS3Appending(begin: Appending['begin'], sendPart: SendPart): Appending {
  return {
    begin,
    // A part from another writer has another tag than the saved one, or the same bytes.
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

/** Chunk by chunk, so that only one of them is in memory. */
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
