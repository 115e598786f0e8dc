import { Type } from 'typebox';

import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import { drawAvatar } from './avatar.ts';

const contentType = 'image/svg+xml';

export function avatarRoutes(anonymous: Surface): readonly RouteDeclaration[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/avatars/{id}.svg',
      surface: anonymous,
      operationId: 'getAvatar',
      tag: 'account',
      summary: 'Get the generated picture of an account.',
      params: Type.Object({ id: Type.String({ maxLength: 64 }) }),
      responses: { 200: { description: 'SVG.', schema: Type.String(), contentType } },
      problems: [],
      handle: ({ params, reply }) =>
        reply
          .header('content-type', contentType)
          .header('cache-control', 'public, max-age=86400, immutable')
          .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
          .send(drawAvatar(params.id)),
    }),
  ];
}
