import { Type } from 'typebox';

import { callers } from '../../../access/index.ts';
import { hourMs } from '../../../foundation/clock.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { defineRoute } from '../../../foundation/http/route.ts';
import { contentResponses } from '../../../foundation/http/send-content.ts';
import { openValue, sealValue } from '../../../foundation/sealed-value.ts';
import { credentials } from '../../../identity/index.ts';
import type { StorageRequest } from '../../../storage/index.ts';
import { contents } from '../../../storage/index.ts';
import type { StorageTools } from './storage-frame.ts';

const ticketMs = hourMs;
const purpose = 'preview of a file';

/** Access to one content, on an origin without sessions. */
interface Ticket {
  readonly caller: callers.Caller;
  readonly fileId: string;
}

/** The address of previewed content. */
export function previewAddress(
  { identity, files }: StorageTools,
  { caller }: StorageRequest,
  here: string,
  fileId: string,
): string {
  const { previewUrl } = files.settings;
  if (previewUrl === null) return `${here}/preview`;
  const ticket: Ticket = { caller, fileId };
  return `${previewUrl}/previews/${sealValue(identity, purpose, ticket, ticketMs)}`;
}

/** On the preview origin only. The session of the ticket's owner, and the owner's permissions, are checked each time. */
export function previewByTicketRoute({ pages, identity, files }: StorageTools): RouteDeclaration {
  const { host } = new URL(files.settings.previewUrl ?? identity.baseUrl);
  return defineRoute({
    method: 'GET',
    path: '/previews/{ticket}',
    surface: pages,
    operationId: 'previewFileByTicket',
    tag: 'pages',
    summary: 'The bytes of a picture, a sound, a video or a text, to be shown.',
    params: Type.Object({ ticket: Type.String({ maxLength: 2_000 }) }),
    stream: contents.contentStream,
    responses: contentResponses,
    problems: contents.contentProblems,
    handle: async ({ params, request, reply }) => {
      const ticket =
        request.headers.host === host ? openValue<Ticket>(identity, purpose, params.ticket) : null;
      if (ticket === null || !(await isOfLiveSession(identity, ticket))) throw callers.notFoundOrHidden();
      return contents.sendPreview(
        files,
        { ...ticket, client: credentials.clientOf(request) },
        request,
        reply,
      );
    },
  });
}

/** Otherwise the address would work for an hour after its owner has signed out, or recovered the account. */
async function isOfLiveSession(
  { database, clock }: StorageTools['identity'],
  { caller: { accountId, credential } }: Ticket,
): Promise<boolean> {
  if (credential.kind !== 'session') return false;
  return credentials.isLiveCredential(database, { accountId, credential }, clock.now());
}
