import { Type } from 'typebox';

import { closedObject, titledObject } from '../../foundation/closed-object.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import type { SigningKeyRing } from './signing-key-ring.ts';

const JwksSchema = titledObject('KeySet', {
  keys: Type.Array(
    closedObject({
      kty: Type.String(),
      crv: Type.String(),
      x: Type.String(),
      y: Type.String(),
      kid: Type.String(),
      alg: Type.String(),
      use: Type.String(),
    }),
  ),
});

export function jwksRoutes(deps: {
  readonly anonymous: Surface;
  readonly ring: SigningKeyRing;
}): readonly RouteDeclaration[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/.well-known/jwks.json',
      surface: deps.anonymous,
      operationId: 'getKeySet',
      tag: 'tokens',
      summary: 'Get the public keys of access tokens.',
      description:
        'New keys are published before they are used, and old keys remain until their last token has expired. Cache the document as Cache-Control allows.',
      responses: { 200: { description: 'A JSON Web Key Set.', schema: JwksSchema } },
      problems: [],
      handle: async ({ reply }) =>
        reply
          .header('cache-control', 'public, max-age=300, stale-if-error=3600')
          .send({ keys: await deps.ring.publicKeys() }),
    }),
  ];
}
