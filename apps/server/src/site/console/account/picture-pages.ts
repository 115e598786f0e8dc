import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { matchesEntityTag } from '../../../foundation/http/entity-tag.ts';
import { UploadedFile } from '../../../foundation/http/form-body.ts';
import { internal, invalidField, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { defineRoute } from '../../../foundation/http/route.ts';
import { ProblemError } from '../../../foundation/problem.ts';
import { useCases } from '../../../identity/index.ts';
import { say } from '../../shell/words/say.ts';
import type { PersonalTools } from '../console-route.ts';
import { IdParams, defineMemberForm } from '../console-route.ts';
import { picturesPath } from '../person-picture.ts';
import { visitorOf } from '../visitor.ts';
import { overviewPage, picturePath } from './overview-page.ts';

const PictureForm = closedObject({ picture: Type.Optional(UploadedFile) });

/** The maximum of the proxies; a picture above its own limit then gets an error beside the field. */
const bodyBytesMax = 1024 * 1024;

/** The picture that others see beside the name. */
export function picturePages(tools: PersonalTools): readonly RouteDeclaration[] {
  return [changeForm(tools), removeForm(tools), pictureRoute(tools)];
}

function changeForm(tools: PersonalTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: picturePath,
    operationId: 'changePicture',
    body: PictureForm,
    bodyFormat: 'multipart',
    bodyBytesMax,
    show: async ({ visitor, body, client }) => {
      const { picture } = body;
      if (picture === undefined) throw invalidField('picture', say('Choose a file'));
      const asked = { accountId: visitor.account.id, client };
      await useCases.changePicture(tools.identity, { ...asked, file: picture });
      return overviewPage(tools, visitor, {
        news: say('Picture saved.'),
      });
    },
    refused: async ({ visitor }, problem) => overviewPage(tools, visitor, { problem }),
  });
}

function removeForm(tools: PersonalTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: `${picturePath}/remove`,
    operationId: 'removePicture',
    show: async ({ visitor, client }) => {
      const asked = { accountId: visitor.account.id, client };
      await useCases.removePicture(tools.identity, asked);
      return overviewPage(tools, visitor, { news: say('Picture removed. Your initials are shown instead.') });
    },
  });
}

/** Every picture has its own address, so the browser may cache it; shared caches may not. */
function pictureRoute({ identity, pages }: PersonalTools): RouteDeclaration {
  const headers = { ETag: { description: 'Strong.', schema: Type.String() } };
  return defineRoute({
    method: 'GET',
    path: `${picturesPath}/{id}`,
    surface: pages,
    operationId: 'getPicture',
    tag: 'pages',
    summary:
      'Get the picture of an account. Requires sign-in and a common organization with the owner of the picture.',
    params: IdParams,
    responses: {
      200: {
        description: 'PNG, JPEG or WebP, as stated in Content-Type.',
        contentType: 'image/*',
        schema: Type.String({ format: 'binary' }),
        headers,
      },
      304: { description: 'Your copy (`If-None-Match`) is current.', headers },
    },
    problems: [notFound, internal],
    handle: async ({ params: { id }, request, reply }) => {
      const visitor = await visitorOf(identity, request);
      const picture =
        visitor === null ? null : await useCases.findPictureSeenBy(identity.database, visitor.account.id, id);
      if (picture === null) throw new ProblemError(notFound, 'Picture not found.');
      const entityTag = `"${picture.id}"`;
      reply.headers({
        etag: entityTag,
        'cache-control': 'private, max-age=3600',
        vary: 'cookie',
        'content-security-policy': "sandbox; default-src 'none'",
        'cross-origin-resource-policy': 'same-origin',
      });
      if (matchesEntityTag(request.headers['if-none-match'], entityTag)) return reply.code(304).send();
      return reply.header('content-type', picture.mediaType).send(picture.bytes);
    },
  });
}
