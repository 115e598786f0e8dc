import { Readable } from 'node:stream';

import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { UploadedNamedFile } from '../../../foundation/http/form-body.ts';
import { conflict, forbidden, invalidField, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { idForm } from '../../../foundation/ids.ts';
import { ProblemError } from '../../../foundation/problem.ts';
import { problems as storageProblems, uploads } from '../../../storage/index.ts';
import { say } from '../../shell/words/say.ts';
import { defineMemberForm } from '../console-route.ts';
import { organizationParams } from '../platform/platform-frame.ts';
import { visitorOf } from '../visitor.ts';
import { folderPage, placeOfFolder, whereOf } from './folder-pages.ts';
import type { StorageTools } from './storage-frame.ts';
import { ThingParams, storageRequest } from './storage-frame.ts';

/** The upload endpoint for the script of a folder's page: the same protocol as for programs, with a session. */
export function pageUploadRoutes(tools: StorageTools): readonly RouteDeclaration[] {
  return uploads.tusRoutes(tools.files, {
    path: '/platform/{org}/tus',
    params: Type.Object(organizationParams),
    surface: tools.forms,
    // Without HTTPS, browsers send no origin with a HEAD request.
    readingSurface: tools.pages,
    suffix: 'OnPage',
    tag: 'pages',
    requestOf: async (request) => {
      const visitor = await visitorOf(tools.identity, request);
      if (visitor === null) throw new ProblemError(forbidden, say('Sign in, then upload the file again.'));
      return storageRequest(visitor, request);
    },
  });
}

/** The maximum of the proxies for pages. */
const bodyBytesMax = 1024 * 1024;
const UploadForm = closedObject({
  folderId: Type.Optional(Type.String({ pattern: idForm.source })),
  file: Type.Optional(UploadedNamedFile),
});

/** For browsers without script: one small file in a form. */
export function uploadFormRoute(tools: StorageTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/projects/{id}/upload',
    operationId: 'uploadFileOnPage',
    params: ThingParams,
    body: UploadForm,
    bodyFormat: 'multipart',
    bodyBytesMax,
    problems: [forbidden, notFound, storageProblems.nameTaken, conflict],
    show: async ({ visitor, params: { org, id }, body: { file, folderId = null }, request }) => {
      if (file === undefined) throw invalidField('file', say('Choose a file'));
      await uploads.storeContent(tools.files, {
        ...storageRequest(visitor, request),
        upload: {
          projectId: id,
          folderId,
          name: file.name,
          size: file.bytes.length,
          mediaType: mediaTypeOf(file.mediaType),
          sha256: null,
          ifTaken: 'version',
          ifMatch: null,
        },
        stream: {
          signal: new AbortController().signal,
          body: () => Readable.from([file.bytes], { objectMode: false }),
        },
      });
      return { to: whereOf(org, id, folderId) };
    },
    refused: async ({ visitor, params: { org, id }, body: { folderId }, request }, problem) => {
      const asked = storageRequest(visitor, request);
      const inside = folderId === undefined ? {} : await placeOfFolder(tools, asked, folderId);
      return folderPage(tools, visitor, asked, { org, projectId: id, ...inside, problem });
    },
  });
}

function mediaTypeOf(sent: string): string {
  const [type = ''] = sent.split(';', 1);
  return /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/.test(type) ? type : 'application/octet-stream';
}
