import { Readable } from 'node:stream';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { callers } from '../../access/index.ts';
import { sha256 } from '../../foundation/hash.ts';
import { sendContent } from '../../foundation/http/send-content.ts';
import { inlineHeaders } from '../files/attachment.ts';
import { isReadableBy, requireReadable } from '../files/require-readable.ts';
import { authorizeLiveEntry } from '../folders/authorize-entry.ts';
import type { Entry } from '../folders/entry.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { findPicture, selectPictured } from './picture-store.ts';

/** The small picture of the current content; `not_found` if it has none. */
export async function sendPicture(
  deps: StorageDeps,
  { caller, fileId }: StorageRequest & { readonly fileId: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { entry } = await authorizeLiveEntry(deps, caller, { id: fileId, kind: 'file' }, 'read');
  const { content, name } = entry;
  if (content === null) throw callers.notFoundOrHidden();
  requireReadable(content, caller.accountId, deps.settings);
  const picture = await findPicture(deps.database, content.blobKey);
  if (picture === null) throw callers.notFoundOrHidden();
  reply.headers(inlineHeaders(name, 'same-origin'));
  return sendContent(request, reply, {
    entityTag: `"${sha256(picture).slice(0, 32)}"`,
    size: picture.length,
    contentType: 'image/jpeg',
    open: async (range) =>
      Readable.from([range === null ? picture : picture.subarray(range.first, range.last + 1)]),
  });
}

/** The ids of the files in a list that have one that the caller may see. */
export async function picturedFiles(
  { database, settings }: StorageDeps,
  { caller }: StorageRequest,
  entries: readonly Entry[],
): Promise<ReadonlySet<string>> {
  const readable = entries.filter(
    ({ content }) => content !== null && isReadableBy(content, caller.accountId, settings),
  );
  const pictured = await selectPictured(
    database,
    readable.flatMap(({ content }) => content?.blobKey ?? []),
  );
  return new Set(readable.filter(({ content }) => pictured.has(content?.blobKey ?? '')).map(({ id }) => id));
}
