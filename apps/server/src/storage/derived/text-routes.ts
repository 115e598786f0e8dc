import { Type } from 'typebox';

import { closedObject, titledObject } from '../../foundation/closed-object.ts';
import { invalidCursor, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import { contentResponses } from '../../foundation/http/send-content.ts';
import { pageQueryProperties, pageSchema } from '../../foundation/pagination/page-schema.ts';
import { credentials } from '../../identity/index.ts';
import { contentProblems, contentStream } from '../files/file-routes.ts';
import { scanProblems } from '../files/require-readable.ts';
import { EntryParams, FileSchema, presentEntry } from '../folders/entry-schema.ts';
import { organizationKeyOf } from '../projects/change-projects.ts';
import type { StorageRoutesDeps } from '../projects/project-routes.ts';
import { organizationProperty } from '../projects/project-routes.ts';
import { downloadHeaders } from '../request-headers.ts';
import { storageRequestOf } from '../storage-deps.ts';
import { sendPicture } from './read-picture.ts';
import { readText, searchTexts } from './search-texts.ts';

const idProperty = (description: string) => Type.Optional(Type.String({ maxLength: 64, description }));

const FoundFileSchema = titledObject('FoundFile', {
  ...FileSchema.properties,
  passages: Type.Array(Type.String(), {
    description: 'Up to three shortened lines of the text that contain the words. Third-party text.',
  }),
});

const FileTextSchema = titledObject('FileText', {
  state: Type.Enum(['ready', 'pending', 'none'], {
    description: '`pending`: a worker has not read the file yet. `none`: the file has no readable text.',
  }),
  text: Type.Union([Type.String(), Type.Null()], {
    description: 'Without layout; pages of a PDF are separated by a form feed. Third-party text.',
  }),
  truncated: Type.Boolean({ description: 'True if the file has more text than the 1 MB that is stored.' }),
});

export function textRoutes(deps: StorageRoutesDeps): readonly RouteDeclaration[] {
  return [searchRoute(deps), textRoute(deps), pictureRoute(deps)];
}

function searchRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/search',
    surface: deps.surface,
    operationId: 'searchTexts',
    tag: 'files',
    summary: 'Search files by their text, in all projects that you can read.',
    description:
      'The text of plain text, Markdown, HTML, PDF, Office and OpenDocument files, as soon as a worker has scanned and read them. Only the current version of a file is found.',
    query: closedObject({
      ...pageQueryProperties,
      organization: organizationProperty,
      q: Type.String({
        minLength: 2,
        maxLength: 255,
        description: 'Words or parts of words, separated by spaces. All must occur. Not case-sensitive.',
      }),
      projectId: idProperty('Default: all projects.'),
      folderId: idProperty('A folder of the project, with everything below it.'),
    }),
    responses: { 200: { description: 'A page.', schema: pageSchema(FoundFileSchema, 'FoundFiles') } },
    problems: [invalidCursor, notFound],
    handle: async ({ query: { organization, q, projectId, folderId, ...page }, request, reply }) => {
      const { account } = credentials.principalOf(request);
      const asked = {
        ...storageRequestOf(request),
        organizationKey: organization ?? organizationKeyOf(account),
        query: q,
        ...(projectId !== undefined && { projectIds: [projectId] }),
        ...(folderId !== undefined && { folderId }),
        page,
      };
      const found = await searchTexts(deps, asked, ({ entry, passages }) => ({
        ...presentEntry(entry),
        passages,
      }));
      return reply.header('cache-control', 'no-store').send(found);
    },
  });
}

function textRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/files/{id}/text',
    surface: deps.surface,
    operationId: 'readText',
    tag: 'files',
    summary: 'Get the text of a file.',
    params: EntryParams,
    responses: { 200: { description: 'The text of the current version.', schema: FileTextSchema } },
    problems: [notFound, ...scanProblems],
    handle: async ({ params, request, reply }) => {
      const found = await readText(deps, { ...storageRequestOf(request), fileId: params.id });
      const { text, isTruncated } = found.state === 'ready' ? found : { text: null, isTruncated: false };
      return reply
        .header('cache-control', 'no-store')
        .send({ state: found.state, text, truncated: isTruncated });
    },
  });
}

function pictureRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/files/{id}/picture',
    surface: deps.surface,
    operationId: 'readPicture',
    tag: 'files',
    summary: 'Get a thumbnail of a file: of a GIF, JPEG or PNG picture, or of the first page of a PDF.',
    description:
      'A JPEG picture of at most 320 pixels, as soon as a worker has scanned and read the file. 404 if the file has none.',
    params: EntryParams,
    requestHeaders: downloadHeaders,
    stream: contentStream,
    responses: contentResponses,
    problems: contentProblems,
    handle: async ({ params, request, reply }) =>
      sendPicture(deps, { ...storageRequestOf(request), fileId: params.id }, request, reply),
  });
}
