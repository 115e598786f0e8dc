import { Type } from 'typebox';

import { forbidden } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { defineRoute } from '../../../foundation/http/route.ts';
import { idForm } from '../../../foundation/ids.ts';
import { ProblemError } from '../../../foundation/problem.ts';
import { mediaTypeProperty, storeContent, storeProblems, uploadStream } from '../../../storage/index.ts';
import { visitorOf } from '../visitor.ts';
import type { StorageTools } from './storage-frame.ts';
import { ThingParams, storageRequest } from './storage-frame.ts';

/** What the script of a folder's page sends: one file, as it is. A file of the name gets another version. */
export function uploadRoute(tools: StorageTools): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: '/platform/{org}/projects/{id}/content',
    surface: tools.forms,
    operationId: 'uploadFileOnPage',
    tag: 'pages',
    summary: 'Stores a file that was chosen on a page.',
    params: ThingParams,
    query: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 1_000 }),
        folder: Type.Optional(Type.String({ pattern: idForm.source })),
        mediaType: mediaTypeProperty,
      },
      { additionalProperties: false },
    ),
    stream: uploadStream,
    responses: { 204: { description: 'Stored.' } },
    problems: storeProblems,
    handle: async ({ params: { id }, query, request, reply }) => {
      const visitor = await visitorOf(tools.identity, request);
      if (visitor === null) throw new ProblemError(forbidden, 'sign in and send it again');
      await storeContent(tools.files, storageRequest(visitor, request), request, {
        projectId: id,
        folderId: query.folder ?? null,
        name: query.name,
        mediaType: query.mediaType,
        ifTaken: 'version',
      });
      return reply.code(204).header('cache-control', 'no-store').send();
    },
  });
}
